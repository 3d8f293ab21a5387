/** Where the times of a recording are: beside it, in a `.meta.json` with `lineMs`, or in the events that glassbox printed. */
import { readFile } from 'node:fs/promises';
import { isPrintedEvent } from '../../stream/event-reader.js';
import type { LineTime } from '../../stream/timed-lines.js';

export async function lineTimesOf(path: string): Promise<LineTime> {
  const times = await recordedTimes(path);
  return times ? (index) => times[index] : (_index, line) => eventTime(line);
}

async function recordedTimes(path: string): Promise<number[] | undefined> {
  try {
    const { lineMs } = JSON.parse(await readFile(path.replace(/(\.jsonl)?$/, '.meta.json'), 'utf8'));
    const times = (Array.isArray(lineMs) ? lineMs : String(lineMs).split(/\s+/)).map(Number);
    return times.every(Number.isFinite) ? times : undefined;
  } catch {
    // No such file, or none of ours: the lines may still know.
    return undefined;
  }
}

function eventTime(line: Uint8Array): number | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    return isPrintedEvent(value) ? value.at : undefined;
  } catch {
    return undefined;
  }
}
