/** Settings, keys, and a phone that comes in by a picture. */
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser, visitServer } from './browser.js';
import { useOneServer } from './one-server.js';

useBrowser();
const open = useOneServer({ behindProxy: true, allowHosts: ['phone.example'] });

/** As a camera sees it. */
async function readPicture(page: Page): Promise<string> {
  await page.locator('.qr svg').waitFor();
  const picture = (await page.evaluate(`new Promise((resolve) => {
    const image = new Image();
    image.onload = () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 400 });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 400, 400);
      resolve([...context.getImageData(0, 0, 400, 400).data]);
    };
    const text = new XMLSerializer().serializeToString(document.querySelector('.qr svg'));
    image.src = 'data:image/svg+xml,' + encodeURIComponent(text.replace('<svg', '<svg width="400" height="400"'));
  })`)) as number[];
  return decodeQR({ width: 400, height: 400, data: Uint8Array.from(picture) });
}

test('a phone comes in by the picture when the desktop agrees, once', async () => {
  const { page, served, problems } = await open([]);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Show a QR code' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const link = await readPicture(page);
  expect(link).toMatch(/^https:\/\/phone\.example\/#guest=[\w-]+$/);
  await shoot(page, 'settings-qr');
  // The proxy in front.
  const here = link.replace('https://phone.example', served.server.url);
  const phone = await visitServer({ viewport: { width: 390, height: 780 }, hasTouch: true });
  await phone.page.goto(here);
  await phone.page.getByRole('heading', { name: 'Confirm on the other screen' }).waitFor();
  await shoot(phone.page, 'settings-guest-phone');
  const mark = await phone.page.locator('.guest-mark').textContent();
  await page.getByText('wants to come in').waitFor();
  expect(await page.locator('.guest .guest-mark').textContent()).toBe(mark);
  await shoot(page, 'settings-guest');
  await page.getByRole('button', { name: 'Yes, let it in' }).click();
  await page.getByText(/ is in\.$/).waitFor();
  await phone.page.getByRole('link', { name: 'New session' }).waitFor();
  const late = await visitServer();
  await late.page.goto(here);
  await late.page.getByText('was not confirmed').waitFor();
  expect([...problems, ...phone.problems]).toEqual([]);
});

test('who is sent away is told, and the theme stays over a reload', async () => {
  const { page, served, problems } = await open([]);
  await page.goto(`${served.server.url}/settings`);
  await page.getByText('Dark', { exact: true }).click();
  const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
  expect(await scheme()).toBe('dark');
  await page.reload();
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  // Whether they are permitted is not known at once.
  expect(await page.getByText('This browser has none').count()).toBe(0);
  await expect.poll(scheme).toBe('dark');
  await page.getByRole('button', { name: 'Show a QR code' }).click();
  const here = (await readPicture(page)).replace('https://phone.example', served.server.url);
  const phone = await visitServer();
  await phone.page.goto(here);
  await page.getByRole('button', { name: 'No, send it away' }).click();
  await phone.page.getByRole('heading', { name: 'This browser is not logged in' }).waitFor();
  await page.getByRole('button', { name: 'Browsers…' }).click();
  await page.getByText('This link works once').waitFor();
  await page.keyboard.press('Escape');
  expect(problems).toEqual([]);
});

test('? shows the keys, not while somebody writes', async () => {
  const { page, problems } = await open([]);
  const prompt = page.getByLabel('Prompt');
  await prompt.press('?');
  await expect.poll(() => prompt.inputValue()).toBe('?');
  await prompt.fill('');
  await page.locator('body').click({ position: { x: 700, y: 5 } });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('it can be installed: the manifest and its icons are there', async () => {
  const { page, served } = await open([]);
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest = await (await fetch(`${served.server.url}${href}`)).json();
  expect(manifest).toMatchObject({ display: 'standalone', start_url: '/' });
  for (const { src, type } of manifest.icons) {
    const icon = await fetch(`${served.server.url}${src}`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, type]);
  }
});

test.each(LOOKS)('S4-19 $name: the settings fit, and axe finds nothing', async (look) => {
  const { page, served } = await open([]);
  await page.setViewportSize(look.options.viewport);
  await page.emulateMedia({ colorScheme: look.options.colorScheme ?? 'light' });
  await page.goto(`${served.server.url}/settings`);
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await shoot(page, `settings-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  const box = await page.locator('.settings-body').boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0), 'it scrolls at the edge').toBe(look.options.viewport.width);
});
