import { droid } from '../../../src/agent/droid/index.js';
import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import { testAgent } from '../suite.js';

const exec = 'exec --output-format stream-json --skip-permissions-unsafe';
const rpc = 'exec --output-format stream-jsonrpc --input-format stream-jsonrpc';

testAgent({
  agent: droid,
  folders: ['droid'],
  commands: [
    ['one prompt that may do everything goes by stdin', { permission: 'bypass' }, exec, 'text'],
    ['whatever may not is asked about, so it talks', { permission: 'deny' }, rpc, 'lines'],
    ['ask', { permission: 'ask' }, rpc, 'lines'],
    ['accept-edits', { permission: 'accept-edits' }, rpc, 'lines'],
    ['plan', { permission: 'plan' }, rpc, 'lines'],
    ['a conversation', { mode: 'conversation', permission: 'bypass' }, rpc, 'lines'],
    ['model', { permission: 'bypass', model: 'm' }, `${exec} --model=m`],
    [
      'tools',
      { allowedTools: ['Read', 'LS'], disallowedTools: ['Execute'] },
      `${rpc} --enabled-tools=Read,LS --disabled-tools=Execute`,
    ],
    ['resume is a request, not a flag', { permission: 'bypass', resume: 'abc' }, rpc, 'lines'],
    ['fork', { permission: 'bypass', resume: 'abc', fork: true }, `${exec} --fork=abc`, 'text'],
    [
      'further arguments',
      { permission: 'bypass', extraArgs: ['--reasoning-effort=low'] },
      `${exec} --reasoning-effort=low`,
    ],
  ],
  check,
});

/** A failure has no completion, and a signal interrupts only the tool. */
function check(events: readonly Draft[], { name }: { name: string }): string[] {
  const outcomes = ofType(events, 'turn-end').map(({ outcome }) => outcome);
  const expected = EXPECTED.find(([pattern]) => pattern.test(name))?.[1] ?? 'success';
  return outcomes.length === 0 || outcomes.join() === expected ? [] : [`${outcomes} instead of ${expected}`];
}

const EXPECTED: [RegExp, string][] = [
  [/401/, 'failed'],
  [/api-500$/, 'unknown'],
  [/jsonrpc-interrupt/, 'interrupted'],
];
