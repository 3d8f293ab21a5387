// @ts-check
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where the scripts keep what is expensive to bring, across clones.
 * @param {string} name
 */
export const cacheFolder = (name) => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'glassbox', name);
