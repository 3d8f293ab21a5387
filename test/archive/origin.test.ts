/** A fork is linked to what it was copied from: the oldest other conversation of its folder that begins with the same message. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Conversation } from '../../src/archive/find.js';
import { findOrigin } from '../../src/archive/origin.js';
import { agentNamed } from '../../src/decode/index.js';

const root = mkdtempSync(path.join(tmpdir(), 'origin-'));

function conversation(folder: string, name: string, begun: string, id = 'copied'): Conversation {
  const agent = agentNamed('claude');
  if (!agent) throw new Error('no agent');
  const file = path.join(root, folder, `${name}.jsonl`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ uuid: id, timestamp: `${begun}T00:00:00.000Z` })}\n`);
  return { agent, sessionId: name, files: [{ path: file }], state: '', bytes: 1 } as Conversation;
}

test('neither the fork itself, nor another folder, nor a younger one, nor one that begins otherwise', () => {
  const fork = conversation('a', 'fork', '2026-01-01');
  const elsewhere = conversation('b', 'elsewhere', '2026-01-01');
  const older = conversation('a', 'older', '2026-01-02');
  const younger = conversation('a', 'younger', '2026-01-03');
  const other = conversation('a', 'other', '2026-01-01', 'another');
  expect(findOrigin('copied', fork, [fork, elsewhere, younger, older, other])).toBe(older);
  expect(findOrigin('copied', fork, [fork, elsewhere, other])).toBeUndefined();
});
