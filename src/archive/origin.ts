/** Finds the conversation that a fork was copied from: the oldest other one that begins with the same message. */
import { dirname } from 'node:path';
import type { Conversation } from './find.js';
import { readHead } from './head.js';

export function findOrigin(
  copiedId: string,
  fork: Conversation,
  conversations: readonly Conversation[],
): Conversation | undefined {
  const folder = folderOf(fork);
  let oldest: { conversation: Conversation; begun: string } | undefined;
  for (const conversation of conversations) {
    if (conversation === fork || folderOf(conversation) !== folder) continue;
    const head = beginningOf(conversation);
    const [begun] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(head) ?? [];
    if (!head.includes(copiedId) || begun === undefined) continue;
    if (!oldest || begun < oldest.begun) oldest = { conversation, begun };
  }
  return oldest?.conversation;
}

function folderOf({ files }: Conversation): string {
  return dirname(files[0]?.path ?? '');
}

function beginningOf({ files }: Conversation): string {
  try {
    return readHead(files[0]?.path ?? '');
  } catch {
    return '';
  }
}
