// @ts-check
/**
 * The compiler as everybody here starts it, to take the least of the machine: in one thread, because several would each read the same types
 * once more; and as it is written in Go, it collects what it no longer needs less often, and takes the memory for it.
 */
import { fileURLToPath } from 'node:url';
import { exec, root } from './process.mjs';

/** What Node is given to start it, before what it is to do. */
export const TSC = [fileURLToPath(new URL('node_modules/@typescript/native/bin/tsc', root)), '--singleThreaded'];

/** For other programs in Go too. */
export const GO_ENV = { GOGC: '400' };

/**
 * Runs it in the repository.
 * @param {string[]} args
 */
export const tsc = (...args) => exec(process.execPath, [...TSC, ...args], { env: GO_ENV });
