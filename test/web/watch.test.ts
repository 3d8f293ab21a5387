/** A session of an agent's own program appears on the page, grows there while its file grows, and can be gone on with. */
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { watchTranscripts } from '../../src/archive/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { logIn, useBrowser } from './browser.js';
import { scriptedAgent, servePage } from './serve-page.js';

useBrowser();

const id = '01a1e465-4f86-7172-94c6-69197926036f';

test('what an agent does elsewhere appears, grows, goes on after it was quiet, and is told anew when it changed', async () => {
  const served = await servePage([]);
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const stop = new AbortController();
  const watching = watchTranscripts({
    agents: AGENTS.filter(({ name }) => name === 'codex'),
    env: {},
    home,
    store: served.store,
    signal: stop.signal,
    pace: { releaseMs: 0 },
  });
  onTestFinished(async () => {
    stop.abort();
    await watching.done;
  });
  const file = join(home, `.codex/sessions/2026/11/17/rollout-2026-${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const begun =
    line('session_meta', { id, cwd: '/repo', source: 'exec' }) + line('event_msg', { type: 'task_started' });
  const asked = line('event_msg', { type: 'user_message', message: 'Look around' });
  writeFileSync(file, begun + asked + said('First words'));
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry', { hasText: 'Look around' }).click();
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText('First words').waitFor();
  appendFileSync(file, said('Second words') + line('event_msg', { type: 'task_complete' }));
  await conversation.getByText('Second words').waitFor();
  for (let run = await served.store.session(id); run?.state !== 'ended'; run = await served.store.session(id));
  appendFileSync(file, line('event_msg', { type: 'task_started' }) + said('Third words'));
  await conversation.getByText('Third words').waitFor();
  expect(await conversation.getByText('First words').count()).toBe(1);
  writeFileSync(file, begun + asked + said('Other words'));
  await conversation.getByText('Other words').waitFor();
  await conversation.getByText('Second words').waitFor({ state: 'detached' });
  await page.locator('.session-actions').getByLabel('Export').click();
  await page.getByRole('button', { name: 'Open in a terminal…' }).click();
  await page.getByText(`codex resume ${id}`).waitFor();
  // A long command leaves its button whole: one line high, as the other is.
  const heights = await page
    .getByRole('button', { name: /^Copy / })
    .evaluateAll((all) => all.map((own) => own.getBoundingClientRect().height));
  expect(heights).toEqual([heights[0], heights[0]]);
  expect(problems).toEqual([]);
});

test('a session of an agent that resumes none is not offered to be continued, and the page says what can be done', async () => {
  const served = await servePage([], { agents: async () => [scriptedAgent('cline')] });
  const start = { runId: 'cline-transcript-1', agent: 'cline', startedAt: Date.now() };
  await served.store.keepRuns([
    { start, events: eventsOf(start.runId, 1, 'Look around', 'Done', 'cline'), sourceState: 'read' },
  ]);
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry', { hasText: 'Look around' }).click();
  await page.getByText('Cline goes on with no session. Say in a new one what it has to know').waitFor();
  await page.getByLabel('Message to the agent').fill('And now?');
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  expect(problems).toEqual([]);
});

test('a run that was read from disk and that another run tells by now is shown once, and the other goes on', async () => {
  const served = await servePage([]);
  const { store } = served;
  const start = { runId: `codex-transcript-${id}`, agent: 'codex', startedAt: Date.now() };
  await store.keepRuns([
    { start, events: [...eventsOf(start.runId, 1, 'Look around', 'Same words')], sourceState: 'read' },
  ]);
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry', { hasText: 'Look around' }).click();
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText('Same words').waitFor();
  await store.startRun({ runId: 'own', agent: 'codex', startedAt: Date.now(), resumes: id });
  await store.append(eventsOf('own', 1, 'Look around', 'Same words'));
  await store.keepRuns([{ start, events: [], sourceState: 'read' }]);
  await store.append(eventsOf('own', 10, 'Go on', 'More words'));
  await conversation.getByText('More words').waitFor();
  await conversation.getByText('Same words').nth(1).waitFor({ state: 'detached' });
  expect(await conversation.getByText('Same words').count()).toBe(1);
  expect(problems).toEqual([]);
});

function eventsOf(runId: string, from: number, prompt: string, text: string, agent = 'codex'): AgentEvent[] {
  const told = [
    { type: 'session-start', cwd: '/repo' },
    { type: 'turn-start' },
    { type: 'user-message', text: prompt },
    { type: 'text-end', messageId: `m${from}`, index: 0, text },
    { type: 'turn-end', outcome: 'success' },
  ];
  const context = { runId, agent, at: Date.now(), sessionId: id, turn: from, source: 'stream' };
  return told.map((event, index) => ({ ...context, seq: from + index, ...event }) as unknown as AgentEvent);
}

const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;

const said = (message: string) => line('event_msg', { type: 'agent_message', message });
