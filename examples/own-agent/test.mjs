// node --test examples/own-agent/test.mjs
// The cases that every built-in agent passes, in whatever test runner you like.
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testAgent } from 'glassbox/agent';
import { parrot } from './agent.mjs';

const lines = (name) =>
  readFileSync(new URL(`recordings/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(JSON.parse);

/** What the host said stands where it was said; all else was printed by parrot. */
const conversation = [
  { toAgent: true, message: { task: 'How many eggs?' } },
  ...lines('allowed').flatMap((message) => [
    { toAgent: false, message },
    ...('ask' in message ? [{ toAgent: true, message: { answer: message.ask, allow: true } }] : []),
  ]),
];

const cases = testAgent({
  agent: parrot,
  recordings: ['allowed', 'refused'].map((name) => ({ name, lines: lines(name), exitCode: 0 })),
  commands: [
    { name: 'the task goes by stdin', request: {}, args: '--json', stdin: 'lines' },
    { name: 'a model', request: { model: 'macaw' }, args: '--json --model=macaw' },
  ],
  conversations: [
    {
      name: 'allowed',
      messages: conversation,
      host: {
        request: ([first]) => ({ prompt: first?.task }),
        action: ({ answer, allow }) => ({ type: allow ? 'approve' : 'deny', id: answer, by: 'person' }),
        meaning: (said) => said,
      },
    },
  ],
});

for (const { name, run } of cases) await test(name, run);
