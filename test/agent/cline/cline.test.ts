import { cline } from '../../../src/agent/cline/index.js';
import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import { testAgent } from '../suite.js';

testAgent({
  agent: cline,
  folders: ['cline'],
  commands: [
    [
      'the prompt is one argument behind the dashes',
      { prompt: 'go on' },
      '--json --auto-approve=false -- go on',
      'none',
    ],
    ['one word alone would be a command', { prompt: 'go' }, '--json --auto-approve=false -- go '],
    ['accept-edits', { prompt: 'go on', permission: 'accept-edits' }, '--json --auto-approve=false -- go on'],
    ['plan', { prompt: 'go on', permission: 'plan' }, '--json --plan --auto-approve=false -- go on'],
    ['bypass', { prompt: 'go on', permission: 'bypass' }, '--json --auto-approve=true -- go on'],
    ['model', { prompt: 'go on', model: 'm' }, '--json --auto-approve=false --model=m -- go on'],
    [
      'system prompt',
      { prompt: 'go on', systemPrompt: 'Be brief.' },
      '--json --auto-approve=false --system=Be brief. -- go on',
    ],
    ['further arguments', { prompt: 'go on', extraArgs: ['-v'] }, '--json --auto-approve=false -v -- go on'],
  ],
  check,
});

function check(events: readonly Draft[], { name }: { name: string }): string[] {
  const outcomes = ofType(events, 'turn-end').map(({ outcome }) => outcome);
  const expected = /api-500|401/.test(name) ? 'failed' : /no-auth/.test(name) ? 'unknown' : 'success';
  return outcomes.length === 0 || outcomes.join() === expected ? [] : [`${outcomes} instead of ${expected}`];
}
