/** The store without a thread, for a command that asks one thing and ends: starting a thread costs more than such a question. */
import type { Caller } from '../shell/engine.js';
import { openEngine } from './engine.js';
import { explain } from './failure.js';
import { describeSelf } from './self.js';

export async function openInThisThread(path: string): Promise<Caller> {
  const engine = await attempt(async () => openEngine(path, describeSelf()));
  return {
    call: (method, ...args) => attempt(async () => (engine[method] as (...given: unknown[]) => never)(...args)),
    close: () => attempt(async () => engine.close()),
  };

  async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw explain(error, path);
    }
  }
}
