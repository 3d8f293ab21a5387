/**
 * What a person typed to agents in a directory, kept for the next run: ↑ brings it back. A file of the user alone, bounded, without anything that
 * looks like a secret; a line that begins with a blank is not kept, nor is anything of a run that is not kept.
 */
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { redactText } from '../../guard/index.js';
import { stateDirectory } from '../../run/index.js';

export interface TypedHistory {
  /** The oldest first. */
  read(): Promise<string[]>;
  /** Never rejects: a line that is not remembered stops nobody. */
  keep(text: string): Promise<void>;
}

const MOST_LINES = 500;
const LONGEST = 4000;

export function typedHistory({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>, cwd: string): TypedHistory {
  const file = path.join(stateDirectory(env, homedir(), platform), 'typed.jsonl');

  async function lines(): Promise<string[]> {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  }

  async function shorten(): Promise<void> {
    const all = await lines();
    if (all.length < 2 * MOST_LINES) return;
    const other = `${file}.${process.pid}`;
    await writeFile(other, `${all.slice(-MOST_LINES).join('\n')}\n`, { mode: 0o600 });
    await rename(other, file);
  }

  return {
    async read() {
      return (await lines()).slice(-MOST_LINES).flatMap((line) => textIn(line, cwd));
    },
    async keep(text) {
      if (/^\s/.test(text) || text.length > LONGEST || redactText(text) !== text) return;
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await appendFile(file, `${JSON.stringify({ cwd, text })}\n`, { mode: 0o600 });
        await shorten();
      } catch {
        // A directory that cannot be written to remembers nothing.
      }
    },
  };
}

/** For one run: what was typed before it, and what to do with what is typed now. Nothing of both where it is not wanted. */
export async function openHistory(
  process: Pick<NodeJS.Process, 'env' | 'platform'>,
  { cwd, isWanted }: { cwd: string; isWanted: boolean },
): Promise<{ before: string[]; typed: ((text: string) => void) | undefined }> {
  if (!isWanted) return { before: [], typed: undefined };
  const { read, keep } = typedHistory(process, cwd);
  return { before: await read(), typed: (text) => void keep(text) };
}

/** Somebody may have changed the file. */
function textIn(line: string, cwd: string): string[] {
  try {
    const { cwd: where, text } = JSON.parse(line) ?? {};
    return where === cwd && typeof text === 'string' ? [text] : [];
  } catch {
    return [];
  }
}
