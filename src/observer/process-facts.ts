/** What the kernel tells of one process beside its line in the list: whose it is, whether it has a screen and a connection. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ProcessSeen } from './process-list.js';

export interface ProcessFacts {
  /** Started by this user, at home here, and not by glassbox, which knows its runs itself. */
  isOwn(process: ProcessSeen): boolean;
  /** What it prints is drawn on a terminal. */
  hasScreen(process: ProcessSeen): boolean;
  /** A connection to somebody else is open. */
  isConnected(process: ProcessSeen): boolean;
}

export function createProcessFacts(procFolder: string | undefined, home: string): ProcessFacts {
  const folder = procFolder ?? '/proc';
  const owners = new Map<string, boolean>();
  const connections = new Map<string, { stamp: string; isConnected: boolean }>();

  return {
    isOwn(process) {
      const key = keyOf(process);
      const known = owners.get(key) ?? isOwn(process);
      keep(owners, key, known);
      return known;
    },
    hasScreen: ({ pid }) =>
      /^\/dev\/(pts\/|tty|console)/.test(quietly(() => readlinkSync(`${folder}/${pid}/fd/1`)) ?? ''),
    isConnected(process) {
      const key = keyOf(process);
      // Who did nothing since has the same connections.
      const stamp = `${process.pid} ${textOf(`${process.pid}/io`)}`;
      const known = connections.get(key);
      const isConnected = known?.stamp === stamp ? known.isConnected : hasConnection(process);
      keep(connections, key, { stamp, isConnected });
      return isConnected;
    },
  };

  function isOwn({ pid }: ProcessSeen): boolean {
    const owner = quietly(() => lstatSync(`${folder}/${pid}`).uid);
    if (owner === undefined || (process.getuid && owner !== process.getuid())) return false;
    const variables = textOf(`${pid}/environ`)?.split('\0') ?? [];
    return variables.includes(`HOME=${home}`) && !variables.some((one) => one.startsWith('GLASSBOX_RUN_ID='));
  }

  function hasConnection({ pid }: ProcessSeen): boolean {
    const open = new Set(
      (quietly(() => readdirSync(`${folder}/${pid}/fd`)) ?? []).flatMap(
        (name) =>
          /^socket:\[(\d+)\]$/.exec(quietly(() => readlinkSync(`${folder}/${pid}/fd/${name}`)) ?? '')?.[1] ?? [],
      ),
    );
    if (open.size === 0) return false;
    return ['tcp', 'tcp6'].some((table) =>
      (textOf(`${pid}/net/${table}`) ?? '').split('\n').some((row) => {
        const fields = row.trim().split(/\s+/);
        return fields[3] === ESTABLISHED && open.has(fields[9] ?? '');
      }),
    );
  }

  function textOf(file: string): string | undefined {
    return quietly(() => readFileSync(`${folder}/${file}`, 'latin1'));
  }
}

/** As the kernel writes it. */
const ESTABLISHED = '01';
const MOST = 200;

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}

const keyOf = ({ pid, startTicks }: ProcessSeen): string => `${pid} ${startTicks}`;

function quietly<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
