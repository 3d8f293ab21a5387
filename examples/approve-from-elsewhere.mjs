// node examples/approve-from-elsewhere.mjs "Clean up"
// A server owns the run; a client, here in the same program, follows it and answers its questions over HTTP.
import { createClient } from 'glassbox/client';
import { startServer } from 'glassbox/server';
import { openStore } from 'glassbox/store';

const store = await openStore(':memory:');
const program = process.env.EXAMPLE_PROGRAM;
const server = await startServer({ store, port: 0, ...(program && { runDefaults: { program } }) });
const client = createClient({ url: server.url, token: server.token });

const { runId } = await client.start({ agent: 'claude', prompt: process.argv[2] ?? 'Hello' });
for await (const event of client.events(runId)) {
  if (event.type === 'approval-request') await client.deny(runId, event.id, { message: 'Not today.' });
  if (event.type === 'approval-resolve') console.log(`${event.decision} by ${event.by}: ${event.message}`);
  if (event.type === 'run-end') console.log(`${event.reason}: ${event.text}`);
}
await server.close();
await store.close();
