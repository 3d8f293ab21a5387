/** Collects the drafts of one step and puts the agent's context on each. */
import { type Context, type Draft, defined, joined, type Loose, type Payload, type Source } from '../../event/index.js';
import { createCallNames } from './call-names.js';

export interface DraftWriter {
  /** The agent's session id, once known. */
  sessionId: string | undefined;
  /** The turn that new events belong to. */
  turn: number;
  write(payload: Loose<Payload>, where?: Where): void;
  /** The same with further facts, which come behind those of the payload; what is `undefined` among them takes nothing away. */
  writeWith(payload: Beginning, facts: object, where?: Where): void;
  /** What is written meanwhile is glassbox's own conclusion, and marked as such. */
  concluding(conclude: () => void): void;
  /** Hands over what was written since the last call. */
  take(): Draft[];
}

/** What an event begins with; its other facts come from somewhere else. */
export type Beginning = Pick<Payload, 'type'> & Record<string, unknown>;

/** Context that differs from the writer's own; whatever is open knows its speaker and turn, so it can be given as it is. */
export interface Where {
  readonly parent?: string | undefined;
  readonly turn?: number;
  readonly source?: Source;
}

export function createDraftWriter(): DraftWriter {
  let drafts: Draft[] = [];
  let source: 'synthetic' | undefined;
  const calls = createCallNames();
  const writer: DraftWriter = {
    sessionId: undefined,
    turn: 0,
    // The payload is always a fresh literal, so it becomes the draft itself where nothing is absent: no copy on the hot path.
    write: (payload, where) => add(defined<Payload>(payload) as Payload & Context, where),
    writeWith: (payload, facts, where) => add(joined<Payload & Context>(payload, facts), where),
    concluding(conclude) {
      const before = source;
      source = 'synthetic';
      conclude();
      source = before;
    },
    take() {
      const taken = drafts;
      drafts = [];
      return taken;
    },
  };
  return writer;

  function add(draft: Payload & Context & { source?: Source }, where: Where | undefined): void {
    if (writer.sessionId !== undefined) draft.sessionId = writer.sessionId;
    if (where?.parent !== undefined) draft.parent = where.parent;
    draft.turn = where?.turn ?? writer.turn;
    const from = where?.source ?? source;
    if (from !== undefined) draft.source = from;
    calls.rename(draft);
    drafts.push(draft);
  }
}
