#!/usr/bin/env node
/**
 * A scripted agent: prints what Claude Code 2.1.325 printed when it fixed a small project, with the pauses it made. The model's
 * words were written for it; the program, its tools and their output are real. Where somebody hears it, it asks before it edits.
 */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { timedLines } from '../../stream/timed-lines.js';
import {
  AFTER_REFUSAL,
  type DemoLine,
  demoLines,
  demoQuestion,
  INTERRUPTED,
  inSession,
  readAnswer,
} from './demo-script.js';

const speed = Number(process.env.GLASSBOX_DEMO_SPEED) || 1;
const isHeard = process.env.GLASSBOX_DEMO_ASKS !== undefined;
const { before, after } = demoLines(isHeard ? process.cwd() : undefined);
/** Each run is a conversation of its own, as with a real agent. */
const session = randomUUID();
const say = (line: string, done?: () => void) => process.stdout.write(`${inSession(session, line)}\n`, done);

const heard = isHeard ? createInterface({ input: process.stdin }) : undefined;
heard?.on('line', (line) => {
  if (!line.includes('"subtype":"interrupt"')) return;
  say(INTERRUPTED, () => process.exit(0));
});
await play(before);
if (!isHeard || (await ask()) === 'allow') await play(after);
else for (const line of AFTER_REFUSAL) say(line);
heard?.close();
process.stdin.destroy();

async function play(lines: readonly DemoLine[]): Promise<void> {
  const bytes = async function* () {
    for (const { text } of lines) yield Buffer.from(`${inSession(session, text)}\n`);
  };
  for await (const line of timedLines(bytes(), { timeOf: (index) => lines[index]?.ms, speed }))
    process.stdout.write(line);
}

function ask(): Promise<'allow' | 'deny'> {
  return new Promise((resolve) => {
    heard?.on('line', (line) => {
      const answered = readAnswer(line);
      if (answered) resolve(answered);
    });
    heard?.on('close', () => resolve('deny'));
    say(demoQuestion(process.cwd()));
  });
}
