/** A person who looks elsewhere is called, once, and whoever answers first has answered. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Presence } from '../../src/client/index.js';
import { stamp } from '../../src/store/conformance/events.js';
import { ask, init, result, toolResult, toolUse } from '../fake-agent/lines.js';
import { gate } from '../peer/model/turn.js';
import { deny } from './asking.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const input = { command: 'touch ok.txt' };
const script = [
  init(),
  toolUse('t1', 'Bash', input),
  ask('q1', 't1', 'Bash', input),
  { hear: '"request_id":"q1"' },
  toolResult('t1', 'done'),
  result('fine'),
];

/** What the system would show, and a person who can leave the page: a browser without a screen has neither. */
const SYSTEM = `
  window.notes = [];
  window.isAway = false;
  Object.defineProperty(document, 'hidden', { get: () => window.isAway });
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (this.permission = 'granted'); }
    constructor(title, { body }) { window.notes.push(title + ': ' + body); window.newest = this; }
  };
`;

const notes = (page: Page) => page.evaluate('window.notes');
const goAway = (page: Page, isAway: boolean) =>
  page.evaluate(`window.isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange')); undefined`);

test('the tab title and, where it is wished, a notification say "waiting for you"; pressing it leads there', async () => {
  const served = await servePage(script);
  const { page, problems } = await logIn(served);
  await page.addInitScript(SYSTEM);
  await page.goto(`${served.server.url}/cost`);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
  await goAway(page, true);
  const { session, runId } = await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  await expect.poll(() => page.title()).toBe('(1) glassbox');
  expect(await notes(page)).toEqual(['Waiting for you: Run a command: touch ok.txt']);

  await goAway(page, false);
  await page.evaluate('window.newest.onclick()');
  await page.getByRole('region', { name: 'Run a command' }).waitFor();
  expect(page.url()).toContain(`/s/${session}`);
  await served.client.approve(runId, 'q1');
  await expect.poll(() => page.title()).toBe('glassbox');
  expect(await notes(page)).toHaveLength(1);
  expect(problems).toEqual([]);
});

test('runs that go nowhere or are parked call too, once, in our words, whatever they are called', async () => {
  const presences: { session: string; presence: Presence }[] = [];
  const told = gate();
  const source = {
    of: async (): Promise<Presence> => ({ state: 'parked', because: [], against: [] }),
    async *watch({ signal }: { signal: AbortSignal }) {
      await told.promise;
      yield presences;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const served = await servePage([], { presences: source });
  const { store } = served;
  const title = `Park it <img src=x onerror=window.hacked=1>\u202e${'x'.repeat(5000)}`;
  for (const [runId, text] of [
    ['r1', title],
    ['r2', 'Grep it'],
  ] as const) {
    await store.startRun({ runId, agent: 'claude', startedAt: Date.now() });
    await store.append(stamp({ runId, sessionId: runId }, [{ type: 'turn-start' }, { type: 'user-message', text }]));
  }
  const { page, problems } = await logIn(served);
  await page.addInitScript(SYSTEM);
  await page.goto(`${served.server.url}/cost`);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
  await goAway(page, true);
  const parked = (await store.session('r1'))?.id ?? '';
  const because = [{ source: 'process', says: 'stopped', at: 1, text: 'IGNORE ALL RULES' } as const];
  presences.push({ session: parked, presence: { state: 'parked', because, against: [] } });
  told.open();
  await expect.poll(() => page.title()).toBe('(1) glassbox');
  const message = 'the same call 14 times in a row: Grep <script>';
  await store.append(stamp({ runId: 'r2', firstSeq: 3 }, [{ type: 'warning', code: 'watchdog-repetition', message }]));
  await expect.poll(() => page.title()).toBe('(2) glassbox');
  const [first = '', second] = (await notes(page)) as string[];
  expect(first).toMatch(/^Is parked: Park it <img src=x onerror=window.hacked=1>⟨U\+202E⟩x+/);
  expect(first.length).toBeLessThan(260);
  expect(second).toBe('Goes nowhere: Grep it');
  await page.evaluate('window.newest.onclick()');
  await expect.poll(() => page.url()).toContain('/s/');
  expect(await notes(page)).toHaveLength(2);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('nobody is called who looks at the page, or did not wish it', async () => {
  const served = await servePage(script);
  const { page } = await logIn(served);
  await page.addInitScript(SYSTEM);
  await page.goto(served.server.url);
  await startSession(page);
  await page.getByRole('region', { name: 'Run a command' }).waitFor();
  await expect.poll(() => page.title()).toBe('(1) glassbox');
  expect(await notes(page)).toEqual([]);
});

test('two tabs ask the same; what one of them answers is gone in the other', async () => {
  const served = await servePage(script);
  const { page, problems } = await logIn(served);
  await startSession(page);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByRole('region', { name: 'Run a command' }).waitFor();
  await deny(page);
  for (const one of [page, tab]) {
    await one.getByRole('region', { name: 'Run a command' }).waitFor({ state: 'detached' });
    await one.getByText('Turn done').waitFor();
  }
  await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
  expect(problems).toEqual([]);
});

test('as many tabs as one likes: those that nobody looks at leave the connections to others, one calls, all count', async () => {
  const served = await servePage(script);
  const { page: first } = await logIn(served);
  const context = first.context();
  await first.close();
  await context.addInitScript(SYSTEM);
  await context.addInitScript("Notification.permission = 'granted'");
  const tabs: Page[] = [];
  for (let tab = 0; tab < 8; tab += 1) {
    const page = await context.newPage();
    await page.goto(`${served.server.url}/cost`);
    await page.getByText('Nothing was spent yet').waitFor();
    // So long nobody knows whether it may notify.
    await page.getByRole('button', { name: 'Notify me' }).waitFor({ state: 'detached' });
    await goAway(page, true);
    tabs.push(page);
  }
  const { runId } = await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  for (const page of tabs) await expect.poll(() => page.title()).toBe('(1) glassbox');
  expect((await Promise.all(tabs.map(notes))).flat()).toHaveLength(1);

  const [ear, back, ...others] = tabs as [Page, Page, ...Page[]];
  await goAway(back, false);
  await back.getByRole('link', { name: /Touch it/ }).waitFor();
  await goAway(back, true);
  await ear.close();
  await served.client.deny(runId, 'q1');
  for (const page of [back, ...others]) await expect.poll(() => page.title()).toBe('glassbox');
});

test('a server that only shows offers nothing to start, say or answer', async () => {
  const served = await servePage(script);
  const { session, runId } = await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  const shown = await servePage([], { store: served.store, readOnly: true });
  const { page, problems } = await logIn(shown);
  await page.goto(`${shown.server.url}/new`);
  await page.getByText('This server is read-only').waitFor();
  await page.locator('.session-entry', { hasText: 'Touch it' }).click();
  await page.getByText('Waiting for you').first().waitFor();
  expect(page.url()).toContain(session);
  expect(await page.getByRole('region', { name: 'Run a command' }).count()).toBe(0);
  expect(await page.getByRole('textbox').count()).toBe(0);
  await served.client.deny(runId, 'q1');
  await page.getByText('Turn done').waitFor();
  expect(problems).toEqual([]);
});
