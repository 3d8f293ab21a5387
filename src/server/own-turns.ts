/** The turns of a session whose files are in the server's projects, every one of them: a session may go on in another folder. */
import { findTurns, type TurnFiles } from '../checkpoint/index.js';
import type { SessionRecord } from '../store/index.js';
import { directoryFor } from './place.js';

export async function ownTurns({ runs }: SessionRecord, projects: readonly string[]): Promise<TurnFiles[]> {
  const turns = await findTurns(runs);
  for (const top of topsOf(turns)) await directoryFor(top, projects);
  return turns;
}

/** The folders that they worked in. */
export function topsOf(turns: readonly TurnFiles[]): string[] {
  return [...new Set(turns.flatMap(({ top }) => top ?? []))];
}
