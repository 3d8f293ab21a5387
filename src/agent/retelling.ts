/**
 * Tells a conversation on disk in the words of the stream, so that the protocol of the stream reads both and both give the same events.
 * A program that ends with its turn was started anew for the next one: then each turn has a protocol of its own, and their turns count on.
 */
import { type Draft, type DraftOf, defined, type Loose, type SessionFacts } from '../event/index.js';
import type { Protocol } from './agent.js';
import type { Moment } from './transcript.js';

/** Adds what only the file knows to the end of a turn. */
type Complete = (end: TurnEnd) => void;

export type TurnEnd = Loose<DraftOf<'turn-end'>>;

export interface Retelling {
  readonly inTurn: boolean;
  /** Time of what was told last. */
  readonly lastAt: number;
  /** The session begins, with what the file knows of it, which is more than the stream says. Once; later news are learned. */
  introduce(id: string | undefined, facts: Loose<SessionFacts>, at: number): void;
  learn(facts: Loose<SessionFacts>, at: number): void;
  /** Somebody said this to the agent, and its stream does not repeat it. */
  userSaid(text: string, at: number): void;
  /** A line that the program would have printed. */
  tell(line: unknown, at: number, complete?: Complete): void;
  /** What the stream would not have told: a sub-agent's part. It belongs to the turn that goes on, or to the last one. */
  add(draft: Loose<Draft>, at: number): void;
  /** The program has ended; what is told next is told by another process of it. */
  close(complete?: Complete): void;
  /** What was told since the last call. */
  take(): Moment[];
}

export function createRetelling(createProtocol: () => Protocol): Retelling {
  let moments: Moment[] = [];
  let protocol: Protocol | undefined;
  /** Turns of the processes before. */
  let before = 0;
  let turn = 0;
  let open = 0;
  let isIntroduced = false;
  let lastAt = 0;
  let sessionId: string | undefined;

  function put(draft: Loose<Draft>, complete?: Complete): void {
    turn = Math.max(turn, draft.turn);
    sessionId = draft.sessionId ?? sessionId;
    if (draft.type === 'turn-start') open += 1;
    else if (draft.type === 'turn-end') {
      open -= 1;
      complete?.(draft);
    } else if (draft.type === 'session-start') {
      // Each process introduces itself, and it is one conversation.
      if (isIntroduced) return;
      isIntroduced = true;
    }
    if (sessionId !== undefined) draft.sessionId = sessionId;
    draft.source ??= 'transcript';
    moments.push({ at: lastAt, draft: defined<Draft>(draft) });
  }

  /** Each process may count its messages and calls from the beginning. */
  const used = new Set<string>();
  let using = new Set<string>();
  const nameOf = (id: string): string => {
    using.add(id);
    return used.has(id) ? `${id}-${before + 1}` : id;
  };

  function addAll(drafts: readonly Draft[], complete?: Complete): void {
    for (const draft of drafts) {
      if (draft.turn > 0) draft.turn += before;
      if ('messageId' in draft && draft.messageId !== undefined) draft.messageId = nameOf(draft.messageId);
      if ('id' in draft && draft.id !== undefined) draft.id = nameOf(draft.id);
      if ('toolId' in draft && draft.toolId !== undefined) draft.toolId = nameOf(draft.toolId);
      put(draft, complete);
    }
  }

  return {
    get inTurn() {
      return open > 0;
    },
    get lastAt() {
      return lastAt;
    },
    introduce(id, facts, at) {
      lastAt = Math.max(lastAt, at);
      sessionId ??= id;
      put({ type: 'session-start', ...facts, turn: 0 });
    },
    learn(facts, at) {
      lastAt = Math.max(lastAt, at);
      put({ type: 'session-update', ...facts, turn });
    },
    userSaid(text, at) {
      lastAt = Math.max(lastAt, at);
      moments.push({
        at: lastAt,
        draft: defined({
          type: 'user-message',
          text,
          turn: open > 0 ? turn : turn + 1,
          sessionId,
          source: 'transcript',
        }),
      });
    },
    tell(line, at, complete) {
      // Lines of one file may be out of order by some ms; what is told never goes back.
      lastAt = Math.max(lastAt, at);
      protocol ??= createProtocol();
      addAll(protocol.receive(line, 0).events, complete);
    },
    add(draft, at) {
      lastAt = Math.max(lastAt, at);
      put({ ...draft, turn });
    },
    close(complete) {
      if (!protocol) return;
      addAll(protocol.end().events, complete);
      protocol = undefined;
      for (const id of using) used.add(id);
      using = new Set();
      before = turn;
      open = 0;
    },
    take() {
      const taken = moments;
      moments = [];
      return taken;
    },
  };
}
