import { open } from 'node:fs/promises';

/** First messages are short: this is enough to see what a file is. */
const HEAD_BYTES = 64 * 1024;

/** The beginning of a file, as text. */
export async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
