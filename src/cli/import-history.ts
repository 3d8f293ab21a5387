/** `glassbox import`: finds conversations, brings them into the store, and says what came of it. */
import { homedir } from 'node:os';
import { AGENTS, type Agent } from '../agent/index.js';
import {
  type Conversation,
  findConversations,
  type ImportResult,
  importConversations,
  transcriptFolders,
} from '../archive/index.js';
import { GlassboxError } from '../event/index.js';
import { safeJson } from '../view/text/safe.js';
import type { ImportFlags } from './command/import.js';
import type { Context } from './context.js';
import { createInterrupt } from './interrupt.js';
import { note } from './note.js';
import { createProgressLine } from './progress-line.js';
import { projectName } from './session-cell.js';
import { print } from './sink.js';
import { withStore } from './with-store.js';

export async function importHistory(this: Context, flags: ImportFlags, folder?: string): Promise<void> {
  const { process } = this;
  const { stdout, stderr, env } = process;
  const surroundings = { env, home: homedir() };
  const places = readers(flags.agent).flatMap((agent) =>
    transcriptFolders(agent, surroundings, folder).map((place) => ({ agent, place })),
  );
  const found = await Promise.all(places.map(({ agent, place }) => findConversations(agent, place)));
  const conversations = found.flat();
  const looked = [...new Set(places.map(({ place }) => projectName(place, surroundings.home)))];
  if (conversations.length === 0 && !flags.json) {
    note(
      stderr,
      `found no history in ${looked.join(' or ')}. If it is elsewhere, name the folder: glassbox import FOLDER`,
    );
    return;
  }
  using interrupt = createInterrupt(process);
  const result = await withStore(flags, (store) => {
    // Nothing else is printed meanwhile, so it may also be shown where the result will be.
    using progress = createProgressLine({ bytes: bytesOf(conversations) }, { stdout: {}, stderr });
    const onProgress = ({ bytes }: { bytes: number }) => progress.update(bytes);
    return importConversations({ store, conversations, onProgress, signal: interrupt.signal });
  });
  if (flags.json) await print(stdout, [safeJson({ schema: 1, ...result })]);
  else await tell(result, stdout, stderr);
  process.exitCode = interrupt.status() ?? (result.failed.length > 0 ? 3 : 0);
}

function readers(name: string | undefined): Agent[] {
  const able = AGENTS.filter((agent) => agent.transcripts && (name === undefined || agent.name === name));
  if (able.length > 0) return able;
  if (!AGENTS.some((agent) => agent.name === name)) {
    throw new GlassboxError('unknown-agent', `There is no agent named ${name}. See glassbox doctor.`);
  }
  throw new GlassboxError('unsupported-capability', `The history of ${name} cannot be read yet.`);
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
