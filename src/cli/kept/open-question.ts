/** Questions that wait for somebody, each by a code that stands for exactly what was read. */
import { createHash } from 'node:crypto';
import { GlassboxError } from '../../event/index.js';
import type { ApprovalRecord, SessionRecord, Store } from '../../store/index.js';
import { liveSession, liveSessions } from './live-session.js';

export interface OpenQuestion extends ApprovalRecord {
  /** The session's id and a digest of the question: another question, or the same one changed, has another. */
  code: string;
}

/** Of these sessions, the oldest first. */
export async function openQuestions(
  store: Pick<Store, 'approvals'>,
  live: readonly SessionRecord[],
): Promise<OpenQuestion[]> {
  const ids = new Set(live.map(({ id }) => id));
  const open = live.length > 0 ? await store.approvals() : [];
  return open.filter((one) => ids.has(one.session)).map((one) => ({ ...one, code: codeOf(one) }));
}

function codeOf({ runId, session, request }: ApprovalRecord): string {
  const digest = createHash('sha256').update(JSON.stringify([runId, request]));
  return `${session}.${digest.digest('hex').slice(0, 6)}`;
}

/** A code, or the id of a session; without it the only one that is live. A code means one question, an id all of its session. */
export async function meantQuestions(store: Store, ref: string | undefined): Promise<OpenQuestion[]> {
  const [id, digest] = splitCode(ref);
  if (id === undefined)
    return atLeastOne(await openQuestions(store, await liveSessions(store)), 'No agent waits for an answer.');
  const session = await liveSession(store, id);
  const open = await openQuestions(store, [session]);
  if (digest === undefined) return atLeastOne(open, `${session.id} waits for no answer.`);
  const meant = open.find(({ code }) => code === `${session.id}.${digest}`);
  if (meant) return [meant];
  const other = open.length > 0 ? ` It asks something else: glassbox next ${session.id}` : '';
  throw new GlassboxError('conflict', `That is no longer asked by ${session.id}; nothing was answered.${other}`);
}

/** An id of a session has no dot. */
function splitCode(ref: string | undefined): [string?, string?] {
  const at = ref?.lastIndexOf('.') ?? -1;
  if (ref === undefined || at < 0) return ref === undefined ? [] : [ref];
  return [ref.slice(0, at), ref.slice(at + 1).toLowerCase()];
}

export const isCode = (ref: string): boolean => splitCode(ref).length === 2;

function atLeastOne(questions: OpenQuestion[], otherwise: string): OpenQuestion[] {
  if (questions.length === 0) throw new GlassboxError('not-found', `${otherwise} glassbox ps tells what agents do.`);
  return questions;
}
