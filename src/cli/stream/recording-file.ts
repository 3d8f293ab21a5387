/** A file that holds what an agent printed: opened with a clear word when that cannot be, and read piece by piece. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { GlassboxError } from '../../event/index.js';

export interface RecordingFile {
  readonly path: string;
  readonly bytes: number;
  /** To be read once. */
  read(): AsyncIterable<Uint8Array>;
}

/** Throws a `GlassboxError` when there is nothing to read. */
export async function openRecording(path: string): Promise<RecordingFile> {
  const handle = await openOrSayWhy(path);
  const stats = await handle.stat();
  if (stats.isDirectory()) {
    await handle.close();
    throw new GlassboxError(
      'read-failed',
      `${path} is a directory. Name the files in it, for example ${path}/*.jsonl.`,
    );
  }
  return {
    path,
    bytes: stats.size,
    read: () => createReadStream('', { fd: handle, highWaterMark: 256 * 1024 }),
  };
}

/** For a file that turned out to be something else. */
export function unrecognised({ path, bytes }: RecordingFile, advice?: string): GlassboxError {
  const what = bytes === 0 ? 'is empty' : 'holds no stream of an agent that I know';
  return new GlassboxError('read-failed', `${path} ${what}.${advice === undefined ? '' : ` ${advice}`}`);
}

async function openOrSayWhy(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') throw new GlassboxError('not-found', `There is no file ${path}.`);
    if (code === 'EISDIR') throw new GlassboxError('read-failed', `${path} is a directory. Name the files in it.`);
    throw new GlassboxError('read-failed', `${path} cannot be read (${code || 'unknown error'}).`, { cause: error });
  }
}
