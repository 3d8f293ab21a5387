/** All readers on all cases: several cases at a time, one reader after the other on each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { type Attempts, createAttempts, type Report } from './attempt.js';
import type { Case } from './case.js';
import type { Reader } from './reader.js';
import { type Score, scoreReport } from './score.js';

export interface Result extends Score {
  reader: string;
  case: string;
  row: string;
}

export interface ConformOptions {
  readers: readonly Reader[];
  casesOf(reader: Reader): readonly Case[];
  /** A reader that does nothing for so long hangs. */
  limitMs: number;
  signal: AbortSignal;
  onProgress?(done: number): void;
}

/** Who hung so often will hang again: the streams that are left are not tried. */
const MOST_HANGS = 3;

/** Resolves with what was scored until the signal came; nothing is left running or on disk. */
export async function conform({ readers, casesOf, limitMs, signal, onProgress }: ConformOptions): Promise<Result[]> {
  const jobs = jobsFor(readers, casesOf);
  const folder = await mkdtemp(path.join(tmpdir(), 'glassbox-conform-'));
  const results = jobs.map((): Result[] => []);
  const hangs = new Map<Reader, string[]>();
  let next = 0;
  let done = 0;

  const work = async (worker: number) => {
    const file = path.join(folder, `${worker}.jsonl`);
    await using attempts = createPool();
    for (let at = next++; at < jobs.length && !signal.aborted; at = next++) {
      const job = jobs[at] as Job;
      const stream = job.case.make();
      await writeFile(file, stream.bytes);
      for (const reader of job.readers) {
        if (signal.aborted) return;
        const { name, row, agent } = job.case;
        const hung = hangs.get(reader) ?? [];
        const report =
          hung.length < MOST_HANGS
            ? await attempts.of(reader).attempt({ agent, file, limitMs, signal })
            : untried(hung);
        if (signal.aborted) return;
        if (report.end === 'hung') hangs.set(reader, [...(hangs.get(reader) ?? []), name]);
        results[at]?.push({ reader: reader.name, case: name, row, ...scoreReport(report, stream, reader.keeps) });
        onProgress?.(++done);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, (_, worker) => work(worker)));
    return results.flat();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function untried(hung: readonly string[]): Report {
  return {
    items: [],
    errors: 0,
    end: 'hung',
    why: `not tried, because it hung on ${hung.slice(0, MOST_HANGS).join(', ')}`,
  };
}

/** The readers of one worker, each made when it is needed. */
function createPool(): AsyncDisposable & { of(reader: Reader): Attempts } {
  const made = new Map<Reader, Attempts>();
  return {
    of(reader) {
      const attempts = made.get(reader) ?? createAttempts(reader);
      made.set(reader, attempts);
      return attempts;
    },
    async [Symbol.asyncDispose]() {
      for (const attempts of made.values()) await attempts[Symbol.asyncDispose]();
    },
  };
}

interface Job {
  case: Case;
  readers: Reader[];
}

/** A case that several readers share is made and written once. */
function jobsFor(readers: readonly Reader[], casesOf: ConformOptions['casesOf']): Job[] {
  const jobs = new Map<string, Job>();
  for (const reader of readers) {
    for (const each of casesOf(reader)) {
      const key = `${each.agent} ${each.name}`;
      const job: Job = jobs.get(key) ?? { case: each, readers: [] };
      job.readers.push(reader);
      jobs.set(key, job);
    }
  }
  return [...jobs.values()];
}
