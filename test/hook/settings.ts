/** Settings files as people have them, and a place to try them in. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../src/hook/place.js';

const OTHER = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo theirs" }] }';

/** By what is special about them. */
export const SETTINGS: Readonly<Record<string, string>> = {
  empty: '',
  'blank lines': '\n\n',
  'an empty object': '{}',
  'an empty object with a newline': '{}\n',
  'an empty object on two lines': '{\n}\n',
  'one line': '{"model":"opus"}',
  usual: '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n',
  'four blanks': '{\n    "model": "opus"\n}\n',
  tabs: '{\n\t"model": "opus"\n}\n',
  'no newline at the end': '{\n  "model": "opus"\n}',
  CRLF: '{\r\n  "model": "opus",\r\n  "env": {\r\n    "A": "b"\r\n  }\r\n}\r\n',
  'a byte order mark': '\uFEFF{\n  "model": "opus"\n}\n',
  'a byte order mark alone': '\uFEFF',
  'comments at every place':
    '// first\n{ // open\n  /* before */ "model": /* between */ "opus" // after\n  // last\n} // end\n// very end\n',
  'a comment that ends the object': '{\n  "model": "opus" // mine\n}\n',
  'a comment in one line': '{ "model": "opus" /* mine */ }',
  'a comment alone': '{\n  // nothing yet\n}\n',
  'trailing commas': '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [],\n  },\n}\n',
  'a trailing comma in one line': '{"model":"opus",}',
  'no hooks': '{\n  "hooks": {}\n}\n',
  'hooks of others': `{\n  "hooks": {\n    "PreToolUse": [\n      ${OTHER}\n    ]\n  },\n  "model": "opus"\n}\n`,
  'hooks of others in one line': `{"hooks":{"PreToolUse":[${OTHER}],"Stop":[]}}`,
  'hooks of others for an event that is not ours': `{\n  "hooks": {\n    "PreCompact": [${OTHER}] // theirs\n  }\n}\n`,
  'hooks of others with comments': `{\n  "hooks": {\n    // theirs\n    "PermissionRequest": [\n      ${OTHER}, // one\n    ], // list\n    /* end */\n  }\n}\n`,
  'hooks twice': `{\n  "hooks": { "Stop": [] },\n  "hooks": { "Stop": [${OTHER}] }\n}\n`,
  'a text that looks like JSON': '{\n  "note": "} // \\" ] /* ,",\n  "hooks": {"Stop": [ ]}\n}\n',
  'letters of many languages': '{\n  "language": "日本語 🦊 ğ",\n  "model": "opus"\n}\n',
};

/** Not settings: nothing may be written. */
export const NO_SETTINGS: Readonly<Record<string, string>> = {
  'no JSON': '{ "model": ',
  'a comma too many': '{ , "model": "opus" }',
  'a comma too few': '{ "a": 1 "b": 2 }',
  'a list': '[]',
  'a number': '3',
  'a comment that does not end': '{ /* }',
  'something behind': '{} {}',
  'brackets without end': '['.repeat(100_000),
  'hooks as a list': '{ "hooks": [] }',
  'an event as an object': '{ "hooks": { "Stop": {} } }',
};

export interface Place extends Surroundings {
  file: string;
  write(text: string): void;
  read(): string;
}

export function createPlace(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'gb-hook-'));
  const home = path.join(folder, 'home');
  const file = path.join(home, '.claude', 'settings.json');
  mkdirSync(path.dirname(file), { recursive: true });
  return {
    env: {},
    home,
    stateFolder: path.join(folder, 'state'),
    file,
    write: (text) => writeFileSync(file, text),
    read: () => readFileSync(file, 'utf8'),
  };
}
