/** Plays a recorded conversation again: the agent's lines as recorded, the host's side by glassbox, and compares what is said. */
import { readFileSync } from 'node:fs';
import type { Action, Agent, CommandRequest } from '../../src/agent/index.js';
import type { DraftOf } from '../../src/event/index.js';
import { requestFor } from './drive.js';

type Message = Record<string, unknown>;

export interface Host {
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
export function replay(agent: Agent, host: Host, path: string): string[] {
  const entries = readFileSync(path, 'utf8').trim().split('\n').map(entryOf);
  const said = entries.filter(({ toAgent }) => toAgent).map(({ msg }) => msg);
  const protocol = agent.createProtocol(requestFor({ mode: 'conversation', ...host.request(said) }));
  const ours: Message[] = [];
  /** Our ids by the recorded host's, because answers come back under them. */
  const ids = new Map<unknown, unknown>();
  const wrong: string[] = [];
  let asked: DraftOf<'approval-request'> | undefined;

  const note = ({ events, send }: ReturnType<typeof protocol.start>) => {
    const messages = send.map((line) => JSON.parse(line) as Message);
    ours.push(...messages.filter((message) => !host.isAside?.(message)));
    asked = events.findLast((event) => event.type === 'approval-request') ?? asked;
  };

  note(protocol.start());
  for (const { toAgent, msg } of entries) {
    if (!toAgent) {
      const isAnswer = typeof msg === 'object' && msg !== null && 'id' in msg && !('method' in msg);
      note(protocol.receive(isAnswer && ids.has(msg.id) ? { ...msg, id: ids.get(msg.id) } : msg, 100));
      continue;
    }
    if (host.isAside?.(msg)) continue;
    if (ours.length === 0) {
      const action = host.action(msg, asked);
      if (action === 'never') continue;
      if (!action) {
        wrong.push(`only the recorded host says ${JSON.stringify(msg)}`);
        continue;
      }
      const step = protocol.act(action);
      if (step === 'unsupported') wrong.push(`${action.type} is unsupported`);
      else note(step);
    }
    const mine = ours.shift();
    if (mine) ids.set(msg.id, mine.id);
    const [expected, actual] = [host.meaning(msg), mine && host.meaning(mine)].map((meaning) =>
      JSON.stringify(meaning),
    );
    if (expected !== actual) wrong.push(`said ${actual} instead of ${expected}`);
  }
  return [...wrong, ...ours.map((message) => `only glassbox says ${JSON.stringify(message)}`)];
}

/** Two recorders wrote them, with two spellings. */
function entryOf(text: string): { toAgent: boolean; msg: Message } {
  const { dir, msg, line = msg } = JSON.parse(text);
  return { toAgent: dir === 'c2s' || dir === 'in', msg: line };
}
