/** Follows the sessions of all agents of this machine into the store, as the user's own file allows; for commands that show them. */
import { homedir } from 'node:os';
import { AGENTS } from '../../agent/index.js';
import { type Unreadable, type Watching, watchTranscripts } from '../../archive/index.js';
import { locate, touchesGlob } from '../../run/approval/pattern.js';
import type { Settings } from '../../run/index.js';
import { openForeign } from '../../store/foreign.js';
import type { Store } from '../../store/index.js';

export interface WatchMachineOptions {
  store: Store;
  settings: Settings;
  env: NodeJS.ProcessEnv;
  /** Only what is below these. */
  folders?: readonly string[] | undefined;
  onTrouble: (trouble: Unreadable) => void;
  signal: AbortSignal;
}

export function watchMachine({ settings, folders, ...options }: WatchMachineOptions): Watching {
  const { ignore = [], agents = {} } = settings.watch ?? {};
  const place = { cwd: homedir(), home: homedir() };
  return watchTranscripts({
    ...options,
    agents: AGENTS.filter(({ name }) => agents[name] !== false),
    home: homedir(),
    openDatabase: openForeign,
    isIgnored: (path) => ignore.some((glob) => touchesGlob(locate(path, place), glob, place)),
    ...(folders && { folders }),
  });
}

/** What others keep is not for this machine's sessions, which others then would see. */
export function isLocal({ location }: Store): boolean {
  return !/^[a-z][a-z\d+.-]+:\/\//i.test(location);
}
