/** `glassbox import`: finds conversations, brings them into the store, and says what came of it. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { type Conversation, type ImportResult, importConversations } from '../../../archive/index.js';
import { GlassboxError } from '../../../event/index.js';
import { openForeign } from '../../../store/foreign.js';
import { safeJson } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { findHistory, historyAgents } from '../../kept/history.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { createProgressLine } from '../../print/progress-line.js';
import { print } from '../../print/sink.js';
import type { ImportFlags } from './command.js';

export async function importHistory(this: Context, flags: ImportFlags, folder?: string): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  const surroundings = { env, home: homedir() };
  if (folder !== undefined) await requireFolder(folder);
  const { conversations, unreadable, looked } = await findHistory(historyAgents(flags.agent), surroundings, folder);
  if (conversations.length + unreadable.length === 0 && !flags.json) {
    note(
      stderr,
      `found no history in ${placesIn(looked)}. If it is elsewhere, name the folder: glassbox import FOLDER`,
    );
    return;
  }
  using interrupt = createInterrupt(process);
  const brought = await withStore(flags, (store) => {
    // Nothing else is printed meanwhile, so it may also be shown where the result will be.
    using progress = createProgressLine({ bytes: bytesOf(conversations) }, { stdout: {}, stderr });
    const onProgress = ({ bytes }: { bytes: number }) => progress.update(bytes);
    return importConversations({
      store,
      conversations,
      openDatabase: openForeign,
      onProgress,
      signal: interrupt.signal,
    });
  });
  const result = { ...brought, failed: [...unreadable, ...brought.failed] };
  if (flags.json) await print(stdout, [safeJson({ schema: 1, ...result })]);
  else await tell(result, stdout, stderr);
  process.exitCode = interrupt.status() ?? (result.failed.length > 0 ? 3 : 0);
}

/** Nobody reads a list of fourteen. */
function placesIn(looked: readonly string[]): string {
  const [first = '', ...others] = looked;
  return others.length < 2 ? looked.join(' or ') : `${first} and ${others.length} other places where agents keep it`;
}

/** What somebody names and is not there is a mistake; where agents usually keep it there may be nothing. */
async function requireFolder(folder: string): Promise<void> {
  await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT')
      throw new GlassboxError(
        'not-found',
        `There is no folder ${folder}. Name the folder of an agent's sessions, for example ~/.claude/projects.`,
      );
    if (cause.code === 'ENOTDIR')
      throw new GlassboxError(
        'read-failed',
        `${folder} is a file, and import reads folders. To see what is in it: glassbox show ${folder}`,
        { cause },
      );
    throw new GlassboxError('read-failed', `The folder ${folder} cannot be read (${cause.code}).`, { cause });
  });
}

async function tell(result: ImportResult, stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Promise<void> {
  const { imported, unchanged, skipped, events, failed } = result;
  for (const { path, message } of failed) note(stderr, `${path} could not be read: ${message}`);
  const count = imported.toLocaleString('en');
  const came = `Imported ${count} session${imported === 1 ? '' : 's'} (${events.toLocaleString('en')} events).`;
  const rest = [
    ...(unchanged > 0 ? [`${unchanged.toLocaleString('en')} were there already.`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString('en')} held nothing new.`] : []),
  ];
  await print(stdout, [[came, ...rest].join(' ')]);
  if (imported > 0) note(stderr, 'see them with glassbox sessions, glassbox search and glassbox cost.');
}

function bytesOf(conversations: readonly Conversation[]): number {
  return conversations.reduce((sum, { bytes }) => sum + bytes, 0);
}
