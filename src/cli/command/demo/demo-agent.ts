#!/usr/bin/env node
import { timedLines } from '../../stream/timed-lines.js';
/**
 * A scripted agent: prints what Claude Code 2.1.325 printed when it fixed a small project, with the pauses it made. The model's
 * words were written for it; the program, its tools and their output are real. Arguments and input are ignored.
 */
import recording from './demo-recording.json' with { type: 'json' };

const { lines, lineMs } = recording;
const speed = Number(process.env.GLASSBOX_DEMO_SPEED) || 1;

async function* recorded() {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

for await (const line of timedLines(recorded(), { timeOf: (index) => lineMs[index], speed }))
  process.stdout.write(line);
