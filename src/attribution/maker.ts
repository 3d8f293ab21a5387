/** Who made a line, as far as that is proved: the words of attribution. */
import type { Edit, EventOf, Permission, ToolKind } from '../event/index.js';

/** A turn of a session, counted over all its runs; 0 where only the run is known. */
export interface TurnRef {
  session: string;
  runId: string;
  turn: number;
}

/** Who let a call run, by what is recorded. `unasked`: nobody was asked, under this permission where it is known. */
export type Allowed =
  | ({ how: 'decided' } & Pick<EventOf<'approval-resolve'>, 'decision' | 'by' | 'who' | 'via' | 'rule' | 'changes'>)
  | { how: 'unasked'; permission?: Permission | undefined }
  | { how: 'unknown' };

/** A tool call that changed files. */
export interface CallRef extends TurnRef {
  /** Empty where the agent gave none. */
  toolId: string;
  /** The name of the tool. */
  tool: string;
  kind: ToolKind;
  /** A sub-agent did it. */
  isSubAgent?: true;
  command?: string;
  /** When it ended, or was last heard of; ms since the epoch. */
  at: number;
  allowed: Allowed;
}

/**
 * `older`: it stood there before anything that is kept. `call`: this call says that it wrote it, it ended well, and there it stands.
 * `rewind`: glassbox put it there when files were taken back, or brought over. `outside`: it came while no turn of a known session was at work there, so a person
 * or another program made it. `unknown`: nothing proves it; what is named is what could have made it.
 */
export type Maker = { by: 'older' } | MadeByCall | MadeByRewind | Outside | Unknown;

export interface MadeByCall {
  by: 'call';
  call: CallRef;
  /** It wrote the whole file: also what somebody else may have put in a moment before. */
  isWhole?: true;
}

export interface MadeByRewind {
  by: 'rewind';
  rewind: RewindRef;
}

/** Files were taken back, as glassbox recorded it. */
export interface RewindRef {
  /** The session whose turn was meant. */
  session: string;
  /** In words: `before turn 3`. */
  to: string;
  /** Brought over instead (`glassbox apply`): `what k7qd did`. */
  applies?: true;
  /** Ms since the epoch. */
  at: number;
}

export interface Outside {
  by: 'outside';
  /** The turn that ended last before it. */
  after?: TurnRef | undefined;
}

export interface Unknown {
  by: 'unknown';
  /**
   * `untold`: nobody told an edit that explains it; `alike`: lines that read the same stand there, and they were made by several;
   * `none-kept`: no files of the folder are kept.
   */
  why: 'untold' | 'alike' | 'none-kept';
  /** Those that were at work. */
  turns: readonly TurnRef[];
  /** What they ran meanwhile. */
  commands: readonly string[];
  /** Nobody of them was at work for a part of the time. */
  isPartlyOutside?: true;
}

/** One change of one file, with its texts; `append` is what a command may do. The path is from the top of the folder. */
export interface KnownEdit extends Pick<Edit, 'path' | 'to' | 'all'> {
  kind: Edit['kind'] | 'append';
  before?: string | undefined;
  after?: string | undefined;
  diff?: string | undefined;
}

/** A call with what it says that it did. */
export interface Call extends CallRef {
  /** It ended well: what it says that it wrote was written. */
  isDone: boolean;
  /** It went on after its turn, or may have. */
  goesOn?: true;
  edits: readonly KnownEdit[];
}

/** What became of a file between two moments at which it is kept. */
export interface Step {
  /** Absent where there is no such file. */
  before?: string | undefined;
  after?: string | undefined;
  /** Those that were at work meanwhile. */
  turns: readonly TurnRef[];
  /** For a part of the time, or all of it, nobody was. */
  isPartlyOutside: boolean;
  /** The turn that had ended last when it began. */
  last?: TurnRef | undefined;
  /** It is what a rewind did, and nothing else. */
  rewind?: RewindRef | undefined;
  /** The edits of this file that were told by those at work, in the order in which the calls ended. */
  calls: readonly Call[];
  /** What else they ran. */
  commands: readonly string[];
}

export const OLDER: Maker = { by: 'older' };
export const NONE_KEPT: Unknown = { by: 'unknown', why: 'none-kept', turns: [], commands: [] };

/** The same for the same maker. */
export function makerKey(maker: Maker): string {
  switch (maker.by) {
    case 'older':
      return 'older';
    case 'call':
      return `call ${maker.call.runId} ${maker.call.turn} ${maker.call.toolId} ${maker.isWhole}`;
    case 'rewind':
      return `rewind ${maker.rewind.session} ${maker.rewind.at}`;
    case 'outside':
      return `outside ${maker.after?.runId} ${maker.after?.turn}`;
    case 'unknown':
      return `unknown ${maker.why} ${maker.turns.map(({ runId, turn }) => `${runId} ${turn}`).join()} ${maker.isPartlyOutside}`;
  }
}

/** One of these made it, and nobody can tell which. */
export function oneOf(makers: readonly Maker[]): Maker {
  const [first = OLDER] = makers;
  const key = makerKey(first);
  if (makers.every((maker) => makerKey(maker) === key)) return first;
  const turns = new Map<string, TurnRef>();
  for (const maker of makers) for (const turn of turnsOf(maker)) turns.set(`${turn.runId} ${turn.turn}`, turn);
  const commands = new Set(makers.flatMap((maker) => (maker.by === 'unknown' ? maker.commands : [])));
  return { by: 'unknown', why: 'alike', turns: [...turns.values()], commands: [...commands] };
}

function turnsOf(maker: Maker): readonly TurnRef[] {
  if (maker.by === 'call') {
    const { session, runId, turn } = maker.call;
    return [{ session, runId, turn }];
  }
  return maker.by === 'unknown' ? maker.turns : [];
}
