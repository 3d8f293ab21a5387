// claude -p "Fix it" --output-format stream-json --verbose | node examples/read-a-stream.mjs claude
// Somebody else runs the agent; this reads along: which calls failed, and what it cost.
import { decode } from 'glassbox';

const names = new Map();
for await (const event of decode(process.stdin, { agent: process.argv[2] ?? 'claude' })) {
  if (event.type === 'tool-start') names.set(event.id, event.name);
  if (event.type === 'tool-end' && event.status !== 'ok') {
    console.log(`${names.get(event.id) ?? event.name} ${event.status}: ${event.output}`);
  }
  if (event.type === 'turn-end') console.log(`${event.outcome}: ${event.text ?? ''} ($${event.cost?.usd ?? '?'})`);
}
