/** The processes of this machine as the kernel tells them now; on systems that do not show where a process works, none can be told. */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { basename } from 'node:path';

export interface ProcessSeen {
  pid: number;
  parent: number;
  /** As the kernel counts. */
  startTicks: string;
  /** Ms since the epoch. */
  began: number;
  /** Suspended by a signal or a terminal. */
  stopped: boolean;
  hasTerminal: boolean;
}

export interface Drawn {
  /** What it has written, but for the little by which its threads wake each other. */
  bytes: number;
  /** How long it could have gone on and had no processor. */
  waitedMs: number;
}

export interface ProcessList {
  /** Every process. Who was seen before is not read again, but for those that are watched: only their state is of interest. */
  read(watched: ReadonlySet<number>): ReadonlyMap<number, ProcessSeen>;
  /** What it was started as, without paths and endings: `node …/bin/tool.js` is `tool`. */
  programOf(process: ProcessSeen): string;
  directoryOf(process: ProcessSeen): string | undefined;
  /** Undefined where it has no terminal, or nobody tells. */
  drawnBy(process: ProcessSeen): Drawn | undefined;
  /** When a process began that the kernel counts so, ms since the epoch. */
  beganAt(startTicks: string | undefined): number | undefined;
  /** In which numbers of processes count here. */
  readonly namespace: string | undefined;
}

/** Undefined where there is nothing to read. */
export function createProcessList(folder = '/proc', now: () => number = Date.now): ProcessList | undefined {
  const uptime = Number.parseFloat(textOf(`${folder}/uptime`) ?? '');
  if (!Number.isFinite(uptime)) return undefined;
  const bootedAt = now() - uptime * 1000;
  let last: ReadonlyMap<number, ProcessSeen> = new Map();
  const names = new Map<number, { startTicks: string; since: number; name: string }>();

  return {
    namespace: linkAt(`${folder}/self/ns/pid`),
    beganAt,
    read(watched) {
      const seen = new Map<number, ProcessSeen>();
      for (const pid of readdirSync(folder).map(Number)) {
        if (!(pid > 0)) continue;
        const known = watched.has(pid) ? undefined : last.get(pid);
        const process = known ?? processOf(pid, textOf(`${folder}/${pid}/stat`));
        if (process) seen.set(pid, process);
      }
      for (const pid of names.keys()) if (!seen.has(pid)) names.delete(pid);
      last = seen;
      return seen;
    },
    programOf({ pid, startTicks, began }) {
      const known = names.get(pid);
      // A young process may still become another program.
      if (known?.startTicks === startTicks && known.since - began > SETTLED_MS) return known.name;
      const name = programIn(textOf(`${folder}/${pid}/cmdline`) ?? '');
      names.set(pid, { startTicks, since: now(), name });
      return name;
    },
    directoryOf: ({ pid }) => linkAt(`${folder}/${pid}/cwd`),
    drawnBy({ pid, hasTerminal }) {
      const text = hasTerminal ? textOf(`${folder}/${pid}/io`) : undefined;
      const [, bytes, writes] = /wchar: (\d+)\nsyscr: \d+\nsyscw: (\d+)/.exec(text ?? '') ?? [];
      if (bytes === undefined) return undefined;
      const [, waited = 0] = textOf(`${folder}/${pid}/schedstat`)?.split(' ').map(Number) ?? [];
      return { bytes: Number(bytes) - Number(writes) * WAKING_BYTES, waitedMs: waited / 1e6 };
    },
  };

  function beganAt(startTicks: string | undefined): number | undefined {
    return startTicks === undefined ? undefined : Math.round(bootedAt + Number(startTicks) * MS_PER_TICK);
  }

  function processOf(pid: number, stat: string | undefined): ProcessSeen | undefined {
    // The name in brackets may itself hold spaces and brackets.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    const [state = '', parent] = fields;
    const startTicks = fields[19];
    if (startTicks === undefined || /[ZX]/.test(state)) return undefined;
    const began = beganAt(startTicks) ?? 0;
    const hasTerminal = Number(fields[4]) > 0;
    return { pid, parent: Number(parent), startTicks, began, stopped: /[Tt]/.test(state), hasTerminal };
  }
}

/** What the kernel tells programs, whatever it counts with itself. */
const MS_PER_TICK = 10;

const SETTLED_MS = 5000;

/** What a thread writes to wake another one. */
const WAKING_BYTES = 8;

/** They run a script, whose name is the program's. */
const INTERPRETER = /^(node|bun|deno|python[\d.]*)$/;

function programIn(commandLine: string): string {
  const [first = '', ...rest] = commandLine.split('\0');
  const own = nameIn(first);
  const script = INTERPRETER.test(own) ? rest.find((argument) => !argument.startsWith('-')) : undefined;
  return script ? nameIn(script) : own;
}

function nameIn(path: string): string {
  return basename(path)
    .toLowerCase()
    .replace(/\.(exe|[cm]?js|py)$/, '');
}

/** With one read into one buffer for all: such files have no size, and for each of those Node would fetch fresh memory. */
function textOf(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    return page.toString('latin1', 0, readSync(descriptor, page));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The kernel gives all of what it tells of a process at once, but for a command line that is longer than anybody's. */
const page = Buffer.allocUnsafe(65_536);

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
