/** What the agent may do is decided in a card of the conversation that locks nothing, and the agent hears exactly what was decided. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, init, result, say, toolResult, toolUse } from '../fake-agent/lines.js';
import { scripted } from '../fake-agent/play.js';
import { asked, cardIn, deny, input, rule, useAsking } from './asking.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { scriptedAgent, servePage } from './serve-page.js';

useBrowser();
const openAsking = useAsking();

const question = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'like a rose' },
        { label: 'Blue', description: 'like the sea' },
      ],
    },
  ],
};

test('S4-17 the card shows what is asked, and Allow once sends the input back as it was', async () => {
  const { served, page, problems } = await openAsking(asked());
  const card = cardIn(page);
  await card.getByText('touch ok.txt').waitFor();
  await expect.poll(() => page.title()).toBe('(1) glassbox');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Turn done').waitFor();
  await expect.poll(() => served.replies().get('q1')).toEqual({ behavior: 'allow', updatedInput: input });
  await expect.poll(() => page.title()).toBe('glassbox');
  expect(problems).toEqual([]);
});

test('always names each scope, the narrowest first, and sends the one that was taken', async () => {
  const { served, page } = await openAsking(asked());
  await page.getByRole('button', { name: 'Always…' }).click();
  const scopes = page.getByRole('list', { name: 'Always allow' }).getByRole('button');
  await expect
    .poll(() => scopes.allTextContents())
    .toEqual([
      'Always allow every command that begins with `touch` in this project from now on, written to .claude/settings.local.json',
      'Always allow all edits of files until this session ends',
    ]);
  await scopes.first().click();
  await page.getByText('Turn done').waitFor();
  await expect.poll(() => served.replies().get('q1')).toMatchObject({ updatedPermissions: [rule] });
});

describe('arguments can be changed before allowing', () => {
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const given = { command: 'echo "a\n"', token: secret, run_in_background: true };

  test('a text as a text, and only what was changed travels', async () => {
    const { served, page } = await openAsking(asked('q1', given));
    await page.getByRole('button', { name: 'Change it first' }).click();
    expect(await page.getByLabel('token', { exact: true }).inputValue()).not.toContain(secret);
    const field = page.getByLabel('command', { exact: true });
    expect(await field.inputValue()).toBe(given.command);
    await field.fill('echo "b\n"');
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    await page.getByText('Turn done').waitFor();
    await expect
      .poll(() => served.replies().get('q1'))
      .toEqual({
        behavior: 'allow',
        updatedInput: { ...given, command: 'echo "b\n"' },
      });
  });

  test('or all of it as JSON, where a field can go', async () => {
    const { served, page } = await openAsking(asked('q1', given));
    await page.getByRole('button', { name: 'Change it first' }).click();
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    await page.getByText('Nothing was changed').waitFor();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const field = page.getByLabel('Arguments as JSON');
    const { run_in_background: _, ...rest } = JSON.parse(await field.inputValue());
    await field.fill('{');
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    await page.getByText('This is not JSON').waitFor();
    await field.fill(JSON.stringify(rest));
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    await page.getByText('Turn done').waitFor();
    const { command, token } = given;
    await expect
      .poll(() => served.replies().get('q1'))
      .toEqual({ behavior: 'allow', updatedInput: { command, token } });
  });
});

test.each([
  ['is not offered where the agent takes none', false],
  ['says what of it the agent does not take', 'not for shell commands'],
] as const)('changing it first %s', async (_, editInput) => {
  const agent = scriptedAgent();
  const agents = async () => [{ ...agent, capabilities: { ...agent.capabilities, editInput } }];
  const served = await servePage([init(), ...asked(), result('fine')], { agents });
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  const change = page.getByRole('button', { name: 'Change it first' });
  if (editInput === false) return expect(await change.count()).toBe(0);
  await change.click();
  await page.getByText('This agent takes changes not for shell commands.').waitFor();
});

describe('the card of a tool says afterwards', () => {
  const toolCard = async (page: Page, name = 'Bash') => {
    await page.getByText('Turn done').waitFor();
    const card = page.getByRole('article', { name: `Tool ${name}` });
    if ((await card.locator('.tool-head').getAttribute('aria-expanded')) === 'false') {
      await card.locator('.tool-head').click();
    }
    return card;
  };

  test('who allowed it, also after a reload', async () => {
    const { page } = await openAsking(asked());
    await page.getByRole('button', { name: 'Allow once' }).click();
    const said = /^Allowed by .+ on the page$/;
    await page.getByText('Turn done').waitFor();
    const card = page.getByRole('article', { name: 'Tool Bash' });
    await card.getByText(said).waitFor();
    await page.reload();
    await card.getByText(said).waitFor();
    expect(await card.locator('.tool-head').getAttribute('aria-expanded')).toBe('false');
    expect(await card.getByText('edited', { exact: true }).count()).toBe(0);
  });

  test('which rule allowed it, when nobody was asked', async () => {
    const steps = [init(), ...asked(), result('fine')];
    const { program, env, survivorGraceMs } = scripted(steps);
    const rules = [{ decision: 'allow' as const, command: 'touch *' }];
    const served = await servePage(steps, { runDefaults: { program, env, survivorGraceMs, rules } });
    const { page } = await logIn(served);
    await startSession(page);
    await page.getByRole('article', { name: 'Tool Bash' }).getByText('by rule', { exact: true }).waitFor();
    await (await toolCard(page)).getByText('Allowed by the rule allow command=touch *').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText(/^Allowed by the rule allow command=touch \* · /).waitFor();
  });

  test('that nobody was asked, and under which permission', async () => {
    const { page } = await openAsking([toolUse('t1', 'Bash', input), toolResult('t1', 'done')]);
    await (await toolCard(page)).getByText('Nobody was asked (permission at start: Ask me)').waitFor();
  });

  test('why it was refused, without being asked for', async () => {
    const { page } = await openAsking(asked());
    await deny(page, 'use mkdir <b>instead</b>');
    await page.getByText('Turn done').waitFor();
    const card = page.getByRole('article', { name: 'Tool Bash' });
    await card.getByText(/^Denied by .+ on the page: use mkdir <b>instead<\/b>$/).waitFor();
  });

  test('that it was edited, and how', async () => {
    const { page } = await openAsking(asked());
    await page.getByRole('button', { name: 'Change it first' }).click();
    await page.getByLabel('command', { exact: true }).fill('touch better.txt');
    await page.getByRole('button', { name: 'Allow as changed' }).click();
    const card = await toolCard(page);
    await card.getByText('edited', { exact: true }).waitFor();
    await card.getByText(/^Allowed with changes by .+ on the page$/).waitFor();
    await card.getByText('command: touch better.txt', { exact: true }).waitFor();
  });
});

test('denied with a reason, which the agent hears', async () => {
  const { served, page } = await openAsking(asked());
  await deny(page, 'use mkdir instead');
  await page.getByText('Turn done').waitFor();
  await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'deny', message: 'use mkdir instead' });
});

test('an edit is shown against the file as it is, with its numbers', async () => {
  const edit = { file_path: 'a.ts', old_string: 'line 12', new_string: 'twelve' };
  const served = await servePage([init(), ...asked('q1', edit, 'Edit'), result('fine')]);
  const file = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join('');
  writeFileSync(path.join(served.project, 'a.ts'), file);
  const { page } = await logIn(served);
  await startSession(page);
  const card = cardIn(page, 'Change a.ts');
  const words = async (line: Locator) => (await line.first().textContent())?.replaceAll(/\s+/g, ' ');
  await expect.poll(() => words(card.locator('.diff-remove'))).toBe('12 −line 12 ');
  await expect.poll(() => words(card.locator('.diff-same'))).toBe(' 9 9 line 9 ');
});

test('a question is answered with an option, none of which is chosen beforehand', async () => {
  const { served, page } = await openAsking([
    toolUse('t1', 'AskUserQuestion', question),
    ask('q1', 't1', 'AskUserQuestion', question),
    { hear: '"request_id":"q1"' },
  ]);
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0);
  const answer = page.getByRole('button', { name: 'Answer', exact: true });
  await answer.click();
  await page.getByText('"Colour" is not answered yet.').waitFor();
  await page.getByRole('radio', { name: 'Blue' }).check();
  await answer.click();
  await page.getByText('Turn done').waitFor();
  await expect
    .poll(() => served.replies().get('q1'))
    .toMatchObject({ updatedInput: { answers: { 'Which colour?': 'Blue' } } });
  const conversation = page.getByLabel('Conversation');
  await conversation.getByText(/^Answered by .+ on the page: Which colour\?$/).waitFor();
  await conversation.getByText('Colour: Blue', { exact: true }).waitFor();
});

test('a plan is read as Markdown and let go', async () => {
  const plan = { plan: '# The plan\n\n1. **Read** the code' };
  const { served, page } = await openAsking([
    toolUse('t1', 'ExitPlanMode', plan),
    ask('q1', 't1', 'ExitPlanMode', plan),
    { hear: '"request_id":"q1"' },
  ]);
  const card = cardIn(page, 'Go on with this plan');
  await card.getByRole('heading', { name: 'The plan', exact: true }).waitFor();
  await card.getByRole('button', { name: 'Go ahead' }).click();
  await page.getByText('Turn done').waitFor();
  await expect.poll(() => served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
});

test('the form of a server is filled in', async () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name' },
      age: { type: 'integer' },
      size: { type: 'string', enum: ['small', 'large'] },
      key: { type: 'string', format: 'password', title: 'Key' },
      agree: { type: 'boolean', title: 'Agree' },
    },
  };
  const { served, page } = await openAsking([
    say({
      type: 'control_request',
      request_id: 'e1',
      request: { subtype: 'elicitation', mcp_server_name: 'crm', message: 'Who are you?', requested_schema: schema },
    }),
    { hear: '"request_id":"e1"' },
  ]);
  await page.getByText('Who are you?').first().waitFor();
  expect(await page.getByLabel('Key').getAttribute('type')).toBe('password');
  expect(await page.getByLabel('size', { exact: true }).inputValue()).toBe('');
  const answer = page.getByRole('button', { name: 'Answer', exact: true });
  await answer.click();
  await page.getByText('"Name" is not answered yet.').waitFor();
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('age', { exact: true }).fill('36');
  await page.getByLabel('size', { exact: true }).selectOption('large');
  await page.getByLabel('Agree', { exact: true }).check();
  await answer.click();
  await page.getByText('Turn done').waitFor();
  await expect
    .poll(() => served.replies().get('e1'))
    .toMatchObject({
      action: 'accept',
      content: { name: 'Ada', age: 36, size: 'large', agree: true },
    });
});
