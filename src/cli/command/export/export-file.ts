/** `glassbox export`: finds the session that is meant and writes it where it is wanted. */
import { writeFile } from 'node:fs/promises';
import { GlassboxError } from '../../../event/index.js';
import { exportKept } from '../../../server/export-kept.js';
import type { Context } from '../../context.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { createSink } from '../../print/sink.js';
import type { ExportFlags } from './command.js';

export async function exportFile(
  this: Context,
  { format, output, ...flags }: ExportFlags,
  ref?: string,
): Promise<void> {
  const { stdout, stderr } = this.process;
  const { name, text } = await withStore(flags, async (store) => {
    const session = await namedSession(store, ref, this.process.cwd());
    return exportKept(store, session, format ?? (/\.(md|markdown)$/i.test(output ?? '') ? 'markdown' : 'html'));
  });
  const file = output ?? (stdout.isTTY ? name : '-');
  if (file === '-') {
    await createSink(stdout).write(text);
    return;
  }
  await writeFile(file, text).catch((cause: NodeJS.ErrnoException) => {
    throw new GlassboxError('write-failed', `${file} could not be written (${cause.code}).`, { cause });
  });
  note(stderr, `wrote ${file}`);
}
