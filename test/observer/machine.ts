/** A machine to be looked at: a home, and processes as the kernel would tell them. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TRACES } from '../../src/agent/trace.js';
import { createObserver, type LookOptions, type Seen } from '../../src/observer/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';

/** The machine has been up for so long. */
const UPTIME_S = 100_000;

export interface Machine {
  readonly home: string;
  /** As the kernel's own. */
  readonly procFolder: string;
  now: number;
  write(file: string, value: unknown): void;
  /** `agoMs`: how long ago it began. Gives what the kernel counts. */
  start(
    pid: number,
    process: {
      command: string;
      cwd?: string;
      agoMs: number;
      state?: string;
      parent?: number;
      hasTerminal?: boolean;
    },
  ): string;
  /** It writes to its terminal. */
  draw(pid: number, bytes: number): void;
  end(pid: number): void;
  look(options?: LookOptions): Promise<Seen[]>;
}

export function createMachine(): Machine {
  const [home, proc] = [temporaryDirectory(), temporaryDirectory()];
  const begun = Date.now();
  const drawnBy = new Map<number, number>();
  writeFileSync(path.join(proc, 'uptime'), `${UPTIME_S}.00 0.00\n`);
  mkdirSync(path.join(proc, 'self', 'ns'), { recursive: true });
  symlinkSync('pid:[1]', path.join(proc, 'self', 'ns', 'pid'));
  const machine: Machine = {
    home,
    procFolder: proc,
    now: begun,
    write(file, value) {
      const place = path.join(home, file);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, typeof value === 'string' ? value : JSON.stringify(value));
      utimesSync(place, machine.now / 1000, machine.now / 1000);
    },
    start(pid, { command, cwd = '/', agoMs, state = 'S', parent = 1, hasTerminal = false }) {
      const folder = path.join(proc, String(pid));
      const ticks = String(Math.round(UPTIME_S * 100 - agoMs / 10));
      mkdirSync(folder, { recursive: true });
      const zeros = Array.from({ length: 14 }, () => '0');
      const fields = [state, parent, '0', '0', hasTerminal ? '34816' : '0', ...zeros, ticks, '0'];
      writeFileSync(path.join(folder, 'stat'), `${pid} (a (name) b) ${fields.join(' ')}`);
      writeFileSync(path.join(folder, 'cmdline'), command.split(' ').join('\0'));
      rmSync(path.join(folder, 'cwd'), { force: true });
      symlinkSync(cwd, path.join(folder, 'cwd'));
      return ticks;
    },
    draw(pid, bytes) {
      const drawn = (drawnBy.get(pid) ?? 0) + bytes;
      drawnBy.set(pid, drawn);
      writeFileSync(
        path.join(proc, String(pid), 'io'),
        `rchar: 1\nwchar: ${drawn}\nsyscr: 1\nsyscw: 0\nread_bytes: 0\n`,
      );
    },
    end: (pid) => rmSync(path.join(proc, String(pid)), { recursive: true }),
    look: (options) => observer.look(options),
  };
  const observer = createObserver({ agents: TRACES, env: {}, home, procFolder: proc, now: () => machine.now });
  return machine;
}
