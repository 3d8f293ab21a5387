/** What the agent may do is decided in a sheet, and the agent hears exactly what was decided. */
import { expect, test } from 'vitest';
import { ask, init, result, type Step, say, toolResult, toolUse } from '../fake-agent/lines.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const input = { command: 'touch ok.txt', description: 'a file' };
const suggestions = [{ type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' }];

const asked = (id = 'q1', given: unknown = input): Step[] => [
  toolUse(`t-${id}`, 'Bash', given),
  ask(id, `t-${id}`, 'Bash', given, suggestions),
  { hear: `"request_id":"${id}"` },
  toolResult(`t-${id}`, 'done'),
];

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

test('S4-17 the sheet shows tool and arguments, and Allow once sends the input back as it was', async () => {
  const served = await servePage([init(), ...asked(), result('fine')]);
  const { page, problems } = await logIn(served);
  await startSession(page);
  const sheet = page.getByRole('dialog', { name: 'Allow Bash?' });
  await sheet.getByText('touch ok.txt').waitFor();
  await expect.poll(() => page.title()).toBe('Waiting for you · glassbox');
  await sheet.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toEqual({ behavior: 'allow', updatedInput: input });
  await expect.poll(() => page.title()).toBe('glassbox');
  expect(problems).toEqual([]);
});

test('always sends the agent its own suggestions back', async () => {
  const served = await servePage([init(), ...asked(), result('fine')]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: 'Always allow' }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ updatedPermissions: suggestions });
});

test('arguments can be changed and removed before allowing, and only what was changed travels', async () => {
  const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
  const given = { command: 'a', token: secret, run_in_background: true };
  const served = await servePage([init(), ...asked('q1', given), result('fine')]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = page.getByLabel('Arguments as JSON');
  expect(await field.inputValue()).not.toContain(secret);
  const shown = JSON.parse(await field.inputValue());
  await field.fill('{');
  await page.getByRole('button', { name: 'Allow as edited' }).click();
  await page.getByText('This is not JSON').waitFor();
  const { run_in_background: _, ...rest } = shown;
  await field.fill(JSON.stringify({ ...rest, command: 'b' }));
  await page.getByRole('button', { name: 'Allow as edited' }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toEqual({ behavior: 'allow', updatedInput: { command: 'b', token: secret } });
});

test('Escape first gives up what is being written, then denies', async () => {
  const served = await servePage([init(), ...asked(), result('fine')]);
  const { page } = await logIn(served);
  await startSession(page);
  for (const [button, field] of [
    ['Edit', 'Arguments as JSON'],
    ['Deny with a reason', 'Reason'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByLabel(field).press('Escape');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
  }
  expect(served.replies().size).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ behavior: 'deny' });
});

test('denied with a reason, which the agent hears', async () => {
  const served = await servePage([init(), ...asked(), result('fine')]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByRole('button', { name: 'Deny with a reason' }).click();
  await page.getByLabel('Reason').fill('use mkdir instead');
  await page.keyboard.press('Enter');
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ behavior: 'deny', message: 'use mkdir instead' });
});

test('keyboard only: Return allows, Escape denies, several wait in a queue', async () => {
  const both = [
    toolUse('t1', 'Bash', input),
    toolUse('t2', 'Read', { file_path: 'secret.txt' }),
    ask('q1', 't1', 'Bash', input),
    ask('q2', 't2', 'Read', { file_path: 'secret.txt' }),
    { hear: '"request_id":"q1"' },
    { hear: '"request_id":"q2"' },
  ];
  const served = await servePage([init(), ...both, result('fine')]);
  const { page } = await logIn(served);
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.keyboard.type('Fix it');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Allow Bash?' }).getByText('1 more').waitFor();
  await page.locator('button:focus', { hasText: 'Allow once' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Allow Read?' }).waitFor();
  await page.locator('button:focus:not(:disabled)', { hasText: 'Allow once' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
  expect(served.replies().get('q2')).toMatchObject({ behavior: 'deny' });
});

test('a question is answered with an option', async () => {
  const served = await servePage([
    init(),
    toolUse('t1', 'AskUserQuestion', question),
    ask('q1', 't1', 'AskUserQuestion', question),
    { hear: '"request_id":"q1"' },
    result('fine'),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByRole('radio', { name: 'Blue' }).check();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ updatedInput: { answers: { 'Which colour?': 'Blue' } } });
});

test('a plan is read as Markdown and let go', async () => {
  const plan = { plan: '# The plan\n\n1. **Read** the code' };
  const served = await servePage([
    init(),
    toolUse('t1', 'ExitPlanMode', plan),
    ask('q1', 't1', 'ExitPlanMode', plan),
    { hear: '"request_id":"q1"' },
    result('fine'),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  const sheet = page.getByRole('dialog', { name: 'The agent has a plan' });
  await sheet.getByRole('heading', { name: 'The plan', exact: true }).waitFor();
  await sheet.getByRole('button', { name: 'Go ahead' }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('q1')).toMatchObject({ behavior: 'allow' });
});

test('the form of a server is filled in', async () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', title: 'Name' },
      age: { type: 'integer' },
      size: { type: 'string', enum: ['small', 'large'] },
      agree: { type: 'boolean', title: 'Agree' },
    },
  };
  const served = await servePage([
    init(),
    say({
      type: 'control_request',
      request_id: 'e1',
      request: { subtype: 'elicitation', mcp_server_name: 'crm', message: 'Who are you?', requested_schema: schema },
    }),
    { hear: '"request_id":"e1"' },
    result('fine'),
  ]);
  const { page } = await logIn(served);
  await startSession(page);
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('age', { exact: true }).fill('36');
  await page.getByLabel('size', { exact: true }).selectOption('large');
  await page.getByLabel('Agree', { exact: true }).check();
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByText('Turn done').waitFor();
  expect(served.replies().get('e1')).toMatchObject({
    action: 'accept',
    content: { name: 'Ada', age: 36, size: 'large', agree: true },
  });
});
