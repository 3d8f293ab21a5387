/** A question on the screen: what is asked, how far the person has come with it, and whether a key may answer it yet. */
import { type ApprovalRequest, type Consent, consentFor, type Field, fieldsOf } from '../../../consent/index.js';
import { EMPTY_LINE, type InputLine } from '../input-line.js';

export interface Question {
  readonly request: ApprovalRequest;
  /** Who asks. */
  readonly agent: string;
  readonly consent: Consent;
  /** What has to be filled in; empty where it is only allowed or not. */
  readonly fields: readonly Field[];
  readonly canEdit: boolean;
  /** It may be put aside, and stays open. */
  readonly canLeave: boolean;
  /** Its session can go on in the agent's own program, by a key of its own. */
  readonly canHandOver: boolean;
}

export interface QuestionManner {
  agent: string;
  canEdit: boolean;
  canLeave: boolean;
  canHandOver?: boolean;
}

export function questionOf(
  request: ApprovalRequest,
  { agent, canEdit, canLeave, canHandOver = false }: QuestionManner,
): Question {
  const fields = fieldsOf(request);
  return {
    request,
    agent,
    consent: consentFor(request),
    fields,
    canEdit: canEdit && request.kind === 'tool' && fields.length === 0,
    canLeave,
    canHandOver,
  };
}

export interface QuestionState {
  readonly step: 'choose' | 'always' | 'reason' | 'field';
  /** Which of the fields, and what was answered before. */
  readonly field: number;
  readonly answers: Readonly<Record<string, unknown>>;
  /** Which scopes of always are chosen, by their numbers from 0. */
  readonly chosen: readonly number[];
  /** What is typed in the box: a reason, or an answer of one's own. */
  readonly own: InputLine;
  /** The first row that is shown. */
  readonly top: number;
  /** The reason of the agent and the whole input are shown too. */
  readonly isWhole: boolean;
  /** Since when keys are for it: somebody said so by Tab, or began to answer. */
  readonly armedSince?: number | undefined;
  /** Since when it stands there and nothing was pressed; nothing before it was drawn. */
  readonly quietSince?: number | undefined;
  /** When its end came on the screen. */
  readonly seenAt?: number | undefined;
  /** Why the last key did nothing. */
  readonly problem?: string | undefined;
}

export function beginQuestion({ fields }: Question): QuestionState {
  return {
    step: fields.length > 0 ? 'field' : 'choose',
    field: 0,
    answers: {},
    chosen: [],
    own: EMPTY_LINE,
    top: 0,
    isWhole: false,
  };
}

/** So long nothing is pressed before a key counts: a question that comes up under somebody's fingers is seen only after a moment. */
export const QUIET_MS = 500;
/** So long what a key would answer must have stood there unchanged. */
export const FRESH_MS = 300;

export interface Readiness {
  now: number;
  /** Nothing else is being typed. */
  isLineEmpty: boolean;
}

/** Whether keys are for the question, and not for the line below it. */
export function isArmed({ armedSince, quietSince }: QuestionState, { now, isLineEmpty }: Readiness): boolean {
  if (quietSince === undefined) return false;
  // A key right after Tab was on its way before anybody saw what it would answer.
  if (armedSince !== undefined) return now - armedSince >= FRESH_MS;
  return isLineEmpty && now - quietSince >= QUIET_MS;
}

/** Whether its end was there long enough to have been read. */
export function isSeen({ seenAt }: QuestionState, now: number): boolean {
  return seenAt !== undefined && now - seenAt >= FRESH_MS;
}

/** When it looks different without anybody's doing; undefined when it does not. */
export function questionChangesAt(state: QuestionState, ready: Readiness): number | undefined {
  const { quietSince, armedSince, seenAt } = state;
  const isWaiting = quietSince !== undefined && !isArmed(state, ready);
  const times = [
    ...(isWaiting && armedSince !== undefined ? [armedSince + FRESH_MS] : []),
    ...(isWaiting && armedSince === undefined && ready.isLineEmpty ? [quietSince + QUIET_MS] : []),
    ...(seenAt !== undefined && !isSeen(state, ready.now) ? [seenAt + FRESH_MS] : []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

/** One key is the whole answer: of so few choices none has two digits. */
export function takesOneKey({ type, choices, isMultiple }: Field): boolean {
  return type === 'boolean' || (choices.length > 0 && choices.length < 10 && !isMultiple);
}
