/** What a program says in its log of the questions that it asks: at once, of whom, and no longer than it holds. */
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TRACES } from '../../src/agent/trace.js';
import { createLogs } from '../../src/observer/logs.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const AT = '2026-11-18T14:58:08.035Z';
const line = (said: string, run = 'f5a99a0c') => `timestamp=${AT} level=INFO run=${run} message=${said}\n`;
const asking = line('asking id=per_1ef2 permission=bash patterns="[\\"touch oc1.txt\\"]"');

function begin() {
  const home = temporaryDirectory();
  const folder = path.join(home, '.local/share/opencode/log');
  const file = path.join(folder, 'opencode.log');
  mkdirSync(folder, { recursive: true });
  const logs = createLogs(TRACES, { env: {}, home });
  return {
    folder,
    file,
    logs,
    async tell(text: string) {
      appendFileSync(file, text);
      await logs.read();
    },
    asked: (sessionId: string) => logs.askedBy({ agent: 'opencode', sessionId }),
  };
}

test('a question is that of the session of which the same process spoke last, also in halves', async () => {
  const { tell, asked, logs, folder } = begin();
  expect(logs.folders).toContain(folder);
  await tell(line('loop session.id=ses_a step=0') + line('process session.id=ses_b', 'other'));
  await tell(asking.slice(0, 40));
  expect(asked('ses_a')).toBe(undefined);
  await tell(asking.slice(40));
  expect(asked('ses_a')).toBe(Date.parse(AT));
  expect(asked('ses_b')).toBe(undefined);
});

test('who works for another lets that one wait too', async () => {
  const { tell, asked } = begin();
  await tell(line('created id=ses_c slug=a parentID=ses_a title="b"') + line('process session.id=ses_c') + asking);
  expect([asked('ses_c'), asked('ses_a')]).toEqual([Date.parse(AT), Date.parse(AT)]);
});

test.each(['replied', 'rejected'])('one that was %s is none any more, another one is', async (word) => {
  const { tell, asked } = begin();
  await tell(line('loop session.id=ses_a') + line('asking id=que_1 questions=1'));
  await tell(line(`${word} requestID=que_2`));
  expect(asked('ses_a')).toBe(Date.parse(AT));
  await tell(line(`${word} requestID=que_1 answers="x"`));
  expect(asked('ses_a')).toBe(undefined);
});

test('a log that is cut, replaced or long is read on, and one behind a link is not', async () => {
  const { tell, asked, file, logs } = begin();
  await tell(line('loop session.id=ses_a'));
  writeFileSync(file, '');
  await logs.read();
  await tell(line('loop session.id=ses_d') + asking);
  expect(asked('ses_d')).toBe(Date.parse(AT));
  renameSync(file, `${file}.1`);
  await tell(`${'x'.repeat(600_000)}\n${line('loop session.id=ses_e')}${asking}`);
  expect(asked('ses_e')).toBe(Date.parse(AT));
  rmSync(file);
  writeFileSync(`${file}.2`, line('loop session.id=ses_f') + asking);
  symlinkSync(`${file}.2`, file);
  await logs.read();
  expect(asked('ses_f')).toBe(undefined);
});
