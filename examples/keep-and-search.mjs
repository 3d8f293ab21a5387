// node examples/keep-and-search.mjs sessions.db "Fix the login" login
// Keeps a run and finds it again by its words. Any number of processes may use one file.
import { run } from 'glassbox';
import { keepRun, openStore } from 'glassbox/store';

const [file = 'sessions.db', prompt = 'Hello', words = prompt] = process.argv.slice(2);
const store = await openStore(file);

const agent = run({ agent: 'claude', prompt, permission: 'deny', program: process.env.EXAMPLE_PROGRAM });
const { done } = keepRun(agent, { store });
await done;

const { items } = await store.search({ text: words });
for (const { session } of items) console.log(`${session.id} ${session.outcome} ${session.title}`);
await store.close();
