/** Writes values as TOML, the form in which Codex takes configuration on its command line (`-c key=value`). */
import { isObject } from '../field.js';

/** Absent and null members are left out, because TOML has no null. */
export function toToml(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(toToml).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
    return `{${members.map(([key, member]) => `${quote(key)}=${toToml(member)}`).join(',')}}`;
  }
  return String(value);
}

/** A JSON string is a TOML string, but for DEL and lone surrogates. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('\u007F', '\\u007F');
}
