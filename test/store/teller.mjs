/** A process that tells a run something: `teller.mjs STORE RUN INSTRUCTION WHO`. Prints what became of it. */
import { openStore } from '../../dist/store.js';

const [, , file = '', runId = '', instruction = '', who = ''] = process.argv;
const store = await openStore(file);
const reception = await store.tell(runId, JSON.parse(instruction), { by: 'person', who });
await store.close();
console.log(JSON.stringify(reception));
