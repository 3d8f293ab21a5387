/** Who decides at this terminal. */
import { hostname, userInfo } from 'node:os';
import type { Decider } from '../event/index.js';

export const TERMINAL_DECIDER: Decider = { by: 'person', who: userInfo().username, host: hostname(), via: 'terminal' };
