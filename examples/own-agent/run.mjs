// node examples/own-agent/run.mjs "How many eggs?"
// An agent of your own is given to `run`, `decode` and `createDecoder` as it is, and to a server as one of its `ownAgents`.
import { fileURLToPath } from 'node:url';
import { run } from 'glassbox';
import { createTextView } from 'glassbox/text';
import { parrot } from './agent.mjs';

const agent = run({
  agent: parrot,
  prompt: process.argv[2] ?? 'How many eggs?',
  program: fileURLToPath(new URL('parrot.mjs', import.meta.url)),
});
const view = createTextView();
for await (const event of agent.events) {
  for (const line of view.push(event)) console.log(line);
  if (event.type === 'approval-request') agent.approve(event.id);
}
const { reason, text, cost } = await agent.completion;
console.log(`${reason}: ${text} ($${cost?.usd})`);
