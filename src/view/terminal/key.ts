/** A key as a person pressed it, whatever bytes the terminal made of it. */

export interface Key {
  readonly name: KeyName;
  /** What it writes, of `text` and `paste`. */
  readonly text: string;
}

/** `text` writes one character, `paste` brings any number of lines at once, `other` means nothing here. */
export type KeyName =
  | 'text'
  | 'paste'
  | 'enter'
  | 'newline'
  | 'tab'
  | 'back-tab'
  | 'escape'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | `ctrl-${string}`
  | 'other';

/** Bytes of a terminal as keys. What is not whole yet stays in `rest`, and comes back in front of what follows. */
export interface ReadKeys {
  keys: Key[];
  rest: string;
}

/** `isOver`: nothing follows soon, so that an escape is the key of this name. */
export function readKeys(text: string, isOver: boolean): ReadKeys {
  const keys: Key[] = [];
  let at = 0;
  while (at < text.length) {
    const taken = takePaste(text, at) ?? takeSequence(text, at, isOver) ?? takeCharacter(text, at);
    if (taken === 'open') break;
    if (taken.key) keys.push(taken.key);
    at = taken.end;
  }
  return { keys, rest: text.slice(at) };
}

type Taken = { key: Key; end: number } | 'open';

const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';

function takePaste(text: string, at: number): Taken | undefined {
  if (!text.startsWith(PASTE_BEGIN, at)) return undefined;
  const from = at + PASTE_BEGIN.length;
  const end = text.indexOf(PASTE_END, from);
  if (end < 0) return 'open';
  const pasted = text.slice(from, end).replace(/\r\n?/g, '\n');
  return { key: { name: 'paste', text: pasted }, end: end + PASTE_END.length };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of keys begin with one
const SEQUENCE = /\u001b(?:\[[\d;?<]*[ -/]*[@-~]|O[ -~]|\[\[[A-E])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: and may be cut anywhere
const UNFINISHED = /\u001b(?:\[[\d;?<]*[ -/]*|O)?$/y;

function takeSequence(text: string, at: number, isOver: boolean): Taken | undefined {
  if (text[at] !== ESCAPE) return undefined;
  UNFINISHED.lastIndex = at;
  if (!isOver && UNFINISHED.test(text)) return 'open';
  SEQUENCE.lastIndex = at;
  const [sequence] = SEQUENCE.exec(text) ?? [];
  if (sequence !== undefined) return { key: named(SEQUENCES[sequence.slice(1)] ?? 'other'), end: at + sequence.length };
  // Alt with Enter, as terminals write it.
  if (text[at + 1] === '\r' || text[at + 1] === '\n') return { key: named('newline'), end: at + 2 };
  return { key: named('escape'), end: at + 1 };
}

function takeCharacter(text: string, at: number): Taken {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const end = at + character.length;
  const name = CONTROLS[character];
  if (name) return { key: named(name), end };
  const code = character.charCodeAt(0);
  if (code < 0x20) return { key: named(`ctrl-${String.fromCharCode(code + 0x40).toLowerCase()}`), end };
  return { key: { name: 'text', text: character }, end };
}

const ESCAPE = '\u001b';

const named = (name: KeyName): Key => ({ name, text: '' });

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
};

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[7~': 'home',
  '[4~': 'end',
  '[8~': 'end',
  '[3~': 'delete',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[Z': 'back-tab',
  '[13;2u': 'newline',
};
