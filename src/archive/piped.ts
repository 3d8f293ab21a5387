/**
 * Tells which turns of a conversation came through a pipe already. When they were read says nothing about when they happened, so they
 * are known by what was said and done in them.
 */
import { type AgentEvent, GlassboxError } from '../event/index.js';
import type { RunRecord } from '../store/record.js';
import type { Store } from '../store/store.js';

interface Turn {
  readonly number: number;
  /** What was said in the main conversation, in order. */
  readonly texts: readonly string[];
  /** What was called there. Calls at the same time have no order. */
  readonly calls: readonly string[];
  /** It did not come to its end, so that one side may know less of it than the other. */
  readonly isCut: boolean;
  /** A stream seldom repeats what a person said. */
  readonly hasPrompt: boolean;
}

export async function readPiped(store: Store, runs: readonly RunRecord[]): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const { runId, piped } of runs) {
    if (!piped) continue;
    for (const turn of turnsOf(await eventsOf(store, runId))) turns.push(turn);
  }
  return turns;
}

/** None when the run is gone by now: others tell what it told. */
export async function eventsOf(store: Store, runId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of store.read(runId)) events.push(event);
  } catch (error) {
    if (!(error instanceof GlassboxError) || error.code !== 'not-found') throw error;
  }
  return events;
}

/** The turns that are among `piped`, each of which stands for one, by their numbers in `events`. */
export function findPiped(events: readonly AgentEvent[], piped: readonly Turn[]): Map<number, Turn> {
  const left = piped.length > 0 ? turnsOf(events) : [];
  const found = new Map<number, Turn>();
  for (const turn of piped) {
    const same = left.find((one) => !found.has(one.number) && isSame(turn, one));
    if (same) found.set(same.number, turn);
  }
  return found;
}

function isSame(piped: Turn, whole: Turn): boolean {
  const [texts, calls] = [
    Math.min(piped.texts.length, whole.texts.length),
    Math.min(piped.calls.length, whole.calls.length),
  ];
  const isAsLong = piped.texts.length === whole.texts.length && piped.calls.length === whole.calls.length;
  const isCut = piped.isCut || whole.isCut;
  if (!isAsLong && (!isCut || texts + calls === 0)) return false;
  const [fewer, more] =
    piped.calls.length < whole.calls.length ? [piped.calls, [...whole.calls]] : [whole.calls, [...piped.calls]];
  return (
    piped.texts.slice(0, texts).every((text, index) => text === whole.texts[index]) &&
    fewer.every((call) => takes(more, call))
  );
}

function takes(calls: string[], call: string): boolean {
  const at = calls.indexOf(call);
  if (at >= 0) calls.splice(at, 1);
  return at >= 0;
}

function turnsOf(events: readonly AgentEvent[]): Turn[] {
  const turns = new Map<number, { texts: string[]; calls: string[]; isCut: boolean; hasPrompt: boolean }>();
  const gone = new Set(events.flatMap((event) => (event.type === 'message-retract' ? [event.messageId] : [])));
  for (const event of events) {
    if (event.parent !== undefined || event.turn === 0) continue;
    const turn = turns.get(event.turn) ?? { texts: [], calls: [], isCut: true, hasPrompt: false };
    turns.set(event.turn, turn);
    if (event.type === 'text-end' && !event.partial && !gone.has(event.messageId))
      turn.texts.push(...plain(event.text));
    else if (event.type === 'tool-input-end') turn.calls.push(plain(inOrder(event.input)).join());
    else if (event.type === 'user-message') turn.hasPrompt ||= !event.synthetic;
    else if (event.type === 'turn-end') turn.isCut = event.outcome !== 'success';
  }
  return [...turns].map(([number, turn]) => ({ number, ...turn }));
}

/** Programs print without colours or blank ends what they write with them, and hide secrets in their own way; a blank text is none. */
function plain(text: string): string[] {
  const words = text.replaceAll(COLOUR, '').replaceAll(HIDDEN, '*').trim();
  return words === '' ? [] : [words];
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
const HIDDEN = /(?:(?<!\w)\w+=)?(?:\[REDACTED_SECRET\]|\[redacted:[\w-]+\]|\*{6})/g;

/** The order of keys says nothing. */
function inOrder(input: unknown): string {
  return (
    JSON.stringify(input, (_, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ) ?? ''
  );
}
