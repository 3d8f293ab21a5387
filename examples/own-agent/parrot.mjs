#!/usr/bin/env node
// The invented program: `parrot --json` reads tasks and answers as lines of JSON, and prints what it does the same way.
import { createInterface } from 'node:readline';

const print = (line) => console.log(JSON.stringify(line));
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => JSON.parse((await input.next()).value ?? '{}');

const { task = '' } = await hear();
print({ hello: 'parrot 1.2', session: 'green-7', model: 'macaw' });
print({ task });
print({ call: 'c1', tool: 'shell', args: { line: 'ls nest' } });
print({ ask: 'q1', call: 'c1' });
const { allow = false } = await hear();
if (allow) print({ returned: 'c1', exit: 0, output: 'egg.txt' });
else print({ refused: 'c1' });
print({ word: allow ? 'One ' : 'Not ' });
print({ word: allow ? 'egg.' : 'allowed.' });
print({ said: allow ? 'One egg.' : 'Not allowed.' });
print({ finished: true, tokens: { in: 120, out: 14 }, usd: 0.002 });
process.exit();
