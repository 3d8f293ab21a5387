/** Every consumer of events must decide about each type: with one more of them the compiler names them all. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GO_ENV, TSC } from '../../scripts/compiler.mjs';

const root = path.resolve(import.meta.dirname, '../..');

const CONSUMERS = [
  'src/envelope/project.ts',
  'src/ledger/call.ts',
  'src/ledger/enter.ts',
  'src/run/headless.ts',
  'src/session/reduce/reduce.ts',
  'src/store/document.ts',
  'src/store/summary.ts',
  // Told here for the text lines, the page and the export.
  'src/word/event-text.ts',
];

/** What the state of a session keeps as it came must be told by who draws it. */
const VIEWS_OF_SHOWN_EVENTS = ['src/export/document.ts'];

/** One that agents may write, and one that is shown as it came. */
const CHANGES: Record<string, (text: string) => string> = {
  'src/event/work.ts': (text) => text.replace(/^export type WorkDraft =/m, "$&\n  | { type: 'commit'; hash: string }"),
  'src/session/item.ts': (text) => text.replace("  | 'retry'\n", "$&  | 'hook-start'\n"),
};

test('a new event type, and a type that is shown as it came', async () => {
  expect(await complaintsAfter(CHANGES)).toEqual([...CONSUMERS, ...VIEWS_OF_SHOWN_EVENTS].sort());
});

/** The source files that no longer compile when these are changed, all at once: to compile everything takes its time. */
async function complaintsAfter(changes: typeof CHANGES): Promise<string[]> {
  const copy = mkdtempSync(path.join(tmpdir(), 'glassbox-total-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true });
  for (const name of ['node_modules', 'package.json']) symlinkSync(path.join(root, name), path.join(copy, name));
  const config = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
  writeFileSync(path.join(copy, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src'] }));
  for (const [file, change] of Object.entries(changes)) {
    const before = readFileSync(path.join(copy, file), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(path.join(copy, file), after);
  }
  const options = { cwd: copy, env: { ...process.env, ...GO_ENV } };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [...TSC, '-p', copy, '--pretty', 'false'], options, (_, stdout) => resolve(stdout));
  });
  return [...new Set(Array.from(output.matchAll(/^(src\/[^(]+)\(/gm), ([, name = '']) => name))].sort();
}
