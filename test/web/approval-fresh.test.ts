/** Consent on the page is fresh and informed: nothing answers by the way, and nothing is allowed before its end was in sight. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, toolUse } from '../fake-agent/lines.js';
import { asked, cardIn, deny, input, useAsking } from './asking.js';
import { useBrowser } from './browser.js';

useBrowser();
const openAsking = useAsking();

describe('nobody answers by the way', () => {
  test('Escape gives up what is open, and never denies, puts off or interrupts', async () => {
    const { served, page } = await openAsking(asked());
    for (const [button, field] of [
      ['Change it first', 'command'],
      ['Deny…', 'Reason'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByLabel(field, { exact: true }).press('Escape');
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByLabel('Message to the agent').press('Escape');
    await page.getByRole('button', { name: 'Later' }).press('Escape');
    expect(served.replies().size).toBe(0);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByText('Later: Run a command').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  });

  test('while it waits the list, another session and the conversation are there, and it is still asked afterwards', async () => {
    const { served, page, problems } = await openAsking(asked());
    await cardIn(page).waitFor();
    await page.getByLabel('Message to the agent').fill('half a message');
    await page.getByRole('link', { name: 'New session' }).click();
    await page.getByRole('heading', { name: 'What shall be done?' }).waitFor();
    await page.locator('.session-entry', { hasText: 'Fix the failing test' }).click();
    await cardIn(page).getByText('touch ok.txt').waitFor();
    await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('half a message');
    await page.getByRole('article', { name: 'Tool Bash' }).getByRole('button').click();
    expect(served.replies().size).toBe(0);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Decide' }).click();
    await deny(page);
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
    expect(problems).toEqual([]);
  });

  test('nothing has the focus by itself, and the keyboard leads to every choice', async () => {
    const { served, page } = await openAsking(asked());
    await cardIn(page).waitFor();
    expect(await page.evaluate("document.activeElement?.closest('[data-question]') === null")).toBe(true);
    const allow = page.getByRole('button', { name: 'Allow once' });
    await page.locator('button:not(:disabled)', { hasText: 'Allow once' }).waitFor();
    await allow.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  });
});

describe('a key or click that began before is no answer', () => {
  const second = { command: 'rm -rf keep' };
  const both = [
    toolUse('t1', 'Bash', input),
    toolUse('t2', 'Bash', second),
    ask('q1', 't1', 'Bash', input),
    ask('q2', 't2', 'Bash', second),
    { hear: '"request_id":"q1"' },
    { hear: '"request_id":"q2"' },
  ];

  const cardOf = (page: Page, text: string) => cardIn(page).filter({ hasText: text });

  async function openBoth() {
    const opened = await openAsking(both);
    const allow = cardOf(opened.page, 'touch ok.txt').getByRole('button', { name: 'Allow once' });
    await cardOf(opened.page, 'rm -rf keep').waitFor();
    await opened.page.locator('button:not(:disabled)', { hasText: 'Allow once' }).nth(1).waitFor();
    return { ...opened, allow };
  }

  async function denySecond(page: Page) {
    const card = cardOf(page, 'rm -rf keep');
    await card.getByRole('button', { name: 'Deny…' }).click();
    const button = card.getByRole('button', { name: 'Deny', exact: true });
    // A card that has just moved says so instead, and is pressed again.
    const isDenied = async () => {
      if (await button.isVisible()) await button.click({ timeout: 1000 }).catch(() => {});
      return page.getByText('Turn done').isVisible();
    };
    await expect.poll(isDenied).toBe(true);
  }

  test('a second click hits nothing: what was answered keeps its place while the pointer is near', async () => {
    const { served, page, allow } = await openBoth();
    const second = cardOf(page, 'rm -rf keep');
    const before = (await second.boundingBox())?.y;
    const box = await allow.boundingBox();
    const click = () => page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await click();
    await page.getByText('Allowed by you · told to the agent').waitFor();
    // Rows above have heights of fractions.
    expect((await second.boundingBox())?.y).toBeCloseTo(before ?? 0, -0.5);
    await click();
    await denySecond(page);
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
    await expect.poll(() => served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });

  test('a key that is held down answers one question', async () => {
    const { served, page, allow } = await openBoth();
    await allow.focus();
    await page.keyboard.down('Enter');
    await page.getByText('Allowed by you · told to the agent').waitFor();
    // As the system repeats it.
    for (let count = 0; count < 3; count += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await denySecond(page);
    await expect.poll(() => served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });

  test('a question that is gone under the pointer is not answered by letting go, nor is another one', async () => {
    const { served, page, allow } = await openBoth();
    const box = await allow.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page.mouse.down();
    const { items } = await served.client.sessions();
    await served.client.deny(items[0]?.runs[0]?.runId ?? '', 'q1');
    await page.getByText('Denied by a program').first().waitFor();
    await page.mouse.up();
    await denySecond(page);
    await expect.poll(() => served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });

  test('a click on what has just moved is none, whatever key is hit meanwhile; a key means what has the focus', async () => {
    const { served, page } = await openBoth();
    const allow = cardOf(page, 'rm -rf keep').getByRole('button', { name: 'Allow once' });
    /** At the last moment before it counts, as when something comes in. */
    const moveOn = (type: string, byPx: number) =>
      page.evaluate(
        `addEventListener('${type}', () => {
          document.querySelector('.question-list').style.transform = 'translateY(${byPx}px)';
        }, { capture: true, once: true })`,
      );
    const box = await allow.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 9, (box?.y ?? 0) + 5);
    await moveOn('mouseup', -10);
    await page.mouse.down();
    await page.keyboard.press('Shift');
    await page.mouse.up();
    await page.getByText('It has just moved, so nothing was answered.').waitFor();
    expect(served.replies().size).toBe(0);
    await allow.focus();
    await moveOn('keydown', 10);
    await page.keyboard.press('Enter');
    await page.getByText('Allowed by you · told to the agent').waitFor();
    await cardOf(page, 'touch ok.txt').getByRole('button', { name: 'Allow once' }).press('Enter');
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q2')).toMatchObject({ behavior: 'allow' });
  });

  test('what appears while a key is down, or has only just appeared, is not answered', async () => {
    const { served, page } = await openAsking([
      ...asked('q1'),
      toolUse('t2', 'Bash', second),
      ask('q2', 't2', 'Bash', second),
      { hear: '"request_id":"q2"' },
    ]);
    const allow = cardOf(page, 'touch ok.txt').getByRole('button', { name: 'Allow once' });
    await page.locator('button:not(:disabled)', { hasText: 'Allow once' }).waitFor();
    await allow.focus();
    await page.keyboard.down('Enter');
    const next = cardOf(page, 'rm -rf keep');
    await next.waitFor();
    expect(await next.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    await page.evaluate("[...document.querySelectorAll('.question .primary')].at(-1).click()");
    await page.keyboard.up('Enter');
    await denySecond(page);
    await expect.poll(() => served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });
});

const scrollToEnd = (page: Page) =>
  page.evaluate("{ const body = document.querySelector('.question-body'); body.scrollTop = body.scrollHeight; }");

describe('what is long cannot be allowed before its end was in sight', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `echo ${index + 1}`).join('\n');

  test('by scrolling', async () => {
    const { served, page } = await openAsking(asked('q1', { command: `${lines(120)}\nrm -rf important` }));
    await page.getByText('It can be allowed when its end was in sight').waitFor();
    const allow = page.getByRole('button', { name: 'Allow once' });
    await page.getByRole('button', { name: 'Deny…' }).waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await scrollToEnd(page);
    await page.getByText('It can be allowed when').waitFor({ state: 'detached' });
    await allow.click();
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  });

  test('an edit too: nothing of it is cut off where nobody can scroll to', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
    const { page } = await openAsking(asked('q1', { file_path: 'new.txt', content: lines }, 'Write'));
    const body = page.locator('.question-body');
    await body.locator('.diff-add').first().waitFor();
    expect(await body.evaluate((element) => element.querySelector('.diff')?.clientHeight)).toBeGreaterThan(1500);
    await page.getByText('It can be allowed when its end was in sight').waitFor();
    const allow = page.getByRole('button', { name: 'Allow once' });
    expect(await allow.isDisabled()).toBe(true);
    // It may still grow while it is being drawn.
    await expect
      .poll(async () => {
        await scrollToEnd(page);
        return allow.isEnabled();
      })
      .toBe(true);
  });

  test('a very long one only when all of it is there', async () => {
    const { page } = await openAsking(asked('q1', { command: `${lines(2000)}\nrm -rf important` }));
    await cardIn(page).waitFor();
    await scrollToEnd(page);
    await page.getByRole('button', { name: 'Deny…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    expect(await cardIn(page).textContent()).not.toContain('rm -rf important');
    await page.getByRole('button', { name: 'Show all of it' }).click();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    await scrollToEnd(page);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Turn done').waitFor();
  });

  test('also when it was about to be changed before, or was shown whole by then', async () => {
    const long = asked('q1', { command: `${lines(120)}\nrm -rf important` });
    const longer = asked('q2', { command: `${lines(2000)}\nrm -rf important` });
    const { page } = await openAsking([...long, ...longer]);
    const allow = page.getByRole('button', { name: 'Allow once' });
    const lookAtEditor = async () => {
      await page.getByRole('button', { name: 'Change it first' }).click();
      expect(await page.getByRole('button', { name: 'Allow as changed' }).isDisabled()).toBe(true);
      await page.getByText('when its end was in sight: go back and scroll down').waitFor();
      expect(await page.locator('.question-body').evaluate((body) => body.scrollHeight - body.clientHeight)).toBe(0);
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByText('It can be allowed when its end was in sight').waitFor();
    };
    await lookAtEditor();
    await scrollToEnd(page);
    await allow.click();
    await page.getByRole('button', { name: 'Show all of it' }).click();
    await lookAtEditor();
    expect(await cardIn(page).textContent()).toContain('rm -rf important');
    expect(await allow.isDisabled()).toBe(true);
    await scrollToEnd(page);
    await allow.click();
    await page.getByText('Turn done').waitFor();
  });

  test('and what is too long to be here at all, never', async () => {
    const { served, page } = await openAsking(
      asked('q1', { command: `echo ${'x'.repeat(1_500_000)}; rm -rf important` }),
    );
    await page.getByText('too long to be shown to its end (1.5 MB)').waitFor();
    await page.getByRole('button', { name: 'Show all of it' }).click();
    await scrollToEnd(page);
    await page.getByRole('button', { name: 'Deny…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    await deny(page);
    await page.getByText('Turn done').waitFor();
    await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
  });
});
