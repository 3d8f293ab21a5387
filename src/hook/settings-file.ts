/**
 * The settings file of another program: read as bytes, written whole or not at all, only while it is as it was read. Links and modes
 * stay.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';

export interface SettingsFile {
  /** As it is named. */
  path: string;
  /** Where links lead. */
  real: string;
  /** Absent when there is no such file. */
  text: string | undefined;
  mode: number;
}

export async function readSettings(named: string): Promise<SettingsFile> {
  const real = await realPath(named);
  const facts = await stat(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(named, error);
  });
  if (!facts) return { path: named, real, text: undefined, mode: 0o600 };
  if (!facts.isFile()) throw new GlassboxError('conflict', `${named} is not a file.`);
  const bytes = await readFile(real).catch((error: Error) => {
    throw unreadable(named, error);
  });
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new GlassboxError('conflict', `${named} is not text in UTF-8.`);
  return { path: named, real, text, mode: facts.mode & 0o7777 };
}

/** `text` is absent when the file shall be gone. */
export async function writeSettings(file: SettingsFile, text: string | undefined): Promise<void> {
  const { real, mode } = file;
  const facts = await lstat(real).catch(() => undefined);
  if (facts && facts.nlink > 1) {
    throw new GlassboxError(
      'conflict',
      `${file.path} has another name (a hard link), which would be lost. ${UNCHANGED}`,
    );
  }
  if (facts && (facts.mode & 0o200) === 0) {
    throw new GlassboxError('forbidden', `${file.path} may not be written to. ${UNCHANGED}`);
  }
  const draft = path.join(path.dirname(real), `.${path.basename(real)}.${randomBytes(6).toString('hex')}`);
  try {
    if (text !== undefined) await writeDraft(draft, text, mode, facts);
    // As late as can be: the program may write its settings at any moment.
    const now = await readSettings(file.path);
    if (now.text !== file.text || now.real !== real) {
      throw new GlassboxError('conflict', `${file.path} was changed meanwhile. ${UNCHANGED} Try again.`);
    }
    await (text === undefined ? rm(real) : rename(draft, real));
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof GlassboxError) throw error;
    throw new GlassboxError('write-failed', `${file.path} could not be written: ${(error as Error).message}`);
  }
}

const UNCHANGED = 'Nothing was changed.';

async function writeDraft(
  draft: string,
  text: string,
  mode: number,
  owner: { uid: number; gid: number } | undefined,
): Promise<void> {
  const handle: FileHandle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    // For whoever is allowed to: the file of another user stays theirs.
    if (owner && owner.uid !== process.getuid?.()) await handle.chown(owner.uid, owner.gid);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Also of a file that is not there, in a folder that is; a link that leads nowhere is not written through. */
async function realPath(named: string): Promise<string> {
  try {
    return await realpath(named);
  } catch {
    const isLink = (await lstat(named).catch(() => undefined))?.isSymbolicLink();
    if (isLink) throw new GlassboxError('conflict', `${named} is a link that leads nowhere.`);
    const folder = await realpath(path.dirname(named)).catch(() => undefined);
    if (folder === undefined) {
      throw new GlassboxError(
        'not-found',
        `${path.dirname(named)} is not there: start the agent once, then try again.`,
      );
    }
    return path.join(folder, path.basename(named));
  }
}

function unreadable(named: string, { message }: Error): GlassboxError {
  return new GlassboxError('read-failed', `${named} could not be read: ${message}`);
}
