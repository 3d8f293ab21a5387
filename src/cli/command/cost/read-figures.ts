/** Before the sums are told: what agents' own files tell of money and is not in the store yet. Their words can wait. */
import { homedir } from 'node:os';
import { type Conversation, importConversations, importFigures } from '../../../archive/index.js';
import { openForeign } from '../../../store/foreign.js';
import type { Store } from '../../../store/index.js';
import { createInterrupt } from '../../interrupt.js';
import { findHistory, historyAgents } from '../../kept/history.js';
import { note } from '../../print/note.js';
import { createProgressLine } from '../../print/progress-line.js';

/** `withWords`: tools are asked for, and only the words tell of them. */
export async function readUnread(store: Store, process: NodeJS.Process, withWords: boolean): Promise<void> {
  const { stderr, env } = process;
  const { conversations, unreadable } = await findHistory(historyAgents(), { env, home: homedir() });
  using interrupt = createInterrupt(process);
  const { read, of, wordless, failed } = await bring();
  for (const { path, message } of [...unreadable, ...failed]) note(stderr, `${path} could not be read: ${message}`);
  if (read + failed.length < of)
    note(
      stderr,
      `read ${read} of ${of} sessions. What follows leaves out the others; glassbox cost goes on with them.`,
    );
  else if (wordless > 0)
    note(
      stderr,
      `of ${wordless} sessions only the figures were read. To see and search them: glassbox import, or leave glassbox serve running.`,
    );

  async function bring() {
    using progress = createProgressLine({ bytes: bytesOf(conversations) }, { stdout: {}, stderr });
    const onProgress = ({ bytes }: { bytes: number }) => progress.update(bytes);
    const options = { store, conversations, openDatabase: openForeign, onProgress, signal: interrupt.signal };
    if (!withWords) return importFigures(options);
    const { imported, unchanged, skipped, failed: broken } = await importConversations(options);
    const brought = imported + unchanged + skipped;
    return { read: brought, of: conversations.length, wordless: 0, failed: broken };
  }
}

function bytesOf(conversations: readonly Conversation[]): number {
  return conversations.reduce((sum, { bytes }) => sum + bytes, 0);
}
