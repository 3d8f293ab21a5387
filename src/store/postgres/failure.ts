/** Failures of the database in words that help; never with the address's password or anything of what is kept. */
import { GlassboxError } from '../../event/index.js';

/** The server stops, restarts, or is cut off: whoever asks again may be served. */
export function isCutOff(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && /connection|timeout|terminated/i.test(error.message);
  return /^(08|57P0[1-3]|53300)/.test(code) || NETWORK.has(code);
}

const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** Two writers met; one of them has to do it again. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01', '23505', '55P03'].includes(codeOf(error) ?? '');
}

/** Whatever was thrown, as an error of the store. */
export function explain(error: unknown, shown: string): GlassboxError {
  if (error instanceof GlassboxError) return error;
  return new GlassboxError('store', `The store ${shown} ${advice(error)}`, { cause: error });
}

function advice(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (code === 'ENOTFOUND') return 'cannot be reached: its host is not known. Check the address.';
  if (isCutOff(error))
    return `cannot be reached (${code || 'the connection was cut'}). Is the server running? What was acknowledged is safe.`;
  if (code === '28P01' || code === '28000' || isWithoutPassword(error))
    return 'does not let us in. Check the user and the password (PGPASSWORD, ~/.pgpass).';
  if (code === '3D000') return 'has no such database. Make it first: createdb.';
  if (code === '42501') return 'does not allow this user to do that. It must be able to make and use a schema.';
  if (code === '53100') return 'cannot grow: the disk of its server is full. What was already kept is safe.';
  if (code === '25006') return 'can only be read: it is a standby. Use the address of the primary.';
  return `failed: ${code} ${error instanceof Error ? error.message : 'for an unknown reason'}.`;
}

/** The driver has no code for it. */
function isWithoutPassword(error: unknown): boolean {
  return error instanceof Error && /client password must be a string/.test(error.message);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
