/** Hears which conversations of a database changed: it is asked after it was written to, and never for more than a small share of the time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../../agent/agent.js';
import type { OpenDatabase } from '../database.js';

export interface DatabaseOptions {
  openDatabase: OpenDatabase | undefined;
  /** At the beginning those that changed since then. */
  since: number;
  onConversation(agent: Agent, sessionId: string, path: string): void;
  onTrouble(path: string, message: string): void;
  signal: AbortSignal;
}

/** Programs write many times in a row. */
const LEAST_MS = 150;
/** Whoever asks for a second rests for so many. */
const REST = 10;
/** Clocks and the order of writing are not exact. */
const SLACK_MS = 5000;

export function watchDatabase({ openDatabase, since, onConversation, onTrouble, signal }: DatabaseOptions) {
  const asked = new Map<string, { since: number; isWaiting: boolean; restUntil: number }>();
  const asking = new Set<Promise<void>>();

  async function ask(agent: Agent, path: string): Promise<void> {
    const state = asked.get(path);
    const { recent } = agent.transcripts?.database ?? {};
    if (!state || recent === undefined || !openDatabase || signal.aborted) return;
    state.isWaiting = false;
    const begun = performance.now();
    const now = Date.now();
    try {
      const database = await openDatabase(path);
      try {
        for (const { id } of database.rows(recent, String(state.since))) onConversation(agent, String(id), path);
        state.since = now - SLACK_MS;
      } finally {
        database.close();
      }
    } catch (error) {
      onTrouble(path, (error as Error).message);
    }
    state.restUntil = now + Math.max(LEAST_MS, (performance.now() - begun) * REST);
  }

  return {
    look(agent: Agent, path: string): void {
      const state = asked.get(path) ?? { since, isWaiting: false, restUntil: 0 };
      asked.set(path, state);
      if (state.isWaiting) return;
      state.isWaiting = true;
      const one = sleep(Math.max(20, state.restUntil - Date.now())).then(() => ask(agent, path));
      asking.add(one);
      void one.then(() => asking.delete(one));
    },
    /** Resolves when what was written until now was asked for. */
    async idle(): Promise<void> {
      while (asking.size > 0) await Promise.all(asking);
    },
  };
}
