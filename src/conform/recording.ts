/** True streams of real agents as cases: those that came with glassbox, or all in a folder. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { agentNamed } from '../decode/index.js';
import { GlassboxError } from '../event/index.js';
import type { Case, Stream } from './case.js';

interface Recording {
  /** `claude/basic-text`: the first part is the row of the scorecard. */
  name: string;
  read(): Uint8Array;
}

/** Those that `scripts/pack-recordings.mjs` put into one file, a line each. */
export function packedCases(file: URL): Case[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.filter(Boolean).map((line) => {
    const { name, stdout } = JSON.parse(line) as { name: string; stdout: string };
    return caseOf({ name, read: () => Buffer.from(stdout, 'latin1') });
  });
}

/** `FOLDER/<agent>/<case>/stdout.jsonl` or `FOLDER/<agent>/<case>.jsonl`; an agent's folder may say more behind a hyphen. */
export function casesIn(folder: string): Case[] {
  const files = listed(folder).filter((file) => /\.jsonl$/.test(file) && !/\b(events|io)\.jsonl$/.test(file));
  const cases = files.flatMap((file) => {
    const name = file
      .split(path.sep)
      .join('/')
      .replace(/(\/stdout)?\.jsonl$/, '');
    return isAgents(name) ? [caseOf({ name, read: () => readFileSync(path.join(folder, file)) })] : [];
  });
  if (cases.length > 0) return cases;
  throw new GlassboxError(
    'not-found',
    `There are no recordings in ${folder}: it should hold <agent>/<case>.jsonl, or <agent>/<case>/stdout.jsonl.`,
  );
}

function caseOf({ name, read }: Recording): Case {
  const row = rowOf(name);
  return { name, row, agent: agentOf(row), make: () => streamOf(read()) };
}

/** Read a second time in the plainest way, so that no reader is judged by itself. */
function streamOf(bytes: Uint8Array): Stream {
  const good: unknown[] = [];
  const allowed: unknown[] = [];
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < whole.length; ) {
    const newline = whole.indexOf(0x0a, start);
    const end = newline < 0 ? whole.length : newline;
    try {
      const value: unknown = JSON.parse(whole.toString('utf8', start, end));
      // A line of a stream is an object; some recordings are of one array instead, which not every reader is for.
      (typeof value === 'object' && !Array.isArray(value) ? good : allowed).push(value);
    } catch {
      // Talk, or a line that the agent did not finish.
    }
    start = end + 1;
  }
  return { bytes, good, allowed };
}

const rowOf = (name: string): string => name.split('/')[0] ?? '';
const agentOf = (row: string): string => row.split('-')[0] ?? '';
const isAgents = (name: string): boolean => name.includes('/') && agentNamed(agentOf(rowOf(name))) !== undefined;

function listed(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    throw new GlassboxError('not-found', `There is no folder ${folder}.`);
  }
}
