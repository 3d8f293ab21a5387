/**
 * Sessions of programs that write nothing down before their first answer: until then the program itself is all that can be seen, and its session
 * has no name. What is told of one is what its process shows: that it is there, that it talks to somebody, that it draws.
 */
import type { Evidence, ProcessId } from '../presence/index.js';
import type { Processes } from './family.js';
import type { Motion } from './motion.js';
import type { ProcessFacts } from './process-facts.js';
import type { ProcessSeen } from './process-list.js';

/** A process of an agent's program that has nothing on disk. */
export interface Unnamed {
  agent: string;
  process: ProcessSeen;
  cwd: string;
}

export interface UnwrittenSession {
  agent: string;
  /** Of the process, as long as there is no other. */
  sessionId: string;
  isUnnamed: true;
  cwd: string;
  evidence: Evidence[];
}

export interface Unwritten {
  /** Of these, without those of other users and homes and of runs of glassbox; and of earlier ones that are gone without a word. */
  read(unnamed: readonly Unnamed[], all: Processes, at: number): UnwrittenSession[];
  /** One of them may be at work any moment. */
  readonly isPressing: boolean;
}

const MOST_REMEMBERED = 100;

export function createUnwritten(
  facts: ProcessFacts,
  motion: Motion,
  lifeOf: (process: ProcessSeen, text: string) => Evidence,
): Unwritten {
  const memories = new Map<string, { agent: string; cwd: string; id: ProcessId }>();
  /** Since when it was seen to have a connection. */
  const connectedSince = new Map<string, number>();
  let isPressing = false;

  return {
    get isPressing() {
      return isPressing;
    },
    read(unnamed, all, at) {
      isPressing = false;
      const own = unnamed.filter(({ process }) => facts.isOwn(process));
      const found = own.map(({ agent, process, cwd }): UnwrittenSession => {
        const id = { pid: process.pid, began: process.began };
        memories.set(keyOf(id), { agent, cwd, id });
        const text = `process ${id.pid} (${agent}) works in ${cwd}, and nothing that it wrote is on disk`;
        const doing = process.stopped ? undefined : doingOf(process, at);
        const evidence = [lifeOf(process, text), ...(doing ? [doing] : [])];
        return { agent, sessionId: nameOf(id), isUnnamed: true, cwd, evidence };
      });
      const [oldest] = memories.keys();
      if (memories.size > MOST_REMEMBERED && oldest !== undefined) {
        memories.delete(oldest);
        connectedSince.delete(oldest);
      }
      return [...found, ...gone(own, all, at)];
    },
  };

  function gone(own: readonly Unnamed[], all: Processes, at: number): UnwrittenSession[] {
    return [...memories].flatMap(([key, { agent, cwd, id }]) => {
      if (own.some(({ process }) => keyOf(process) === key)) return [];
      const text = `process ${id.pid}, which had it, is gone, and nothing that it wrote was seen`;
      if (all.get(id.pid)?.began !== id.began)
        return [
          {
            agent,
            sessionId: nameOf(id),
            isUnnamed: true,
            cwd,
            evidence: [{ source: 'process', says: 'absent', at, process: id, text }],
          },
        ];
      // It lives, and has a conversation by now.
      memories.delete(key);
      connectedSince.delete(key);
      return [];
    });
  }

  /** It asks nobody anything before its first answer, so that it works or is idle. */
  function doingOf(process: ProcessSeen, at: number): Evidence | undefined {
    const isConnected = facts.isConnected(process);
    const movement = facts.hasScreen(process) ? motion.see([process], at) : undefined;
    const id = { pid: process.pid, began: process.began };
    const told = { source: 'program', process: id } as const;
    const since = connectedSince.get(keyOf(id)) ?? at;
    connectedSince.delete(keyOf(id));
    if (isConnected) connectedSince.set(keyOf(id), since);
    if (isConnected && movement?.isMoving !== false) {
      const text = `process ${id.pid} has a connection open${movement ? ', and draws' : ''}`;
      return { ...told, says: 'working', at: movement?.since ?? since, text };
    }
    isPressing ||= isConnected;
    if (isConnected || movement?.isMoving !== false) return undefined;
    return { ...told, says: 'idle', at: movement.since, text: `process ${id.pid} draws nothing and has no connection` };
  }
}

const keyOf = ({ pid, began }: ProcessId): string => `${pid} ${began}`;

const nameOf = ({ pid }: ProcessId): string => `pid-${pid}`;
