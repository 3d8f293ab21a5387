import { createHash } from 'node:crypto';

/** The same for the same JSON value, in whichever order its keys are printed; short however long the value is. */
export function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('base64');
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
