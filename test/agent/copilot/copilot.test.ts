import { copilot } from '../../../src/agent/copilot/index.js';
import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import { testAgent } from '../suite.js';

const base = '--output-format json';

testAgent({
  agent: copilot,
  folders: ['copilot'],
  commands: [
    ['the prompt goes by stdin, what would be asked is refused', {}, base, 'text'],
    ['no deltas', { deltas: false }, `${base} --stream=off`],
    ['ask is refused too', { permission: 'ask' }, base],
    ['accept-edits', { permission: 'accept-edits' }, `${base} --allow-tool=write`],
    ['plan', { permission: 'plan' }, `${base} --plan`],
    ['bypass', { permission: 'bypass' }, `${base} --allow-all`],
    ['model and directories', { model: 'm', addDirs: ['/a', '/b'] }, `${base} --model=m --add-dir=/a --add-dir=/b`],
    [
      'tools',
      { allowedTools: ['shell(git:*)'], disallowedTools: ['write'] },
      `${base} --allow-tool=shell(git:*) --deny-tool=write`,
    ],
    ['MCP servers', { mcpConfig: '{"mcpServers":{}}' }, `${base} --additional-mcp-config={"mcpServers":{}}`],
    ['resume', { resume: 'id-1' }, `${base} --resume=id-1`],
    ['resume the latest', { resume: 'latest' }, `${base} --continue`],
    ['session id', { sessionId: 'id-2' }, `${base} --session-id=id-2`],
    ['further arguments', { extraArgs: ['--no-color'] }, `${base} --no-color`],
    ['a conversation is one prompt too', { mode: 'conversation' }, base, 'text'],
  ],
  check,
});

/** An interrupt ends with status 0 too, and a signal to the launcher alone interrupts nothing. */
function check(events: readonly Draft[], { name }: { name: string }): string[] {
  const outcomes = ofType(events, 'turn-end').map(({ outcome }) => outcome);
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1] ?? 'success';
  return outcomes.length === 0 || outcomes.join() === expected ? [] : [`${outcomes} instead of ${expected}`];
}

const EXPECTED: [RegExp, string][] = [
  [/api-(400|500)$|empty-answer|server-unreachable/, 'failed'],
  [/interrupt-.*-(group|native)/, 'interrupted'],
];
