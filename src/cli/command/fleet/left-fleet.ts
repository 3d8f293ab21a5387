/** What a demo that was killed left running is ended by the next one: a record of its processes and its folder, kept while it runs. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stateDirectory } from '../../../run/index.js';
import { readProcess } from '../../../run/process/process-table.js';
import { isAlive, type ProcessIdentity, thisProcess } from '../../../run/process/reaper.js';

interface FleetRecord {
  owner: ProcessIdentity;
  processes: ProcessIdentity[];
  folder: string;
}

export interface RecordedFleet {
  add(pid: number): Promise<void>;
  remove(): Promise<void>;
}

export async function recordFleet(folder: string): Promise<RecordedFleet> {
  const record: FleetRecord = { owner: await thisProcess(), processes: [], folder };
  await mkdir(directory(), { recursive: true, mode: 0o700 });
  const file = path.join(directory(), `${process.pid}.json`);
  const write = () => writeFile(file, JSON.stringify(record), { mode: 0o600 });
  await write();
  return {
    async add(pid) {
      const startTime = (await readProcess(pid))?.startTime;
      if (startTime !== undefined) record.processes.push({ pid, startTime });
      await write();
    },
    remove: () => rm(file, { force: true }),
  };
}

export async function endLeftFleets(say: (text: string) => void): Promise<void> {
  for (const name of await readdir(directory()).catch(() => [])) {
    const file = path.join(directory(), name);
    const record = await readFile(file, 'utf8').then(
      (text) => JSON.parse(text) as FleetRecord,
      () => undefined,
    );
    if (!record || (await isAlive(record.owner))) continue;
    say('ending what an earlier demo left, which was killed …');
    // The workers first: they end their agents.
    for (const one of record.processes.toReversed()) await end(one);
    await rm(record.folder, { recursive: true, force: true });
    await rm(file, { force: true });
  }
}

const LOOKS = 100;
const LOOK_MS = 100;

async function end(one: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isAlive(one))) return;
    process.kill(one.pid, signal);
    for (let look = 0; look < LOOKS && (await isAlive(one)); look += 1) await sleep(LOOK_MS);
  }
}

function directory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'fleet-demo');
}
