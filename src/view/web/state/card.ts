/** What waits for a person, as cards: equal questions on one, and what blocks most first. */
import type { Around, ParkedSession, Presence, SessionRecord, WaitingApproval } from '../../../client/index.js';
import { consentFor } from '../../../consent/index.js';
import { shownState } from '../../../presence/index.js';

export type Card = AskCard | RunCard;

/** Questions that read the same to whoever decides. */
export interface AskCard {
  kind: 'ask';
  /** What is read, and by whom it is asked: the same for equal questions. */
  key: string;
  records: readonly [WaitingApproval, ...WaitingApproval[]];
  since: number;
}

/** A session that needs somebody and asks nothing that could be answered here. */
export interface RunCard {
  kind: 'elsewhere' | 'stuck' | 'parked';
  key: string;
  session: SessionRecord;
  since: number;
  /** What was seen. */
  text: string;
  /** What holds it up, where that is a limit of the account. */
  limit?: ParkedSession;
}

const RANKS: Record<Card['kind'], number> = { ask: 0, elsewhere: 1, stuck: 2, parked: 3 };

/** Questions before all else; of them those that hold up most agents, then those that wait longest. */
export function byWeight(one: Card, other: Card): number {
  return RANKS[one.kind] - RANKS[other.kind] || weightOf(other) - weightOf(one) || one.since - other.since;
}

const weightOf = (card: Card) => (card.kind === 'ask' ? card.records.length : Number(isCalling(card)));

export function askCards(records: readonly WaitingApproval[]): AskCard[] {
  const groups = new Map<string, [WaitingApproval, ...WaitingApproval[]]>();
  for (const record of records) {
    const key = keyOf(record);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  return Array.from(groups, ([key, group]) => ({ kind: 'ask', key, records: group, since: group[0].request.at }));
}

/** What is not all here is like nothing else, and a form is filled in for one. Each of several in a folder has the others beside it. */
function keyOf({ runId, request }: WaitingApproval): string {
  const { alsoHere: _, ...asked } = request;
  const { missing, ...consent } = consentFor(asked);
  const { id, kind, agent, input, questions, answerSchema } = request;
  const isAlone = missing !== undefined || kind !== 'tool';
  return JSON.stringify([agent, consent, input, ...(isAlone ? [runId, id, questions, answerSchema] : [])]);
}

/** What it asks for, each by itself: a question that is asked again has another name. */
export function namesOf(card: Card): string[] {
  if (card.kind !== 'ask') return [card.key];
  return card.records.map(({ runId, request }) => `${runId} ${request.id} ${request.at}`);
}

/** What goes on without anybody is told, and calls nobody. */
export function isCalling(card: Card): boolean {
  return card.kind !== 'parked' || card.limit?.goesOnAt === undefined;
}

type Presences = Readonly<Record<string, Presence>>;
type Limits = Readonly<Record<string, ParkedSession>>;

/** Sessions that wait in their own program, go nowhere or hold still. */
export function runCards(sessions: readonly SessionRecord[], presences: Presences, limits: Limits = {}): RunCard[] {
  return sessions.flatMap((session): RunCard[] => {
    const { id, waiting, runs, updatedAt, archived } = session;
    if (archived) return [];
    const presence = presences[id];
    const { tone } = shownState(session, presence);
    const stuck = runs.findLast(({ state }) => state === 'running')?.stuck;
    if (tone === 'waiting' && waiting === 0) {
      if (isAskedHere(session, presence)) return [];
      const text = presence?.for?.text ?? 'It waits for an answer in its own program.';
      return [
        { kind: 'elsewhere', key: `elsewhere ${id} ${text}`, session, since: presence?.since ?? updatedAt, text },
      ];
    }
    if (tone === 'parked') {
      const [reason] = presence?.because ?? [];
      const limit = limits[id];
      const facts = { session, since: presence?.since ?? updatedAt, text: reason?.text ?? '', ...(limit && { limit }) };
      return [{ kind: 'parked', key: `parked ${id}`, ...facts }];
    }
    if (stuck && waiting === 0)
      return [{ kind: 'stuck', key: `stuck ${id} ${stuck.at}`, session, since: stuck.at, text: stuck.text }];
    return [];
  });
}

/** What it was seen to wait for is a question of ours, which is about to come here or was answered just now. */
function isAskedHere({ runs }: SessionRecord, presence: Presence | undefined): boolean {
  if (runs.at(-1)?.piped) return false;
  return presence?.because.some(({ source, says }) => source === 'run' && says === 'waiting') ?? false;
}

/** What lies around all questions of a card, and the others that are at work in the same folder, or around or below it, each once. */
export function aroundOf(records: AskCard['records'], sessions: readonly SessionRecord[]): Around {
  const asking = new Set(records.map(({ session }) => session));
  const folders = sessions.filter(({ id }) => asking.has(id)).map(({ cwd }) => cwd);
  const others = sessions.filter(
    ({ id, state, cwd }) => !asking.has(id) && state !== 'ended' && folders.some((one) => isSameTree(one, cwd)),
  );
  // Who was at work when it was asked may have ended since.
  const ended = sessions.filter(({ state }) => state === 'ended');
  const known = new Set([...asking, ...[...others, ...ended].map(({ id }) => id)]);
  const beside = [...others.map(({ id, title }) => `${id} ${title}`.trim()), ...alsoHereOf(records, known)];
  const all = (name: 'uncommitted' | 'ignored') => [...new Set(records.flatMap(({ around }) => around?.[name] ?? []))];
  const [uncommitted, ignored] = [all('uncommitted'), all('ignored')];
  return {
    ...(uncommitted.length > 0 && { uncommitted }),
    ...(ignored.length > 0 && { ignored }),
    ...(beside.length > 0 && { beside }),
  };
}

/** As the questions tell it, but for sessions that are known. */
function alsoHereOf(records: AskCard['records'], known: ReadonlySet<string>): string[] {
  const names = records.flatMap(({ request }) => request.alsoHere ?? []);
  return [...new Set(names)].filter((name) => !known.has(name.split(' ')[0] ?? ''));
}

function isSameTree(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const [short = '', long = ''] = [one, other].sort((left, right) => left.length - right.length);
  return long === short || long.startsWith(`${short.replace(/[\\/]$/, '')}/`) || long.startsWith(`${short}\\`);
}
