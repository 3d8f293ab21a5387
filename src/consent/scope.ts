/** What "always" would allow, for how long, and where it is written: one sentence for each suggestion of the agent. */
import type { Suggestion } from '../event/index.js';
import type { ApprovalRequest } from './consent.js';

export interface Scope {
  /** Its position among the request's suggestions, which an answer names. */
  position: number;
  text: string;
}

export function scopesOf({ suggestions = [] }: ApprovalRequest): Scope[] {
  return suggestions.map((suggestion, position) => ({ position, text: scopeText(suggestion) }));
}

/** A recorded suggestion may be of any shape. */
export function scopeText({ allows, what, lasts, file }: Suggestion): string {
  const written = file === undefined ? '' : `, written to ${file}`;
  const thing = Object.hasOwn(THINGS, allows) ? THINGS[allows] : THINGS.other;
  const span = Object.hasOwn(SPANS, lasts) ? SPANS[lasts] : SPANS.unknown;
  return `${thing(Array.isArray(what) ? what : [])} ${span}${written}`;
}

const THINGS: Record<Suggestion['allows'], (what: readonly string[]) => string> = {
  command: commandsText,
  tool: (what) => `${what.length === 1 ? 'the tool' : 'the tools'} ${joined(what)}, whatever it is used for,`,
  path: (what) => `the files ${joined(what)}`,
  directory: (what) => `work in the directory ${joined(what)}`,
  host: (what) => `fetching from ${joined(what)}`,
  mode: (what) => joined(what.map((mode) => MODES.get(mode) ?? `the mode ${mode}`)),
  other: (what) => joined(what) || 'the like',
};

/** Permissions as runs name them. */
const MODES: ReadonlyMap<string, string> = new Map([
  ['accept-edits', 'all edits of files'],
  ['bypass', 'everything, without being asked again,'],
  ['plan', 'planning only'],
  ['ask', 'what the agent asks about'],
]);

const SPANS: Record<Suggestion['lasts'], string> = {
  session: 'until this session ends',
  project: 'in this project from now on',
  user: 'in all your projects from now on',
  unknown: 'for as long as the agent remembers it',
};

const ANYTHING = ' *';

/** A star at the end stands for whatever follows. */
function commandsText(what: readonly string[]): string {
  const isBegun = (text: string) => text.endsWith(ANYTHING) && text.trim() !== '*';
  const begun = what.filter(isBegun).map((text) => text.slice(0, -ANYTHING.length));
  const whole = what.filter((text) => !isBegun(text));
  const texts = [
    begun.length === 0 ? '' : `every command that begins with ${quoted(begun, 'or')}`,
    whole.length === 0 ? '' : `${whole.length === 1 ? 'the command' : 'the commands'} ${quoted(whole, 'and')}`,
  ];
  return texts.filter(Boolean).join(' and ') || 'the like';
}

function quoted(what: readonly string[], word: string): string {
  return joined(
    what.map((text) => `\`${text}\``),
    word,
  );
}

function joined(what: readonly string[], word = 'and'): string {
  const [last = '', ...others] = [...what].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} ${word} ${last}`;
}
