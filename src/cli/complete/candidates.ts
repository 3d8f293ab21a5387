/** What could be written where the cursor is: commands and flags, the names of agents, the ids of sessions with their titles. */
import {
  type Application,
  type ApplicationContext,
  type Command,
  proposeCompletions,
  type RouteMap,
} from '@stricli/core';
import { AGENTS } from '../../agent/index.js';
import type { SessionRecord } from '../../store/index.js';
import type { StoreReader } from '../../store/store.js';
import { safeLine } from '../../view/text/safe.js';
import type { Context } from '../context.js';
import { liveSessions } from '../kept/live-session.js';
import { withStoreReader } from '../kept/with-store-reader.js';
import { placeOf } from './written-words.js';

export interface Candidate {
  /** Letters, digits and `. _ - / : =` only: shells take everything else apart. */
  value: string;
  /** One line that is safe to print. It is data: no shell may read it as anything else. */
  meaning: string;
}

type Kind = 'agent' | 'session' | 'live' | 'waiting';

/** What the first word behind a command is. A question is named by its session: its code is for who has seen it. */
const FIRST_ARGUMENT: Readonly<Record<string, Kind>> = {
  run: 'agent',
  loop: 'agent',
  resume: 'session',
  open: 'session',
  show: 'session',
  replay: 'session',
  export: 'session',
  rename: 'session',
  pin: 'session',
  rewind: 'session',
  fork: 'session',
  'go-on': 'session',
  delete: 'session',
  watch: 'session',
  'why-state': 'session',
  wait: 'live',
  say: 'live',
  interrupt: 'live',
  stop: 'live',
  next: 'waiting',
  approve: 'waiting',
  deny: 'waiting',
  answer: 'waiting',
};

/** They take as many as are named. */
const SEVERAL = new Set(['pin', 'delete']);

const LONGEST = 60;
const MOST_SESSIONS = 50;
const PLAIN = /^[\w./:=-]+$/;

/** `words`: what was written, the last one up to the cursor. */
export async function candidatesFor(
  words: readonly string[],
  { app, routes, context }: { app: Application<Context>; routes: RouteMap<Context>; context: Context },
): Promise<Candidate[]> {
  const partial = words.at(-1) ?? '';
  const [name = ''] = words;
  const command =
    words.length > 1 ? (routes.getRoutingTargetForInput(name) as Command<Context> | undefined) : undefined;
  const kind = command && kindAt(name, placeOf(words.slice(1, -1), command), partial);
  const own = kind === undefined ? [] : await valuesOf(kind);
  const others = await proposeCompletions(app, words, context as Context & ApplicationContext);
  const all = [...own, ...others.map(({ completion, brief }) => ({ value: completion, meaning: brief }))];
  return (
    all
      .filter(({ value }) => value.startsWith(partial) && PLAIN.test(value) && value !== '--')
      // Who wants a flag begins one.
      .filter(({ value }) => value.startsWith('-') === partial.startsWith('-'))
      .map(({ value, meaning }) => ({ value, meaning: safeLine(meaning, LONGEST) }))
  );
}

function kindAt(name: string, place: ReturnType<typeof placeOf>, partial: string): Kind | undefined {
  if ('flag' in place) return place.flag === 'agent' ? 'agent' : undefined;
  const isNamed = place.argument === 0 || SEVERAL.has(name);
  return isNamed && !partial.startsWith('-') ? FIRST_ARGUMENT[name] : undefined;
}

async function valuesOf(kind: Kind): Promise<Candidate[]> {
  if (kind === 'agent') return AGENTS.map(({ name, title }) => ({ value: name, meaning: title }));
  const sessions = await withStoreReader({}, (store) => sessionsOf(kind, store));
  return sessions.map(({ id, title, agent }) => ({ value: id, meaning: title || agent }));
}

async function sessionsOf(kind: Kind, store: StoreReader): Promise<readonly SessionRecord[]> {
  if (kind === 'session') return (await store.list({ limit: MOST_SESSIONS })).items;
  const live = await liveSessions(store);
  return kind === 'live' ? live : live.filter(({ state }) => state === 'waiting');
}
