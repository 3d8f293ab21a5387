/** Readers that are bad in one way each, by their first argument. */
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

if (process.argv[2] === 'stays') await stay(process.argv[3] ?? '');

const values = [];
for await (const line of createInterface({ input: process.stdin })) {
  try {
    values.push(JSON.parse(line));
  } catch {}
}
const print = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
const deliver = (items) => items.forEach((item) => void print({ item }));

const ways = {
  loses: () => deliver(values.filter((_, at) => at !== 1)),
  doubles: () => deliver([...values, values.at(-1)]),
  turns: () => deliver(values.toReversed()),
  invents: () => deliver([...values, { type: 'made up' }]),
  adds: () => deliver(values.map((value) => ({ ...value, read: true }))),
  stops: () => {
    deliver(values.slice(0, 2));
    process.exit(3);
  },
  'gives-up': () => {
    print({ fail: 'no more' });
    process.exit(0);
  },
  quotes: () => {
    print({ fail: `bad line: DB_PASSWORD=Sup3rS3cretVal` });
    process.exit(0);
  },
  chatters: () => {
    process.stdout.write('hello\n[1]\n"x"\n');
    deliver(values);
  },
  /** With somebody beside it who holds its output; then the file that its second argument names is there. */
  hangs: () => {
    deliver(values);
    const [mark = ''] = process.argv.slice(3);
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', mark], { stdio: 'inherit' });
    if (mark) writeFileSync(mark, '');
    return new Promise((resolve) => setInterval(resolve, 1e9));
  },
};

await ways[process.argv[2]]();
print({ end: true });

/** Reads every stream that it is told of, but for those that say `hangs`. */
async function stay(mark) {
  appendFileSync(mark, 'started\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const text = readFileSync(JSON.parse(line).file, 'utf8');
    if (text.includes('hangs')) continue;
    process.stdout.write(`${JSON.stringify({ item: JSON.parse(text) })}\n{"end":true}\n`);
  }
  process.exit();
}
