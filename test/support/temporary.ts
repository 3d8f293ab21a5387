/** Runs once around all tests: whatever they and the programs they start put into the temporary directory is gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export default function setup(): () => void {
  const directory = mkdtempSync(path.join(tmpdir(), 'glassbox-test-'));
  for (const name of process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']) process.env[name] = directory;
  // No test may write into the sessions of the person who runs it.
  process.env.GLASSBOX_STORE = path.join(directory, 'store.db');
  return () => rmSync(directory, { recursive: true, force: true });
}
