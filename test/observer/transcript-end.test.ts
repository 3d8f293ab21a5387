/** How a conversation stands at its end, where that is not obvious. */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConversations } from '../../src/archive/index.js';
import { requireAgent } from '../../src/decode/index.js';
import { readTranscriptEnd } from '../../src/observer/transcript-end.js';
import { openForeign } from '../../src/store/foreign.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';

test('what somebody said opens a turn, also when nothing of the answer is on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-end-'));
  const path = join(folder, 'opencode.db');
  cpSync('test/archive/recordings/homes/opencode/fail-after-work-401/home/.local/share/opencode/opencode.db', path);
  const id = 'ses_e1b9bd393ffeXiBk6O8cYQn0wp';
  const read = async () => {
    const found = await findConversations(requireAgent('opencode'), folder, openForeign);
    const conversation = found.find(({ sessionId }) => sessionId === id);
    return conversation && (await readTranscriptEnd(conversation, openForeign));
  };
  expect(await read()).toMatchObject({ turn: 'over', calls: [] });
  const { DatabaseSync } = await loadDriver();
  const database = new DatabaseSync(path);
  const now = 2_000_000_000_000;
  const message = database.prepare('insert into message values (?, ?, ?, ?, ?)');
  message.run('msg_zzz1', id, now, now, '{"role":"user"}');
  database
    .prepare('insert into part values (?, ?, ?, ?, ?, ?)')
    .run('prt_zzz1', 'msg_zzz1', id, now, now, '{"type":"text","text":"Go on"}');
  message.run('msg_zzz2', id, now + 1, now + 1, '{"role":"assistant","time":{}}');
  database.close();
  expect(await read()).toMatchObject({ turn: 'open', calls: [] });
});
