/** Everything that waits for a person stands in one place, is answered there, and nothing moves under a pointer. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parkedSource } from '../../src/cli/kept/parked-source.js';
import type { Presence } from '../../src/client/index.js';
import { createSessionPresences } from '../../src/observer/index.js';
import { stamp } from '../../src/store/conformance/events.js';
import { openStore } from '../../src/store/index.js';
import { ask, init, inSession, result, type Step, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { limited } from '../parking/limited.js';
import { asked, cardIn, untilAsked } from './asking.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { logIn, useBrowser } from './browser.js';
import { type Opened, useOneServer } from './one-server.js';
import { servePage } from './serve-page.js';

useBrowser();
const open = useOneServer();

/** Each agent has a session of its own. */
const asSession = (id: string, steps: readonly Step[]): Step[] =>
  JSON.parse(JSON.stringify(steps).replaceAll(/"session_id":"[^"]*"/g, `"session_id":"${id}"`));

const asking = (id: string, command: string): Step[] =>
  asSession(id, [init(), text(`I need ${command}.`, 'm0'), ...asked('q1', { command }), result('fine')]);

const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox', exact: true });
const cards = (page: Page) => inbox(page).locator('.question');
const card = (page: Page, words: string) => cards(page).filter({ hasText: words });
const about = (page: Page, command: string) =>
  cards(page).filter({ has: page.locator('.whole', { hasText: command }) });
/** The name of what has the focus before any other key could be pressed. */
const FOCUSED_AFTER_N = `(async () => {
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
  await Promise.resolve().then(() => {});
  return document.activeElement.getAttribute('aria-label');
})()`;
const decided = (page: Page) => page.getByRole('region', { name: 'Decided today' });

/** Agents that ask, one after the other, and the page that shows it; each with what it heard. */
async function waitFor(opened: Opened, commands: readonly string[]) {
  const heard = [];
  for (const [index, command] of commands.entries()) {
    const served = opened.play(asking(`s-${index}`, command));
    const { runId, session } = await served.client.start({ agent: 'claude', prompt: `Do ${command}` });
    await untilAsked(served.store, runId);
    heard.push({ served, runId, session, reply: () => served.replies().get('q1') });
  }
  return heard;
}

async function openInbox(commands: readonly string[]) {
  const opened = await open([]);
  const heard = await waitFor(opened, commands);
  await opened.page.goto(opened.served.server.url);
  await cards(opened.page).first().waitFor();
  await opened.page.locator('.question button:not(:disabled)', { hasText: 'Allow once' }).last().waitFor();
  return { ...opened, heard };
}

test('it is the first screen while anything waits, with whose it is and what was said, and calls by title and icon', async () => {
  const { page, heard, problems } = await openInbox(['touch one', 'touch two']);
  expect(new URL(page.url()).pathname).toBe('/inbox');
  await page.getByRole('heading', { name: '2 things wait for you' }).waitFor();
  await expect.poll(() => page.title()).toBe('(2) glassbox');
  await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toContain('icon-waiting');
  const first = about(page, 'touch one');
  await first.getByText(`${heard[0]?.session} wants to run a command`).waitFor();
  await first.getByText('I need touch one.').waitFor();
  await first.getByText(/^\d+:\d\d$/).waitFor();
  expect(await page.evaluate("document.activeElement?.closest('.question') === null")).toBe(true);
  // Where the page itself could be scrolled, a key or a search of the browser would carry all of it away.
  await page.setViewportSize({ width: 1280, height: 300 });
  await expect.poll(() => overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await first.getByRole('link', { name: 'Do touch one' }).click();
  // The card of the inbox has the same name.
  await inbox(page).waitFor({ state: 'detached' });
  await cardIn(page).getByText('touch one').waitFor();
  await expect.poll(() => page.getByText('I need touch one.').count()).toBe(1);
  expect(problems).toEqual([]);
});

test('keys lead from card to card and answer the one they are on, none before', async () => {
  const { page, heard } = await openInbox(['touch one', 'touch two', 'touch three']);
  for (const key of ['y', 'n', 'l', 'Escape', 'Enter']) await page.keyboard.press(key);
  expect(await page.locator('.answered-line, .later-line').count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('y');
  await page.getByText('Allowed by you · told to the agent: Run a command: touch one').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('n');
  await page.getByLabel('Reason').fill('not two');
  await page.keyboard.press('Escape');
  await page.getByLabel('Reason').waitFor({ state: 'detached' });
  // The next key is meant for the reason, however soon it comes.
  expect(await page.evaluate<string>(FOCUSED_AFTER_N)).toBe('Reason');
  expect(await page.getByLabel('Reason').inputValue()).toBe('not two');
  await page.keyboard.press('Enter');
  await page.getByText('Denied by you · told to the agent').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('l');
  await page.getByText('Later: Run a command: touch three').waitFor();
  expect(heard.map(({ reply }) => reply())).toMatchObject([
    { behavior: 'allow' },
    { behavior: 'deny', message: 'not two' },
    undefined,
  ]);
  await expect.poll(() => page.title()).toBe('glassbox');
  await page.getByRole('button', { name: 'Decide' }).click();
  await expect.poll(() => page.title()).toBe('(1) glassbox');
});

test('what is put off stays so over a reload and in other pages of the browser, and is there again when it is asked again', async () => {
  const { page, heard, play, served } = await openInbox(['touch one', 'touch two']);
  const kept = () => page.evaluate<Record<string, number>>("JSON.parse(localStorage.getItem('later') ?? '{}')");
  await about(page, 'touch one').getByRole('button', { name: 'Later' }).click();
  await page.getByText('Later: Run a command: touch one').waitFor();
  const other = await page.context().newPage();
  await other.goto(served.server.url);
  await other.getByText('Later: Run a command: touch one').waitFor();
  await page.reload();
  await page.getByText('Later: Run a command: touch one').waitFor();
  expect(await page.title()).toBe('(1) glassbox');
  expect(Object.keys(await kept())).toHaveLength(1);
  await other.getByRole('button', { name: 'Decide' }).click();
  await about(page, 'touch one').getByRole('button', { name: 'Later' }).click();
  await other.getByText('Later: Run a command: touch one').waitFor();
  const again = play(asking('s-9', 'touch one'));
  await again.client.start({ agent: 'claude', prompt: 'Do it too' });
  await page.getByText('× 2, answered once').waitFor();
  await about(page, 'touch one').getByRole('button', { name: 'Later' }).click();
  await expect.poll(async () => Object.keys(await kept())).toHaveLength(2);
  await heard[0]?.served.client.deny(heard[0].runId, 'q1', { message: 'no' });
  await expect.poll(async () => Object.keys(await kept())).toHaveLength(1);
  await page.getByText('Later: Run a command: touch one').waitFor();
  await page.evaluate('localStorage.setItem(\'later\', \'{"odd":"x","old":5,"far":9e15}\')');
  await page.reload();
  await about(page, 'touch one').waitFor();
  expect(await page.title()).toBe('(2) glassbox');
});

test('what was answered is a line in its place, then belongs to what was decided today, with its reason', async () => {
  const { page, heard } = await openInbox(['touch one', 'touch two']);
  const second = about(page, 'touch two');
  const place = async () => (await second.boundingBox())?.y;
  const before = await place();
  await about(page, 'touch one').getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Allowed by you · told to the agent').waitFor();
  await decided(page)
    .getByText(/^Allowed by .+ on the page · /)
    .waitFor();
  expect(await place()).toBe(before);
  await heard[1]?.served.client.deny(heard[1].runId, 'q1', { message: 'said elsewhere' });
  await inbox(page).getByText('Denied by a program: Run a command: touch two').waitFor();
  await decided(page).getByText('said elsewhere').waitFor();
  await page.mouse.move(5, 5);
  await page.locator('.slot').first().waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Nothing waits.' }).waitFor();
});

test('equal questions are one card, and all of them hear the answer', async () => {
  const { page, heard } = await openInbox(['touch same', 'touch same', 'touch other']);
  expect(await cards(page).count()).toBe(2);
  await cards(page).first().getByText('× 2, answered once').waitFor();
  await about(page, 'touch same').getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Allowed by you · told to the agent').waitFor();
  await expect
    .poll(() => heard.map(({ reply }) => (reply() as { behavior?: string } | undefined)?.behavior))
    .toEqual(['allow', 'allow', undefined]);
});

test('a card that comes while the pointer is here goes to the end, whatever it blocks', async () => {
  const opened = await openInbox(['touch one']);
  const { page } = opened;
  const first = about(page, 'touch one');
  await first.hover();
  const before = await first.boundingBox();
  await waitFor(opened, ['touch same', 'touch same']);
  await card(page, '× 2').waitFor();
  expect(await first.boundingBox()).toEqual(before);
  await page.mouse.move(5, 5);
  await expect.poll(() => cards(page).first().textContent()).toContain('× 2');
});

test('it tells what is lost with a file: work in no commit, what git ignores, and who else is at work there', async () => {
  const edit = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
  const served = await servePage(asSession('s-1', [init(), ...asked('q1', edit, 'Edit'), result('fine')]));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: served.project, stdio: 'ignore' });
  git('init');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-m', 'x');
  writeFileSync(path.join(served.project, 'a.txt'), 'one\n');
  await served.store.startRun({ runId: 'other', agent: 'claude', startedAt: Date.now(), cwd: served.project });
  await served.store.append(stamp({ runId: 'other' }, [{ type: 'user-message', text: 'Beside <b>it</b>' }]));
  await served.client.start({ agent: 'claude', prompt: 'Change a.txt' });
  await untilAsked(served.store);
  const { page } = await logIn(served);
  const shown = card(page, 'a.txt');
  await shown.getByText('Changes that are in no commit').waitFor();
  await shown.getByText('Also at work in this folder').waitFor();
  await shown.getByText('Beside <b>it</b>').waitFor();
});

test('a plan is commented line by line, and all of it goes back as one message', async () => {
  const plan = { plan: '# The plan\n\n1. Read <img src=x onerror=alert(1)>\n2. Write' };
  const opened = await open([]);
  const { page } = opened;
  const served = opened.play(
    asSession('s-1', [
      init(),
      toolUse('t1', 'ExitPlanMode', plan),
      ask('q1', 't1', 'ExitPlanMode', plan),
      { hear: '"request_id":"q1"' },
      result('fine'),
    ]),
  );
  await served.client.start({ agent: 'claude', prompt: 'Plan it' });
  await page.goto(`${served.server.url}/inbox`);
  await page.getByRole('button', { name: 'Comment on lines' }).click();
  await page.getByText('Choose a line, and say what to change there.').waitFor();
  expect(await page.getByRole('button', { name: 'Keep planning', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: '2. Write' }).click();
  await page.getByLabel('Comment on line 4').fill('Test it first.');
  await page.getByRole('button', { name: '1. Read <img' }).click();
  await page.getByRole('button', { name: 'Keep planning, with 1 comment' }).click();
  await page.getByText('Denied by you').waitFor();
  await expect
    .poll(() => served.replies().get('q1'))
    .toMatchObject({ behavior: 'deny', message: '> 2. Write\n\nTest it first.' });
});

describe('sessions that need somebody and ask nothing here are cards too', () => {
  const facts = { state: 'parked', because: [], against: [] } as const;

  test('stuck, parked, waiting in its own program: with the evidence and what can be done', async () => {
    const presences: { session: string; presence: Presence }[] = [];
    const source = {
      of: async () => ({ ...facts, because: [], against: [] }),
      async *watch({ signal }: { signal: AbortSignal }) {
        yield presences;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const served = await servePage([], { presences: source });
    const { store } = served;
    const keep = async (runId: string, prompt: string) => {
      await store.startRun({ runId, agent: 'claude', startedAt: Date.now() });
      await store.append(
        stamp({ runId, sessionId: runId }, [{ type: 'turn-start' }, { type: 'user-message', text: prompt }]),
      );
      return (await store.session(runId))?.id ?? '';
    };
    const [parked, elsewhere] = [await keep('r1', 'Park it'), await keep('r2', 'Ask there')];
    await keep('r3', 'Grep it');
    const asksUs = await keep('r4', 'Ask here');
    const message = 'the same call 14 times in a row: Grep <script>';
    await store.append(
      stamp({ runId: 'r3', firstSeq: 3 }, [{ type: 'warning', code: 'watchdog-repetition', message }]),
    );
    const because = [{ source: 'process', says: 'stopped', at: 1, text: 'its process is suspended' } as const];
    presences.push(
      { session: parked, presence: { state: 'parked', because, against: [] } },
      {
        session: elsewhere,
        presence: { state: 'waiting', for: { kind: 'dialog', text: 'trust this folder' }, because: [], against: [] },
      },
      // Seen before its question is here, or after that was answered.
      {
        session: asksUs,
        presence: {
          state: 'waiting',
          because: [{ source: 'run', says: 'waiting', at: 1, text: 'it asks, and nobody has answered' }],
          against: [],
        },
      },
    );
    const { page, problems } = await logIn(served);
    await page.getByRole('heading', { name: '3 things wait for you' }).waitFor();
    expect(await cards(page).getByRole('heading').allTextContents()).toEqual([
      `${elsewhere} waits for you in its own program`,
      expect.stringMatching(/seems to be stuck$/),
      `${parked} is parked`,
    ]);
    await card(page, 'trust this folder').waitFor();
    await card(page, 'its process is suspended').waitFor();
    await card(page, message).getByRole('button', { name: 'Let it go on' }).click();
    await page.getByText('Later:').waitFor();
    await shoot(page, 'inbox-runs');
    expect(await seriousProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test('what a limit stopped goes on when its end comes, now or never, as somebody says on its card', async () => {
  const store = await openStore(path.join(temporaryDirectory(), 'store.db'));
  onTestFinished(() => store.close());
  const script = path.join(temporaryDirectory(), 'script.json');
  const play = (steps: readonly Step[]) => writeFileSync(script, JSON.stringify(steps));
  const served = await servePage([], {
    ...{ store, presences: createSessionPresences({ store, parked: parkedSource(store) }) },
    runDefaults: { program: FAKE_AGENT, env: { FAKE_AGENT_SCRIPT: script }, survivorGraceMs: 100 },
  });
  const stop = async (id: string, goOn?: number) => {
    play(asSession(id, limited(Date.now() + 3_600_000)));
    const { runId, session } = await served.client.start({
      agent: 'claude',
      prompt: `Stop ${id}`,
      ...(goOn && { goOn }),
    });
    for await (const _ of served.client.events(runId));
    return session;
  };
  const [first, second] = [await stop('s-1'), await stop('s-2')];
  const calm = await stop('s-3', 2);
  await expect.poll(async () => (await served.client.parked()).length).toBe(3);
  const { page, problems } = await logIn(served);
  await page.getByRole('heading', { name: '2 things wait for you' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/inbox');
  const [one, two, three] = [first, second, calm].map((id) => card(page, `${id} is parked`));
  // Which goes on without anybody comes last, and calls nobody.
  await cards(page).last().getByText(`${calm} is parked`).waitFor();
  await three?.getByText(/\(5 h\), which ends in .+\. It goes on by itself in /).waitFor();
  expect(await three?.getByRole('button', { name: 'When the limit is over' }).count()).toBe(0);
  await one?.getByText('It goes on when you say so.').waitFor();
  await shoot(page, 'inbox-parked');
  expect(await seriousProblems(page)).toEqual([]);
  const press = (name: string, box = one) => box?.getByRole('button', { name }).click();
  await press('When the limit is over');
  await page.getByText(`Goes on when its limit is over: ${first}`).waitFor();
  await expect
    .poll(async () => (await served.client.parked()).filter(({ goesOnAt }) => goesOnAt !== undefined).length)
    .toBe(2);
  await press('Never', two);
  await page.getByText(`Does not go on, said by you: ${second}`).waitFor();
  play(inSession('s-3', [init(), text('All done.'), result('All done.')]));
  await press('Go on now', three);
  await page.getByText(`Goes on, said by you: ${calm}`).waitFor();
  await expect.poll(async () => (await served.client.session(calm)).outcome).toBe('finished');
  await expect.poll(async () => (await served.client.parked()).map(({ session }) => session)).toEqual([first]);
  await page.getByRole('heading', { name: 'Nothing waits.' }).waitFor();
  await page.mouse.move(1, 1);
  await expect.poll(() => cards(page).count()).toBe(1);
  await cards(page).getByText('It goes on by itself in').waitFor();
  expect(problems).toEqual([]);
});

test('two browsers: what is answered in one is told in the other, which answers nothing any more', async () => {
  const served = await servePage(asking('s-1', 'touch one'));
  const [here, there] = [await logIn(served), await logIn(served)];
  await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  for (const { page } of [here, there]) {
    await page.goto(`${served.server.url}/inbox`);
    await page.locator('.question button:not(:disabled)', { hasText: 'Allow once' }).waitFor();
  }
  await there.page.keyboard.press('j');
  await here.page.getByRole('button', { name: 'Allow once' }).click();
  await here.page.getByText('Allowed by you · told to the agent').waitFor();
  // With the name of the browser in which it was, in its place, as long as somebody is here.
  await inbox(there.page)
    .getByText(/^Allowed by .+ on the page: Run a command: touch one$/)
    .waitFor();
  expect(await there.page.locator('.question').count()).toBe(0);
  for (const key of ['y', 'n', 'Enter']) await there.page.keyboard.press(key);
  for (const { page, problems } of [here, there]) {
    await decided(page).getByText('touch one').waitFor();
    await page.getByRole('heading', { name: 'Nothing waits.' }).waitFor();
    await expect.poll(() => page.title()).toBe('glassbox');
    expect(problems).toEqual([]);
  }
  await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
});

test('two browsers answer at once: one of them is heard, and both say which', async () => {
  const served = await servePage(asking('s-1', 'touch one'));
  const [here, there] = [await logIn(served), await logIn(served)];
  const { runId } = await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  // What each of them says waits until both have said it.
  const said: string[] = [];
  let [go, both] = [() => {}, () => {}];
  const isSaid = new Promise<void>((resolve) => {
    both = resolve;
  });
  const mayGo = new Promise<void>((resolve) => {
    go = resolve;
  });
  for (const { page } of [here, there]) {
    await page.route(/\/approvals\/q1\//, async (route) => {
      if (said.push(route.request().url()) === 2) both();
      await mayGo;
      await route.continue();
    });
    await page.goto(`${served.server.url}/inbox`);
    await page.locator('.question button:not(:disabled)', { hasText: 'Allow once' }).waitFor();
  }
  await here.page.getByRole('button', { name: 'Allow once' }).click();
  await there.page.getByRole('button', { name: 'Deny…' }).click();
  await there.page.getByLabel('Reason').fill('not this');
  await there.page.getByRole('button', { name: 'Deny', exact: true }).click();
  await isSaid;
  go();
  for await (const event of served.client.events(runId)) if (event.type === 'run-end') break;
  const isAllowed = (served.replies().get('q1') as { behavior?: string }).behavior === 'allow';
  const word = isAllowed ? 'Allowed' : 'Denied';
  for (const { page } of [here, there]) {
    await decided(page)
      .getByText(new RegExp(`^${word} by .+ on the page`))
      .waitFor();
    await page.getByRole('heading', { name: 'Nothing waits.' }).waitFor();
    expect(await page.getByText(`${isAllowed ? 'Denied' : 'Allowed'} by`).count()).toBe(0);
  }
});

test.each(LOOKS)(
  'S4-19 $name: axe finds nothing on it, nothing sticks out, and its buttons are in reach',
  async (look) => {
    const { name, options } = look;
    const long = Array.from({ length: 40 }, (_, index) => `echo ${index}`).join('\n');
    const served = await servePage(asking('s-1', long));
    await served.client.start({
      agent: 'claude',
      prompt: 'A long one, with a title that goes on and on and on and on',
    });
    await untilAsked(served.store);
    const { page, problems } = await logIn(served, options);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await page.getByText('It can be allowed when').waitFor();
    await shoot(page, `inbox-${name}`);
    expect(await seriousProblems(page, look)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    const box = await allow.boundingBox();
    const height = options.viewport.height;
    if (name === 'phone') expect(box?.y).toBeGreaterThan(height / 2);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
    await page.locator('.question-body').evaluate((body) => body.scrollTo(0, body.scrollHeight));
    await page.getByText('It can be allowed when').waitFor({ state: 'detached' });
    // The remark that went has moved the card; a click right after that says so instead, and is made again.
    const isAllowed = async () => {
      if (await allow.isVisible()) await allow.click({ timeout: 1000 }).catch(() => {});
      return page.getByText('Allowed by you').isVisible();
    };
    await expect.poll(isAllowed).toBe(true);
    await decided(page).waitFor();
    await page.mouse.move(1, 1);
    await shoot(page, `inbox-decided-${name}`);
    expect(await seriousProblems(page, look)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

test('where nothing may be answered it only tells, and leads there', async () => {
  const served = await servePage(asking('s-1', 'touch one'));
  const { session } = await served.client.start({ agent: 'claude', prompt: 'Touch it' });
  await untilAsked(served.store);
  const shown = await servePage([], { store: served.store, readOnly: true });
  const { page } = await logIn(shown);
  await page.getByRole('link', { name: `${session}: Run a command: touch one` }).click();
  await page.getByText('Waiting for you').first().waitFor();
  expect(await page.locator('.question').count()).toBe(0);
});
