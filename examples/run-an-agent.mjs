// node examples/run-an-agent.mjs "Fix the failing test"
// Rules decide first: reading is allowed, and nothing may touch .env. What they leave open is answered here.
import { run } from 'glassbox';

const agent = run({
  agent: 'claude',
  prompt: process.argv[2] ?? 'What is in this directory?',
  program: process.env.EXAMPLE_PROGRAM,
  timeoutMs: 600_000,
  rules: [
    { decision: 'allow', kind: 'read' },
    { decision: 'deny', path: '**/.env' },
  ],
});

for await (const event of agent.events) {
  if (event.type === 'tool-input-end') console.log(`· ${event.summary}`);
  if (event.type !== 'approval-request') continue;
  // What a call touches is told in the same words for every agent.
  if (event.command?.startsWith('npm test')) agent.approve(event.id);
  else agent.deny(event.id, 'Only the tests may be run here.');
}

const { reason, text, cost, error } = await agent.completion;
console.log(reason === 'finished' ? text : `${reason}: ${error?.message}`);
console.log(cost ? `$${cost.usd.toFixed(4)} (${cost.origin})` : 'cost unknown');
