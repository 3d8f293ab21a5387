/** The project of the demo: with the file that its agent edits, so that the question shows the difference as a real one does. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DEMO_FILE } from './demo-script.js';

export async function makeProject(folder: string): Promise<void> {
  const { name, text } = DEMO_FILE;
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
