/** Opens what an agent left on disk: a regular file of this user and nothing else, whatever stands under its name by now. */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A link is not followed, and a pipe does not make anybody wait. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function openOwn(path: string): Promise<FileHandle> {
  const file = await open(path, FLAGS);
  try {
    const complaint = complaintAbout(await file.stat());
    if (complaint !== undefined) throw new Error(complaint);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The same for whoever reads many small files, where waiting for each costs more than the reading. Gives the number of the open file. */
export function openOwnNow(path: string): number {
  const file = openSync(path, FLAGS);
  const complaint = complaintAbout(fstatSync(file));
  if (complaint === undefined) return file;
  closeSync(file);
  throw new Error(complaint);
}

/** Why this file is not read; root reads the files of everybody. */
export function complaintAbout(facts: Stats): string | undefined {
  const user = process.getuid?.();
  if (!facts.isFile()) return 'It is not a regular file.';
  return user === undefined || user === 0 || facts.uid === user ? undefined : 'It belongs to another user.';
}
