/** A run that goes on at a worker, for the person who sent it: what it asks is answered here, by whoever may. */
import { type Client, ClientError } from '../../../client/index.js';
import { agentNamed } from '../../../decode/index.js';
import { type AgentEvent, GlassboxError } from '../../../event/index.js';
import type { AnsweredRun } from '../../ask/show-run.js';

export interface HubRunOptions {
  client: Client;
  runId: string;
  agent: string;
  /** Somebody has to answer, and nobody here can. */
  onUnanswerable?: ((approval: string) => void) | undefined;
  /** Whether nothing more will come, though the run said no end: its worker is gone. Asked when the stream was lost. */
  isOver(): Promise<boolean>;
  /** What was answered was not taken, for people. */
  say(text: string): void;
}

export function answeredAtHub(options: HubRunOptions): AnsweredRun {
  const { client, runId, agent, onUnanswerable, isOver, say } = options;
  const open = new Set<string>();
  const leaving = new AbortController();

  const leaveIfOver = async (): Promise<void> => {
    if (await isOver().catch(() => false)) leaving.abort();
  };
  const onConnection = (state: 'open' | 'lost'): void => {
    if (state === 'lost') void leaveIfOver();
  };

  async function* events(): AsyncIterable<AgentEvent> {
    for await (const event of client.events(runId, { signal: leaving.signal, onConnection })) {
      if (event.type === 'approval-request') {
        open.add(event.id);
        onUnanswerable?.(event.id);
      }
      if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') open.delete(event.id);
      yield event;
    }
  }

  return {
    events: events(),
    canEdit: agentNamed(agent)?.capabilities.editInput !== false,
    isOpen: (id) => open.has(id),
    // Nobody reads on here; the work goes on there, as if nobody had looked.
    cancel: () => leaving.abort(),
    async decide(id, answer) {
      try {
        await client.decide(runId, id, answer);
      } catch (error) {
        // What makes no sense is asked for again; what somebody else answered meanwhile is told by the run itself.
        if (error instanceof ClientError && error.status === 400)
          throw new GlassboxError('invalid-request', error.message);
        if (!(error instanceof ClientError && error.status === 409 && !open.has(id)))
          say(error instanceof ClientError ? error.message : 'The hub does not answer; the question waits there.');
      }
    },
  };
}
