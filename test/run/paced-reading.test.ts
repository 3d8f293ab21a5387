/** A flood is read once per frame, everything else at once, and nothing is lost by it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type PacedReading, paceReading } from '../../src/run/process/paced-reading.js';

describe('by a clock of our own', () => {
  let stream: Readable;
  let told: string[];
  let pace: PacedReading;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(1000);
    told = [];
    stream = new Readable({ read() {} });
    Object.assign(stream, {
      _handle: { readStart: () => void told.push('start'), readStop: () => void told.push('stop') },
    });
    pace = paceReading(stream);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const read = (count: number, bytes = 200) => {
    for (let n = 0; n < count; n += 1) pace.noteRead(bytes);
  };

  test('what comes after silence is read at once, and so is what follows it', () => {
    for (let n = 0; n < 5; n += 1) {
      read(2);
      vi.advanceTimersByTime(100);
    }
    expect(told).toEqual([]);
  });

  test('a flood is read once per frame until it is over', () => {
    read(3);
    expect(told).toEqual(['stop']);
    vi.advanceTimersByTime(16);
    expect(told).toEqual(['stop', 'start']);
    read(1);
    expect(told, 'it goes on').toEqual(['stop', 'start', 'stop']);
    vi.advanceTimersByTime(16);
    vi.advanceTimersByTime(100);
    read(2);
    expect(told, 'it was over').toEqual(['stop', 'start', 'stop', 'start']);
  });

  test('a full buffer is followed at once', () => {
    read(50, 65_536);
    expect(told).toEqual([]);
  });

  test('an answer that is expected is read when it comes', () => {
    read(3);
    pace.hurry();
    expect(told).toEqual(['stop', 'start']);
    read(2);
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['stop', 'start']);
  });

  test('a stream that somebody holds is not started, and goes on when it is let go', () => {
    read(3);
    stream.pause();
    vi.advanceTimersByTime(100);
    expect(told).toEqual(['stop']);
    pace.resume();
    expect(told, 'it is still held').toEqual(['stop']);
    stream.resume();
    pace.resume();
    expect(told).toEqual(['stop', 'start']);
  });

  test('at the end everything is read when it comes', () => {
    read(3);
    pace.end();
    read(50);
    expect(told).toEqual(['stop', 'start']);
  });

  test('where nobody can stop the reading, it goes on', () => {
    Object.assign(stream, { _handle: {} });
    read(50);
    paceReading(null).noteRead(1);
    expect(told).toEqual([]);
  });
});

test('of a process that writes each line by itself every line comes, in order, and its end', async () => {
  const lines = 3000;
  const write = `const { writeSync } = require('fs'); for (let n = 0; n < ${lines}; n += 1) writeSync(1, n + '\\n');`;
  const child = spawn(process.execPath, ['-e', write], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pace = paceReading(child.stdout);
  let text = '';
  let reads = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    reads += 1;
    pace.noteRead(bytes.length);
    text += bytes;
    // Somebody is slow now and then.
    if (reads % 7 !== 0) return;
    child.stdout.pause();
    setImmediate(() => {
      child.stdout.resume();
      pace.resume();
    });
  });
  await once(child, 'close');
  expect(text).toBe(Array.from({ length: lines }, (_, n) => `${n}\n`).join(''));
});
