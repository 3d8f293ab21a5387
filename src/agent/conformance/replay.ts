/** Plays a recorded conversation again: the agent's lines as recorded, the host's side by glassbox, and compares what is said. */
import type { DraftOf } from '../../event/index.js';
import type { Action } from '../action.js';
import type { Agent } from '../agent.js';
import type { CommandRequest } from '../command.js';
import { requestFor } from './drive.js';

/** A line of a conversation, as JSON. */
type Message = Record<string, unknown>;

/** Both sides of a conversation that another host had with the agent. */
export interface RecordedConversation {
  readonly name: string;
  readonly host: RecordedHost;
  /** In the order in which they were said. */
  readonly messages: readonly { readonly toAgent: boolean; readonly message: Message }[];
}

/** What a recorded host meant, so that glassbox can be put in its place. */
export interface RecordedHost {
  /** False for a recorder that was no host at all, by what it said. */
  isHost?(said: readonly Message[]): boolean;
  /** The request that would have started this conversation, from what the recorded host said. */
  request(said: readonly Message[]): Partial<CommandRequest>;
  /** What a person must have decided for the host to say this; `never` for what glassbox has no words for. */
  action(said: Message, asked: DraftOf<'approval-request'> | undefined): Action | 'never' | undefined;
  /** What is only asked for information, and may be asked or not. */
  isAside?(said: Message): boolean;
  /** What a line means, so that ids, versions and names do not matter. */
  meaning(said: Message): unknown;
}

/** Sentences about what glassbox says differently; none when it says the same in the same order. */
export function replay(agent: Agent, { host, messages }: RecordedConversation): string[] {
  const said = messages.filter(({ toAgent }) => toAgent).map(({ message }) => message);
  if (host.isHost?.(said) === false) return [];
  const protocol = agent.createProtocol(requestFor({ mode: 'conversation', ...host.request(said) }));
  const ours: Message[] = [];
  /** Our ids by the recorded host's, because answers come back under them. */
  const ids = new Map<unknown, unknown>();
  const wrong: string[] = [];
  let asked: DraftOf<'approval-request'> | undefined;

  const note = ({ events, send }: ReturnType<typeof protocol.start>) => {
    const spoken = send.map((line) => JSON.parse(line) as Message);
    ours.push(...spoken.filter((message) => !host.isAside?.(message)));
    asked = events.findLast((event) => event.type === 'approval-request') ?? asked;
  };

  note(protocol.start());
  for (const { toAgent, message } of messages) {
    if (!toAgent) {
      const isAnswer = typeof message === 'object' && message !== null && 'id' in message && !('method' in message);
      note(protocol.receive(isAnswer && ids.has(message.id) ? { ...message, id: ids.get(message.id) } : message, 100));
      continue;
    }
    if (host.isAside?.(message)) continue;
    if (ours.length === 0) {
      const action = host.action(message, asked);
      if (action === 'never') continue;
      if (!action) {
        wrong.push(`only the recorded host says ${JSON.stringify(message)}`);
        continue;
      }
      const step = protocol.act(action);
      if (step === 'unsupported') wrong.push(`${action.type} is unsupported`);
      else note(step);
    }
    const mine = ours.shift();
    if (mine) ids.set(message.id, mine.id);
    const [expected, actual] = [host.meaning(message), mine && host.meaning(mine)].map((meaning) =>
      JSON.stringify(meaning),
    );
    if (expected !== actual) wrong.push(`said ${actual} instead of ${expected}`);
  }
  return [...wrong, ...ours.map((message) => `only glassbox says ${JSON.stringify(message)}`)];
}
