/** Sees what the sessions of this machine do, of the agents that the user's own file lets be watched; for commands that show them. */
import { homedir } from 'node:os';
import { TRACES } from '../../agent/trace.js';
import { createObserver, type Observer } from '../../observer/index.js';
import type { Settings } from '../../run/index.js';
import { openForeign } from '../../store/foreign.js';

export function observeMachine({ watch }: Settings, env: NodeJS.ProcessEnv): Observer {
  const agents = TRACES.filter(({ name }) => watch?.agents?.[name] !== false);
  return createObserver({ agents, env, home: homedir(), openDatabase: openForeign });
}
