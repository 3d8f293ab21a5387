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
      /** Of its environment, beside the home. */
      variables?: Record<string, string>;
    },
  ): string;
  /** A connection of it to somebody else opens or closes. */
  connect(pid: number, isOpen: boolean): void;
  /** It writes to its terminal. */
  draw(pid: number, bytes: number): void;
  end(pid: number): void;
  look(options?: LookOptions): Promise<Seen[]>;
}

export function createMachine(): Machine {
  const [home, proc] = [temporaryDirectory(), temporaryDirectory()];
  const begun = Date.now();
  const drawnBy = new Map<number, number>();
  let reads = 0;
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
    start(pid, { command, cwd = '/', agoMs, state = 'S', parent = 1, hasTerminal = false, variables }) {
      const folder = path.join(proc, String(pid));
      const ticks = String(Math.round(UPTIME_S * 100 - agoMs / 10));
      mkdirSync(folder, { recursive: true });
      const zeros = Array.from({ length: 14 }, () => '0');
      const fields = [state, parent, '0', '0', hasTerminal ? '34816' : '0', ...zeros, ticks, '0'];
      writeFileSync(path.join(folder, 'stat'), `${pid} (a (name) b) ${fields.join(' ')}`);
      writeFileSync(path.join(folder, 'cmdline'), command.split(' ').join('\0'));
      rmSync(path.join(folder, 'cwd'), { force: true });
      symlinkSync(cwd, path.join(folder, 'cwd'));
      const environment = Object.entries({ PATH: '/bin', HOME: home, ...variables });
      writeFileSync(path.join(folder, 'environ'), environment.map((pair) => `${pair.join('=')}\0`).join(''));
      rmSync(path.join(folder, 'fd'), { recursive: true, force: true });
      mkdirSync(path.join(folder, 'fd'));
      symlinkSync(hasTerminal ? '/dev/pts/7' : 'pipe:[5]', path.join(folder, 'fd', '1'));
      symlinkSync('socket:[900]', path.join(folder, 'fd', '9'));
      return ticks;
    },
    connect(pid, isOpen) {
      const [here, there] = ['0100007F:9C40', '0100007F:01BB'];
      const rows = [
        '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
        `   0: ${here} ${there} 01 00000000:00000000 00:00000000 00000000  1000        0 ${isOpen ? 900 : 901} 1`,
        `   1: ${here} 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 900 1`,
      ];
      mkdirSync(path.join(proc, String(pid), 'net'), { recursive: true });
      writeFileSync(path.join(proc, String(pid), 'net', 'tcp'), `${rows.join('\n')}\n`);
      machine.draw(pid, 0);
    },
    draw(pid, bytes) {
      const drawn = (drawnBy.get(pid) ?? 0) + bytes;
      drawnBy.set(pid, drawn);
      reads += 1;
      writeFileSync(
        path.join(proc, String(pid), 'io'),
        `rchar: ${reads}\nwchar: ${drawn}\nsyscr: 1\nsyscw: 0\nread_bytes: 0\n`,
      );
    },
    end: (pid) => rmSync(path.join(proc, String(pid)), { recursive: true }),
    look: (options) => observer.look(options),
  };
  const observer = createObserver({ agents: TRACES, env: {}, home, procFolder: proc, now: () => machine.now });
  return machine;
}
