/** Consent on the page is fresh and informed: nothing answers by the way, and nothing is allowed before its end was in sight. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, toolUse } from '../fake-agent/lines.js';
import { asked, cardIn, input, useAsking } from './asking.js';
import { useBrowser } from './browser.js';

useBrowser();
const openAsking = useAsking();

describe('nobody answers by the way', () => {
  test('Escape gives up what is open, then puts the question off, and never denies or interrupts', async () => {
    const { served, page } = await openAsking(asked());
    for (const [button, field] of [
      ['Change it first', 'command'],
      ['Deny with a reason', 'Reason'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByLabel(field, { exact: true }).press('Escape');
      await page.getByRole('button', { name: 'Allow once' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.getByLabel('Message to the agent').press('Escape');
    await page.getByRole('button', { name: 'Later' }).press('Escape');
    await page.getByText('Waiting for you: Run a command').last().waitFor();
    await page.keyboard.press('Escape');
    expect(served.replies().size).toBe(0);
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Turn done').waitFor();
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  });

  test('while it waits the list, another session and the conversation are there, and it is still asked afterwards', async () => {
    const { served, page, problems } = await openAsking(asked());
    await cardIn(page).waitFor();
    await page.getByLabel('Message to the agent').fill('half a message');
    await page.getByRole('link', { name: 'New session' }).click();
    await page.getByRole('heading', { name: 'What shall be done?' }).waitFor();
    await page.locator('.session-entry', { hasText: 'Fix the failing test' }).click();
    await cardIn(page).getByText('touch ok.txt').waitFor();
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('half a message');
    await page.getByRole('article', { name: 'Tool Bash' }).getByRole('button').click();
    expect(served.replies().size).toBe(0);
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Turn done').waitFor();
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
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
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
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

  async function openBoth() {
    const opened = await openAsking(both);
    const allow = opened.page.getByRole('button', { name: 'Allow once' });
    await cardIn(opened.page).getByText('1 more').waitFor();
    await opened.page.locator('button:not(:disabled)', { hasText: 'Allow once' }).waitFor();
    return { ...opened, allow };
  }

  async function denySecond(page: Page) {
    await cardIn(page).getByText('rm -rf keep').waitFor();
    await cardIn(page).getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Turn done').waitFor();
  }

  test('a second click answers no question that has only just appeared', async () => {
    const { served, page, allow } = await openBoth();
    const box = await allow.boundingBox();
    const click = () => page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await click();
    await cardIn(page).getByText('rm -rf keep').waitFor();
    await click();
    await denySecond(page);
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
    expect(served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });

  test('a key that is held down answers one question', async () => {
    const { served, page, allow } = await openBoth();
    await allow.focus();
    await page.keyboard.down('Enter');
    await cardIn(page).getByText('rm -rf keep').waitFor();
    // As the system repeats it.
    await page.evaluate("document.querySelector('.sheet .primary').focus()");
    for (let count = 0; count < 3; count += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await denySecond(page);
    expect(served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });

  test('a question that changes under the pointer is not answered by letting go', async () => {
    const { served, page, allow } = await openBoth();
    const box = await allow.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await page.mouse.down();
    const { items } = await served.client.sessions();
    await served.client.deny(items[0]?.runs[0]?.runId ?? '', 'q1');
    await cardIn(page).getByText('rm -rf keep').waitFor();
    await page.mouse.up();
    await denySecond(page);
    expect(served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
  });
});

const scrollToEnd = (page: Page) =>
  page.evaluate("{ const body = document.querySelector('.sheet-body'); body.scrollTop = body.scrollHeight; }");

describe('what is long cannot be allowed before its end was in sight', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `echo ${index + 1}`).join('\n');

  test('by scrolling', async () => {
    const { served, page } = await openAsking(asked('q1', { command: `${lines(120)}\nrm -rf important` }));
    await page.getByText('It can be allowed when its end was in sight').waitFor();
    const allow = page.getByRole('button', { name: 'Allow once' });
    await page.locator('button:not(:disabled)', { hasText: 'Deny' }).first().waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await scrollToEnd(page);
    await page.getByText('It can be allowed when').waitFor({ state: 'detached' });
    await allow.click();
    await page.getByText('Turn done').waitFor();
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  });

  test('an edit too: nothing of it is cut off where nobody can scroll to', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');
    const { page } = await openAsking(asked('q1', { file_path: 'new.txt', content: lines }, 'Write'));
    const body = page.locator('.sheet-body');
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
    await page.locator('button:not(:disabled)', { hasText: 'Deny' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    expect(await cardIn(page).textContent()).not.toContain('rm -rf important');
    await page.getByRole('button', { name: 'Show all of it' }).click();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    await scrollToEnd(page);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('Turn done').waitFor();
  });

  test('and what is too long to be here at all, never', async () => {
    const { served, page } = await openAsking(
      asked('q1', { command: `echo ${'x'.repeat(1_500_000)}; rm -rf important` }),
    );
    await page.getByText('too long to be shown to its end (1.5 MB)').waitFor();
    await page.getByRole('button', { name: 'Show all of it' }).click();
    await scrollToEnd(page);
    await page.locator('button:not(:disabled)', { hasText: 'Deny' }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Turn done').waitFor();
    expect(served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
  });
});
