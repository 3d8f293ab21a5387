/** What `glassbox watch` prints of a run that is filled again, as when its file was written anew: each thing once. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { WatchFlags } from '../../src/cli/command/watch/command.js';
import { createNewsPrinter } from '../../src/cli/command/watch/news-printer.js';
import type { AgentEvent } from '../../src/event/index.js';
import { openStore } from '../../src/store/index.js';

const [FIRST, SECOND, THIRD] = ['First', 'Second', 'Third'] as const;

test.each([
  ['longer than before', [['a', 'b', 'c', FIRST, SECOND, THIRD]]],
  ['shorter than before', [[SECOND, THIRD]]],
  ['emptied first', [[], [FIRST, SECOND, THIRD]]],
  [
    'twice',
    [
      ['a', FIRST, SECOND],
      ['a', 'b', FIRST, SECOND, THIRD],
    ],
  ],
] as const)('a run that is told anew, %s', async (_, tellings) => {
  const store = await openStore(join(mkdtempSync(join(tmpdir(), 'glassbox-news-')), 'store.db'));
  onTestFinished(() => store.close());
  const stdout = new PassThrough();
  let printed = '';
  stdout.on('data', (data) => {
    printed += data;
  });
  const process = { stdout, stderr: new PassThrough(), env: {} } as unknown as NodeJS.Process;
  const notices = { see() {}, ended() {}, close: async () => {} } as never;
  const printer = createNewsPrinter({ all: true, json: true } as WatchFlags, process, {
    store,
    home: '/home',
    notices,
  });
  // Now, and not when this file was loaded: what is older than the printer is no news.
  const begun = Date.now();
  for (const words of [[FIRST, SECOND], ...tellings]) {
    await store.startRun({ runId: 'run', agent: 'codex', startedAt: 1, replace: true });
    await store.append(words.map((text, index) => eventOf(text, index, begun)));
    const session = await store.session('run');
    if (session) await printer.print(session);
  }
  expect(printed.match(/First|Second|Third/g)).toEqual([FIRST, SECOND, THIRD]);
});

/** Each word has its time, wherever it stands. */
function eventOf(text: string, index: number, begun: number): AgentEvent {
  const at = begun + ['a', 'b', 'c', FIRST, SECOND, THIRD].indexOf(text);
  const context = { seq: index + 1, at, runId: 'run', agent: 'codex', turn: 0, source: 'transcript' } as const;
  return { ...context, type: 'text-end', messageId: 'm', index: 0, text } as AgentEvent;
}
