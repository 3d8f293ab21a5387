import { GlassboxError } from '../../event/index.js';

/** `k7qd@3`: the session and the turn. */
export function parseTurn(ref: string): { id: string; turn?: number } {
  const [, id, turn] = /^(.+)@(\d{1,6})$/.exec(ref) ?? [];
  if (id !== undefined) return { id, turn: Number(turn) };
  if (ref.includes('@'))
    throw new GlassboxError('invalid-request', `Write the turn as a number behind the id, as k7qd@2, not ${ref}.`);
  return { id: ref };
}
