/** What the panels show, and what they wait for: plain values, changed by `update` alone. */
import type { Answer } from '../../event/index.js';
import type { Figure } from '../../ledger/index.js';
import type { Presence } from '../../presence/index.js';
import type { SessionState } from '../../session/index.js';
import type { ApprovalRecord, SessionRecord } from '../../store/index.js';
import type { InputLine } from '../terminal/input-line.js';
import type { Asking } from './asking.js';

/** A session as the list knows it. */
export interface Listed {
  readonly session: SessionRecord;
  /** What it does now; without it, what is kept of it. */
  readonly presence?: Presence | undefined;
  /** What it asks and can be answered here, the oldest first. */
  readonly questions: readonly ApprovalRecord[];
  /** The input of what its agent asks for can be changed before it is allowed. */
  readonly canEdit: boolean;
  /** Where the words were found that somebody looks for. */
  readonly hit?: string | undefined;
}

/** The session under the cursor, as far as it was read. */
export interface Opened {
  readonly id: string;
  readonly state: SessionState;
  /** How many events at its beginning were not read. */
  readonly from: number;
}

export const TABS = ['conversation', 'tools', 'thinking', 'changes', 'numbers'] as const;

export type Tab = (typeof TABS)[number];

/** A line that somebody types, and what it will be. */
export interface Typing {
  readonly kind: 'say' | 'resume' | 'search';
  /** For which session; a search is for none. */
  readonly id: string;
  readonly line: InputLine;
}

/** What became of a key. That something was done is told for a moment, what was not until the next key. */
export interface Remark {
  readonly text: string;
  readonly isBad: boolean;
  readonly at: number;
}

export interface PanelsState {
  /** In the order in which they are shown. */
  readonly listed: readonly Listed[];
  /** What was found, instead of them. */
  readonly found?: readonly Listed[] | undefined;
  /** A session, never a row. */
  readonly cursor?: string | undefined;
  /** Where the keys that move go to. */
  readonly focus: 'list' | 'session';
  readonly tab: Tab;
  readonly opened?: Opened | undefined;
  /** The first row of the tab that is shown; without it, its end. */
  readonly top?: number | undefined;
  readonly typing?: Typing | undefined;
  /** What waits for being pressed once more, and for which session. */
  readonly unsure?: { readonly deed: 'stop' | 'quit' | 'hand-over'; readonly id: string } | undefined;
  readonly hasHelp: boolean;
  readonly remark?: Remark | undefined;
  /** How far the person has come with the question that is shown. */
  readonly asking?: Asking | undefined;
  /** Questions that were answered here; until the agent has heard it they are still kept. */
  readonly answered: readonly string[];
  /** When what a key would be done to became another one. */
  readonly changedAt: number;
  /** What was spent today. */
  readonly today?: Figure | undefined;
  /** Agents that were started here, and end with the panels. */
  readonly ownRuns: number;
  /** False until the store was asked. */
  readonly isRead: boolean;
}

export const NOTHING_SHOWN: PanelsState = {
  listed: [],
  focus: 'list',
  tab: 'conversation',
  hasHelp: false,
  answered: [],
  changedAt: Number.NEGATIVE_INFINITY,
  ownRuns: 0,
  isRead: false,
};

/** What is to be done outside. */
export type Deed =
  | { readonly type: 'quit' }
  | { readonly type: 'answer'; readonly question: ApprovalRecord; readonly answer: Answer }
  | { readonly type: 'edit'; readonly question: ApprovalRecord }
  | { readonly type: 'say' | 'resume'; readonly id: string; readonly text: string }
  /** `hand-over`: to the agent's own program, on this terminal. `take-back`: asks there to which turn. */
  | { readonly type: 'interrupt' | 'stop' | 'hand-over' | 'take-back'; readonly id: string }
  | { readonly type: 'search'; readonly text: string }
  | { readonly type: 'read-earlier'; readonly id: string };

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Moment {
  readonly size: Size;
  readonly color: boolean;
  readonly now: number;
}

/** After something happened. */
export interface Updated {
  readonly state: PanelsState;
  readonly deeds: readonly Deed[];
}

/** The session under the cursor. */
export function chosen({ listed, found, cursor }: PanelsState): Listed | undefined {
  return (found ?? listed).find(({ session }) => session.id === cursor);
}

/** What a person can be asked now: the oldest question of the session under the cursor that was not answered here. */
export function questionOf(state: PanelsState): ApprovalRecord | undefined {
  return chosen(state)?.questions.find((one) => !state.answered.includes(nameOf(one)));
}

/** The same question changed is another one. */
export function nameOf({ runId, request }: ApprovalRecord): string {
  return `${runId}/${request.id}/${request.seq}`;
}

/** Letters are part of a text now. */
export function isTyping({ typing, asking, focus }: PanelsState): boolean {
  const step = asking?.state.step;
  return typing !== undefined || step === 'reason' || (step === 'field' && focus === 'session');
}
