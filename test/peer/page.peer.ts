/** The page in a real browser, the real server and the real Claude Code against a model on loopback: a whole session as a person has it. */
import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { serve } from '../server/serve.js';
import { deny } from '../web/asking.js';
import { logIn, startSession, useBrowser } from '../web/browser.js';
import { PAGE_FOLDER, scriptedAgent } from '../web/serve-page.js';
import { claude } from './agent/claude.js';
import { gate, type ModelTurn, sequence } from './model/turn.js';
import { callTool } from './peer.js';
import { createStage, type Stage } from './stage.js';

useBrowser();

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

const QUESTION = {
  question: 'Which color?',
  header: 'Color',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
};

test('start, watch words come, allow, deny, edit, answer, follow up, interrupt, go on', async () => {
  const [words, endless] = [gate(), gate()];
  const turns: ModelTurn[] = [
    { text: 'These words come one after the other.', hold: words.promise, ...claude.shell('touch allowed.txt') },
    claude.shell('touch denied.txt'),
    claude.shell('touch wrong.txt'),
    callTool('AskUserQuestion', { questions: [QUESTION] }),
    { text: 'Blue it is.' },
    { text: 'An answer that never comes to its end.', hold: endless.promise },
    { text: 'Here is the end.' },
  ];
  stage = await createStage(claude, () => sequence(...turns));
  const { program, env, sandbox, model } = stage;
  const served = await serve([], {
    projects: [sandbox.cwd],
    pageFolder: PAGE_FOLDER,
    agents: async () => [scriptedAgent()],
    runDefaults: { program, env },
  });
  try {
    const { page, problems } = await logIn(served);
    await startSession(page, 'Begin');
    const conversation = page.getByLabel('Conversation');
    await conversation.getByText('These wor').waitFor();
    expect(await conversation.getByText('one after the other').count()).toBe(0);
    words.open();
    await conversation.getByText('These words come one after the other.').waitFor();

    await asked(page, 'touch allowed.txt');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await asked(page, 'touch denied.txt');
    await deny(page, 'not this one');
    await asked(page, 'touch wrong.txt');
    await page.getByRole('button', { name: 'Change it first' }).click();
    const field = page.getByLabel('command', { exact: true });
    await field.fill((await field.inputValue()).replace('wrong.txt', 'edited.txt'));
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    await page.getByRole('radio', { name: 'Blue' }).check();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await conversation.getByText('Blue it is.').waitFor();
    await conversation.getByText('Turn done').waitFor();
    const made = ['allowed.txt', 'denied.txt', 'wrong.txt', 'edited.txt'].filter((name) =>
      existsSync(sandbox.file(name)),
    );
    expect(made).toEqual(['allowed.txt', 'edited.txt']);
    expect(JSON.stringify(model.calls)).toContain('not this one');

    await followUp(page, 'Tell me more');
    await conversation.getByText('An answer').waitFor();
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await conversation.getByText('Interrupted').waitFor();
    await followUp(page, 'And the end?');
    await conversation.getByText('Here is the end.').waitFor();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    expect(JSON.stringify(model.calls.at(-1))).toContain('Tell me more');
    const { items } = await served.client.sessions();
    expect(items).toMatchObject([{ title: 'Begin', state: 'ended', outcome: 'finished' }]);
    expect(problems).toEqual([]);
  } finally {
    words.open();
    endless.open();
    await served.server.close();
  }
});

async function asked(page: Page, command: string): Promise<void> {
  await page.getByRole('region', { name: 'Run a command' }).getByText(command).waitFor();
}

async function followUp(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Continue this session').fill(text);
  await page.keyboard.press('Enter');
}
