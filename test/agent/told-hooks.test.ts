/** What the hooks of programs tell that are only listened to, as they were received from the real ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/index.js';
import { requireAgent } from '../../src/decode/index.js';

const FOLDER = 'test/hook/payload';
const payload = (name: string): unknown => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, 'utf8'));

test.each([
  ['gemini-SessionStart', 'session-start', undefined],
  ['gemini-BeforeAgent', 'prompt', undefined],
  ['gemini-BeforeTool', 'tool-start', 'touch made.txt; sleep 4'],
  ['gemini-Notification', 'ask', 'touch made.txt; sleep 4'],
  ['gemini-AfterTool', 'tool-end', 'touch made.txt; sleep 4'],
  ['gemini-AfterAgent', 'turn-end', undefined],
  ['qwen-SessionStart', 'session-start', undefined],
  ['qwen-UserPromptSubmit', 'prompt', undefined],
  ['qwen-PermissionRequest', 'ask', 'touch made.txt; sleep 4'],
  ['qwen-PreToolUse', 'tool-start', 'touch made.txt; sleep 4'],
  ['qwen-PostToolUse', 'tool-end', 'touch made.txt; sleep 4'],
  ['qwen-Stop', 'turn-end', undefined],
])('%s: %s', (name, what, summary) => {
  const told = requireAgent(name.split('-')[0] ?? '').hooks?.read(payload(name));
  expect(told).toMatchObject({ what, sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/), cwd: '/repo' });
  expect(told?.call?.request.summary).toBe(summary);
  expect(told?.answer ?? told?.deny, 'nothing can be answered').toBeUndefined();
});

test.each([
  [
    { type: 'edit', title: 'Confirm Edit', filePath: '/repo/a.ts' },
    { toolName: 'write_file', summary: '/repo/a.ts' },
  ],
  [{ type: 'mcp', title: 'Confirm', serverName: 'wiki', toolName: 'search' }, { toolName: 'search' }],
  [{ type: 'info', title: 'Confirm' }, undefined],
])('a question of Gemini CLI tells what it is about: %j', (details, request) => {
  const asked = { ...(payload('gemini-Notification') as object), details };
  const { what, call } = requireAgent('gemini').hooks?.read(asked) ?? {};
  expect(what).toBe('ask');
  if (request) expect(call?.request).toMatchObject(request);
  else expect(call).toBeUndefined();
});

test('each is understood by the agent that told it, and by no other', () => {
  for (const file of readdirSync(FOLDER)) {
    const told = payload(file.replace('.json', ''));
    const readers = AGENTS.filter(({ hooks }) => hooks?.read(told)).map(({ name }) => name);
    expect(readers, file).toEqual([file.split('-')[0]]);
  }
});

test.each([[undefined], ['text'], [{}], [{ hook_event_name: 'Stop' }], [{ hook_event_name: 'Stop', session_id: 7 }]])(
  'what is no news is none: %j',
  (value) => {
    for (const { hooks } of AGENTS) expect(hooks?.read(value)).toBeUndefined();
  },
);
