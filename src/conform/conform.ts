/** All readers on all cases: several cases at a time, one reader after the other on each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { attempt } from './attempt.js';
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
  /** A reader that takes longer for one stream hangs. */
  limitMs: number;
  signal: AbortSignal;
  onProgress?(done: number): void;
}

/** Resolves with what was scored until the signal came; nothing is left running or on disk. */
export async function conform({ readers, casesOf, limitMs, signal, onProgress }: ConformOptions): Promise<Result[]> {
  const jobs = jobsFor(readers, casesOf);
  const folder = await mkdtemp(path.join(tmpdir(), 'glassbox-conform-'));
  const results = jobs.map((): Result[] => []);
  let next = 0;
  let done = 0;

  const work = async (worker: number) => {
    const file = path.join(folder, `${worker}.jsonl`);
    for (let at = next++; at < jobs.length && !signal.aborted; at = next++) {
      const job = jobs[at] as Job;
      const stream = job.case.make();
      await writeFile(file, stream.bytes);
      for (const reader of job.readers) {
        if (signal.aborted) return;
        const report = await attempt(reader, { agent: job.case.agent, file, limitMs, signal });
        if (signal.aborted) return;
        const { name, row } = job.case;
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
