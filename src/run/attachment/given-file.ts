/** From a file, or what was sent of one, to what an agent is given: bounded, of a type that its content shows, with a name that is no path. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Agent, GivenFile } from '../../agent/index.js';
import { GlassboxError, replaceHostile } from '../../event/index.js';
import { typeOf } from './file-type.js';

const MOST_ATTACHMENTS = 10;
const MOST_ATTACHMENT_BYTES = 8 * 1024 * 1024;
const MOST_BYTES_TOGETHER = 20 * 1024 * 1024;
const LONGEST_NAME = 120;

/** Files by their paths, relative to `cwd`, for this agent. Throws what whoever attaches them must hear. */
export function giveFiles(
  paths: readonly string[] | undefined,
  { title, attachments: taken = [] }: Agent,
  cwd: string,
): GivenFile[] | undefined {
  if (!paths?.length) return undefined;
  if (taken.length === 0)
    cannot(`${title} cannot be given files beside the words (attachments). Name them in the prompt.`);
  if (paths.length > MOST_ATTACHMENTS) refuse(`At most ${MOST_ATTACHMENTS} files can be attached at once.`);
  const files = paths.map((file) => givenFile(file, readToGive(path.resolve(cwd, file))));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MOST_BYTES_TOGETHER) refuse('The attachments are larger than 20 MiB together. Attach fewer of them.');
  for (const { name, mimeType } of files)
    if (!taken.includes(mimeType)) cannot(`${title} cannot be given ${name}: it takes pictures alone (attachments).`);
  return files;
}

export function givenFile(name: string, data: Uint8Array): GivenFile {
  const shown = plainName(name);
  if (data.length > MOST_ATTACHMENT_BYTES) refuse(`${shown} is larger than 8 MiB. Attach a smaller one.`);
  const mimeType = typeOf(data);
  if (mimeType === undefined)
    return refuse(
      `${shown} is no picture (PNG, JPEG, GIF, WebP) and no PDF. Name a file of the project in the words, with @.`,
    );
  return { name: shown, mimeType, bytes: data.length, data: Buffer.from(data).toString('base64') };
}

/** Without folders of any system, and without what could hide or reorder what follows. */
export function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const seen = replaceHostile(last, '').replace(/[\t\n]/g, ' ');
  const letters = [...seen.slice(0, 4 * LONGEST_NAME).trim()].slice(0, LONGEST_NAME).join('');
  return letters.replace(/^\.+/, '') || 'file';
}

/** Only what is a file: a pipe would be waited for without end. */
export function readToGive(file: string): Uint8Array {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw new GlassboxError('not-found', `${plainName(file)} cannot be attached: it cannot be read.`, { cause: error });
  }
  try {
    const stats = fstatSync(opened);
    if (!stats.isFile()) refuse(`${plainName(file)} cannot be attached: it is no file.`);
    if (stats.size > MOST_ATTACHMENT_BYTES) refuse(`${plainName(file)} is larger than 8 MiB. Attach a smaller one.`);
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

function cannot(message: string): never {
  throw new GlassboxError('unsupported-capability', message);
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}
