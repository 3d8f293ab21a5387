/** What sessions do, as the page shows it: in the words of every other screen, with what it waits for, and why on request. */
import { expect, test } from 'vitest';
import type { Presence, SessionPresence } from '../../src/client/index.js';
import type { PresenceSource } from '../../src/server/index.js';
import { wholeRun } from '../../src/store/conformance/events.js';
import { init, inSession, result, text } from '../fake-agent/lines.js';
import { logIn, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const because = [
  { source: 'registry', says: 'waiting', at: 1, text: '/home/ada/.claude/sessions/40.json: waiting' },
] as const;

const presenceOf = (facts: Partial<Presence>): Presence => ({
  state: 'waiting',
  since: Date.now() - 65_000,
  because: [...because],
  against: [],
  ...facts,
});

/** What the test says, to whoever looks. */
function createSource() {
  let [now, wake]: [SessionPresence[], () => void] = [[], () => {}];
  const source: PresenceSource = {
    of: async ({ id }) => now.find(({ session }) => session === id)?.presence ?? presenceOf({ state: 'ended' }),
    async *watch({ signal }) {
      signal.addEventListener('abort', () => wake());
      for (let shown: SessionPresence[] | undefined; !signal.aborted; ) {
        if (shown === now)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        shown = now;
        yield now;
      }
    },
  };
  return {
    source,
    tell(session: string, facts: Partial<Presence>) {
      now = [{ session, presence: presenceOf(facts) }];
      wake();
    },
  };
}

test('the list and the heading say what a session does that glassbox did not start, and why', async () => {
  const { source, tell } = createSource();
  const served = await servePage([], { presences: source });
  const { store } = served;
  // Its conversation was read from disk; nothing of it is open here.
  await store.append(
    wholeRun({ runId: 'claude-transcript-a1', agent: 'claude', sessionId: 'a1' }, { prompt: 'Mend it' }),
  );
  const { id = '' } = (await store.session('a1')) ?? {};
  tell(id, { for: { kind: 'approval', text: 'permission prompt' } });
  const { page, problems } = await logIn(served);
  const entry = page.locator('.session-entry', { hasText: 'Mend it' });
  await entry.getByText('Waiting for you: permission prompt').waitFor();
  await expect.poll(() => entry.getAttribute('title')).toMatch(/^waiting for \d+m\d+s \(registry: .*40\.json/);
  await expect.poll(() => page.title()).toBe('(1) glassbox');
  await entry.click();
  const head = page.locator('.session-head');
  await head.getByText('permission prompt').waitFor();
  await head.getByLabel('Why this state').first().click();
  const why = head.getByRole('region', { name: 'Why this state' });
  await why.getByText('/home/ada/.claude/sessions/40.json: waiting').waitFor();
  for (const [state, word] of [
    ['idle', 'Idle'],
    ['parked', 'Parked'],
    ['unknown', 'Finished'],
    ['working', 'Working'],
    ['ended', 'Finished'],
  ] as const) {
    tell(id, { state });
    await head.locator('.state').getByText(word, { exact: true }).waitFor();
    await why.getByText(state, { exact: true }).first().waitFor();
  }
  expect(await page.title()).toBe('glassbox');
  expect(problems).toEqual([]);
});

test('what its own program works on is told so and cannot be spoken to here; when it is idle it is handed over and continued', async () => {
  const { source, tell } = createSource();
  const served = await servePage(inSession('a1', [init(), text('Mended.'), result('Mended.')]), {
    presences: source,
  });
  const { store } = served;
  await store.startRun({ runId: 'claude-transcript-a1', agent: 'claude', startedAt: Date.now() });
  const events = wholeRun(
    { runId: 'claude-transcript-a1', agent: 'claude', sessionId: 'a1' },
    { prompt: 'Mend it', cwd: served.project },
  );
  await store.append(events.filter(({ type }) => type !== 'run-end'));
  const { id = '' } = (await store.session('a1')) ?? {};
  tell(id, { state: 'working' });
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry', { hasText: 'Mend it' }).click();
  await page.getByText('It works in a program of its own').waitFor();
  await page.getByLabel('Message to the agent').fill('And this');
  expect(await page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(false);
  expect(await page.getByRole('button', { name: 'Stop the agent' }).count()).toBe(0);
  await store.endRun('claude-transcript-a1');
  tell(id, { state: 'idle' });
  await page.getByText('Its own program still has this session open').waitFor();
  await page.locator('.session-actions').getByLabel('Export').click();
  await page.getByRole('button', { name: 'Open in a terminal…' }).click();
  await page.getByText('claude --resume a1').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('Conversation').getByText('Mended.').waitFor();
  await expect.poll(async () => (await store.session('a1'))?.runs.map(({ session }) => session)).toEqual([id, id]);
  expect(problems).toEqual([]);
});
