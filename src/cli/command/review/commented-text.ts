/** The text with a person's comments in it: out of the editor, or from a file. What does not fit is never lost. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { GlassboxError } from '../../../event/index.js';
import { type ReviewFileLines, readReviewText, type Written } from '../../../review/index.js';
import { findAskingTerminal } from '../../ask/asking-terminal.js';
import { confirm } from '../../ask/confirm.js';
import { runEditor } from '../../ask/run-editor.js';
import { note } from '../../print/note.js';

export async function commentedText(
  text: string,
  files: readonly ReviewFileLines[],
  from: string | undefined,
  process: NodeJS.Process,
): Promise<Written[]> {
  if (from !== undefined) {
    try {
      return readReviewText(await textOf(from, process), files);
    } catch (error) {
      throw error instanceof GlassboxError ? error : new GlassboxError('invalid-request', messageOf(error));
    }
  }
  return fromEditor(text, files, process);
}

async function textOf(from: string, process: NodeJS.Process): Promise<string> {
  if (from === '-') return readStream(process.stdin);
  return readFile(path.resolve(process.cwd(), from), 'utf8').catch((cause: unknown) => {
    throw new GlassboxError('read-failed', `The comments could not be read from ${from}.`, { cause });
  });
}

async function fromEditor(
  text: string,
  files: readonly ReviewFileLines[],
  process: NodeJS.Process,
): Promise<Written[]> {
  using terminal = findAskingTerminal(process);
  if (!terminal)
    throw new GlassboxError(
      'invalid-request',
      'There is no terminal for an editor. Use --print, write your comments into that text, and give it back with --from FILE.',
    );
  const directory = await mkdtemp(path.join(tmpdir(), 'glassbox-review-'));
  const file = path.join(directory, 'review.diff');
  await writeFile(file, text, { mode: 0o600 });
  for (;;) {
    const problem = await runEditor(process.env, file, terminal.descriptors);
    const edited = await readFile(file, 'utf8').catch(() => '');
    if (problem !== undefined) {
      // Who wrote something before the editor failed finds it again.
      if (edited === text) await rm(directory, { recursive: true, force: true });
      throw new GlassboxError('spawn-failed', edited === text ? problem : `${problem} What you wrote is in ${file}.`);
    }
    try {
      const written = readReviewText(edited, files);
      await rm(directory, { recursive: true, force: true });
      return written;
    } catch (error) {
      note(process.stderr, messageOf(error));
      if ((await confirm('Edit it again?', { usual: 'yes' }, process)) === 'yes') continue;
      throw new GlassboxError(
        'invalid-request',
        `Nothing was kept or sent. What you wrote is in ${file}; --from reads it.`,
      );
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
