// node examples/own-store/run.mjs "Paint the door" green
// A store of your own is given to `keepRun`, `createRecorder` and `startServer` like the built-in one.
import { run } from 'glassbox';
import { createClient } from 'glassbox/client';
import { startServer } from 'glassbox/server';
import { keepRun } from 'glassbox/store';
import { createMemoryStores } from './store.mjs';

const [prompt = 'What is in this directory?', words = 'directory'] = process.argv.slice(2);
const stores = createMemoryStores();
const store = await stores.open();
const server = await startServer({ store: await stores.open(), port: 0 });
const client = createClient({ url: server.url, token: server.token });

await keepRun(run({ agent: 'claude', prompt, program: process.env.EXAMPLE_PROGRAM }), { store }).done;
const { items } = await client.search({ text: words });
for (const { session, hits } of items) console.log(`${session.outcome} ${session.title}: ${hits[0]?.snippet.text}`);

await server.close();
await store.close();
