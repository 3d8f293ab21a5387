// @ts-check
/** Programs that were started by tests and are still there, known by a word of their environment; only Linux tells. */
import { readdirSync, readFileSync } from 'node:fs';

/**
 * @param {string} word
 * @returns {{ pid: number, line: string }[]}
 */
export function programsWith(word) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'utf8').includes(word)) return [];
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').join(' ');
        return [{ pid: Number(name), line: `${name} ${words.slice(0, 200)}` }];
      } catch {
        return [];
      }
    });
}

/** @param {string} word */
export function killProgramsWith(word) {
  for (const { pid } of programsWith(word)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It went by itself.
    }
  }
}
