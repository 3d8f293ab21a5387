/** The picture of a run in the README is drawn from the demo as it is, at its question; `npm run picture` draws it anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { pictureOf } from '../../scripts/terminal-picture.mjs';
import recording from '../../src/cli/command/demo/demo-recording.json' with { type: 'json' };
import { DEMO_FILE, demoLines, demoQuestion } from '../../src/cli/command/demo/demo-script.js';
import { paintFrame } from '../../src/cli/live/paint-frame.js';
import type { ApprovalRequest } from '../../src/consent/index.js';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { addHostFacts } from '../../src/run/approval/host-facts.js';
import { initialState, reduce } from '../../src/session/index.js';
import { liveRows, NOTHING_TOLD, statusRow } from '../../src/view/terminal/index.js';
import { beginQuestion, questionOf, questionRows, sawQuestion } from '../../src/view/terminal/question/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const SIZE = { width: 104, height: 44 };

test('the picture of a run is current, and the README shows it', async () => {
  const events = eventsUpToQuestion();
  const look = { ...SIZE, color: true, isFull: false };
  let [state, told] = [initialState, NOTHING_TOLD];
  const settled: string[] = [];
  let open: string[] = [];
  for (const event of events) {
    state = reduce(state, event);
    const rows = liveRows(state, told, { ...look, now: event.at });
    settled.push(...rows.settled);
    ({ told, open } = rows);
  }
  const now = (events.at(-1)?.at ?? 0) + 1000;
  const status = statusRow(state, { ...look, now, startedAt: 0, hint: { words: 'Esc interrupts · type to add' } });
  const terminal = new Terminal({ cols: SIZE.width, rows: SIZE.height, allowProposedApi: true });
  const frame = { settled, open: [...open, '', ...box(events.at(-1) as ApprovalRequest), status] };
  await new Promise<void>((resolve) => terminal.write(paintFrame({ rows: [] }, frame), resolve));
  const picture = pictureOf(terminal, {
    title: 'glassbox demo: an agent at work, and its question',
    name: 'glassbox demo',
  });
  await expect(picture).toMatchFileSnapshot('../../docs/terminal.svg');
  expect(readFileSync('README.md', 'utf8')).toContain('](docs/terminal.svg)');
});

/** As the run tells them: what was asked first, and the file compared when it asks. */
function eventsUpToQuestion(): AgentEvent[] {
  const cwd = temporaryDirectory();
  const { name, text } = DEMO_FILE;
  mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
  writeFileSync(path.join(cwd, name), text);
  const { before } = demoLines(cwd);
  let now = 0;
  const decoder = createDecoder(recording.agent, { now: () => now });
  const prompt = { type: 'user', message: { role: 'user', content: recording.prompt } };
  const lines = [{ text: JSON.stringify(prompt), ms: 0 }, ...before];
  const events = lines.flatMap(({ text: line, ms }) => {
    now = ms;
    return decoder.push(Buffer.from(`${line}\n`));
  });
  now += 100;
  const asked = decoder.push(Buffer.from(`${demoQuestion(cwd)}\n`));
  const place = { cwd, home: cwd };
  const policy = {
    permission: 'ask',
    rules: [],
    addDirs: [],
    place,
    redact: (all: string) => all,
    isAsked: true,
  } as const;
  return [...events, ...asked.map((event) => addHostFacts(event as never, policy) as AgentEvent)];
}

/** After it stood there for a while. */
function box(request: ApprovalRequest): string[] {
  const question = questionOf(request, { agent: request.agent, canEdit: true, canLeave: true });
  const moment = { ...SIZE, height: 24, color: true, number: 1, of: 1, isLineEmpty: true };
  const state = sawQuestion(question, beginQuestion(question), { ...moment, now: 0 });
  return questionRows(question, state, { ...moment, now: 1000 });
}
