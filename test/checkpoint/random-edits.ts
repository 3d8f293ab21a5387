/** What an agent may do to files, at random: the same seed does the same. */
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { filesOf } from './repository.js';

export type Random = (below: number) => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const NAMES = [
  'a',
  'b',
  'a/x',
  'a/y',
  'b/c/d',
  'größe.txt',
  '日本/語',
  ' s p ',
  '-flag',
  'q"uote',
  'new\nline',
  'up.txt',
  '.gitattributes',
];
const CONTENTS = [
  '',
  'x',
  'one\ntwo\nthree\n',
  'one\r\ntwo\r\n',
  'mixed\r\nend\n',
  'no newline',
  '\0\xff\xfebinary',
  '$Id$\n',
  '*.txt text eol=crlf\n',
];

/** Does one thing to the files below a folder. */
export function edit(root: string, random: Random): void {
  const at = (name: string) => path.join(root, name);
  const there = Object.keys(filesOf(root)).filter((name) => !/^(ignored\/|\.gitignore$)/.test(name));
  const some = there[random(Math.max(1, there.length))];
  const name = NAMES[random(NAMES.length)] ?? 'a';
  const content = `${CONTENTS[random(CONTENTS.length)] ?? ''}${random(3) === 0 ? random(1000) : ''}`;
  const deeds = [
    () => put(root, name, () => writeFileSync(at(name), content, 'latin1')),
    () => put(root, name, () => writeFileSync(at(name), content, 'latin1')),
    () => put(root, name, () => symlinkSync(['a', '../outside', 'nowhere'][random(3)] ?? 'a', at(name))),
    () => some !== undefined && rmSync(at(some)),
    () => some !== undefined && lstatSync(at(some)).isFile() && chmodSync(at(some), random(2) === 0 ? 0o755 : 0o644),
    () =>
      some !== undefined &&
      some !== name &&
      !name.startsWith(`${some}/`) &&
      put(root, name, () => existsSync(at(some)) && renameSync(at(some), at(name))),
    () => writeFileSync(at('ignored/file'), String(random(1000))),
  ];
  deeds[random(deeds.length)]?.();
}

/** Makes room: files that stand where a folder is needed go, and what stands under the name. */
function put(root: string, name: string, make: () => unknown): void {
  for (const { index } of name.matchAll(/\//g)) {
    const folder = path.join(root, name.slice(0, index));
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(folder);
  }
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  rmSync(path.join(root, name), { recursive: true, force: true });
  make();
}
