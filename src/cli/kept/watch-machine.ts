/** Follows the sessions of all agents of this machine into the store, as the user's own file allows; for commands that show them. */
import { homedir } from 'node:os';
import { AGENTS } from '../../agent/index.js';
import {
  type Life,
  type Unreadable,
  type Watching,
  type WordsProgress,
  watchTranscripts,
} from '../../archive/index.js';
import { createSessionPresences, type Observer } from '../../observer/index.js';
import { isLive } from '../../presence/index.js';
import { locate, touchesGlob } from '../../run/approval/pattern.js';
import type { Settings } from '../../run/index.js';
import { openForeign } from '../../store/foreign.js';
import type { Store } from '../../store/index.js';
import { observeMachine } from './observe-machine.js';

export interface WatchMachineOptions {
  store: Store;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  /** Sees who has the sessions; without one it is made here. */
  observer?: Observer | undefined;
  /** Only what is below these. */
  folders?: readonly string[] | undefined;
  onTrouble: (trouble: Unreadable) => void;
  /** Words that were left for later are read too; tells of it now and then. */
  onWords?: (text: string) => void;
  signal: AbortSignal;
}

/** So often somebody is told how far it came. */
const TOLD_MS = 30_000;

export function watchMachine(all: WatchMachineOptions): Watching {
  const { settings, folders, onWords, observer = observeMachine(settings, all.env), ...options } = all;
  const { ignore = [], agents = {} } = settings.watch ?? {};
  const place = { cwd: homedir(), home: homedir() };
  return watchTranscripts({
    ...options,
    agents: AGENTS.filter(({ name }) => agents[name] !== false),
    home: homedir(),
    openDatabase: openForeign,
    lifeOf: (runId) => lifeOf(runId, options.store, observer),
    isIgnored: (path) => ignore.some((glob) => touchesGlob(locate(path, place), glob, place)),
    ...(folders && { folders }),
    ...(onWords && { onWords: tellWords(onWords) }),
  });
}

/** As `ps` and the page tell it. */
async function lifeOf(runId: string, store: Store, observer: Observer): Promise<Life> {
  const session = await store.session(runId);
  if (!session) return 'unknown';
  const presence = await createSessionPresences({ store, observer }).of(session);
  return presence.state === 'ended' ? 'ended' : isLive(presence) ? 'live' : 'unknown';
}

function tellWords(tell: (text: string) => void): (progress: WordsProgress) => void {
  let told = Date.now();
  return ({ read, of }) => {
    const sessions = `${of.toLocaleString('en')} ${of === 1 ? 'session' : 'sessions'}`;
    if (read === 0)
      tell(`reading the words of ${sessions} of which only the figures were read; search finds more and more of them.`);
    else if (read === of) tell(`the words of ${sessions} were read.`);
    else if (Date.now() - told > TOLD_MS) tell(`read the words of ${read.toLocaleString('en')} of ${sessions}.`);
    else return;
    told = Date.now();
  };
}

/** Said wherever somebody may expect it. */
export const NOT_FOLLOWED =
  'what agents do on this machine without glassbox is not followed, because others could see it';

/** What others keep is not for this machine's sessions, which others then would see. */
export function isLocal({ location }: Store): boolean {
  return !/^[a-z][a-z\d+.-]+:\/\//i.test(location);
}
