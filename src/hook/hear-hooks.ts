/**
 * What hooks of all sessions bring: news are passed on, calls are held against the user's deny rules, and questions are asked in the run that
 * follows their session, where anybody who may answers them as any other. When nobody is there, inside a run, or on any doubt, nothing is
 * said at once, so that no program waits for a person who does not come.
 */
import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Agent } from '../agent/agent.js';
import type { HookCall } from '../agent/hooks.js';
import { type AgentEvent, type Draft, GlassboxError } from '../event/index.js';
import { judge, type Policy } from '../run/approval/policy.js';
import type { Rule } from '../run/approval/rule.js';
import { findInsiders } from '../run/index.js';
import { createInstructionReceiver } from '../run/instruction-receiver.js';
import type { Store } from '../store/store.js';
import { holdDoor } from './door.js';
import type { HookConnection, HookListener } from './listener.js';
import { joinNeighbours } from './neighbours.js';
import { createOpenCalls } from './open-calls.js';
import { createQuestion, type Question } from './question.js';

export interface HookHearing {
  agents: readonly Agent[];
  store: Store;
  socket: string;
  home: string;
  /** Puts something into the run that follows this session; nothing comes of it when none does. */
  emit(agent: string, sessionId: string, drafts: readonly Draft[]): Promise<readonly AgentEvent[]>;
  /** This conversation's file was written to, or will be in a moment. */
  nudge(file: string): void;
  /** Whether somebody who may answer looks at the questions. */
  isAttended(): boolean;
  /** What is allowed and forbidden there; undefined when that makes no sense. */
  rulesFor(cwd: string): Promise<readonly Rule[] | undefined>;
  /** Whether the agent's own files say that this session waits, and its process; undefined where they say nothing. */
  look?(agent: string, sessionId: string): Promise<{ waits: boolean; pid?: number } | undefined>;
  onNews?(agent: Agent, call: HookCall): void;
  /** How long everybody may be away before a question is left to the agent: a page that is loaded again is away for a moment. Default 5 s. */
  awayMs?: number;
  /** How long a session that just began may take to be followed. Default 3 s. */
  followMs?: number;
}

const TRY_MS = 100;
/** How often is looked whether a question was answered elsewhere, or everybody left. */
const LOOK_MS = 250;

/** A question is passed on so often: to where somebody looks, and there to who follows its session. */
const MOST_HOPS = 2;

export async function hearHooks(options: HookHearing): Promise<HookListener> {
  const { agents, store, emit, nudge, isAttended, awayMs = 5000, followMs = 3000 } = options;
  const calls = createOpenCalls();
  /** By the run in which it is asked. */
  const open = new Map<string, Set<Question>>();
  const acknowledging = new Map<string, Promise<void>>();
  const closing = new AbortController();
  const neighbours = await joinNeighbours({
    folder: dirname(options.socket),
    store: store.location,
    isAttended,
    onNews(payload) {
      const told = readCall(payload);
      if (told) note(told.agent, told.call);
    },
    onQuestion: (payload, connection, hops) => hear(payload, connection, hops),
  });
  const door = await holdDoor(options.socket, (payload, connection) => hear(payload, connection, 0)).catch(
    async (error: Error) => {
      await neighbours.close();
      throw error;
    },
  );

  function readCall(payload: unknown): { agent: Agent; call: HookCall } | undefined {
    for (const agent of agents) {
      const call = agent.hooks?.read(payload);
      if (call) return { agent, call };
    }
    return undefined;
  }

  function hear(payload: unknown, connection: HookConnection, hops: number): void {
    const told = readCall(payload);
    if (!told) return void connection.end();
    const { agent, call } = told;
    if (hops === 0) neighbours.tell(payload);
    note(agent, call);
    if (call.what === 'ask') void ask(agent, call, { payload, connection, hops }).catch(() => connection.end());
    else if (call.what === 'tool-start' && call.deny)
      void check(call, call.deny, connection).catch(() => connection.end());
    else connection.end();
  }

  function note(agent: Agent, call: HookCall): void {
    calls.see(agent.name, call);
    if (call.transcript !== undefined) nudge(call.transcript);
    options.onNews?.(agent, call);
    if (call.what !== 'ask') noticeElsewhere(agent, call);
  }

  /** Here, or in another process that shows the same questions. */
  async function isAnybodyThere(): Promise<boolean> {
    return isAttended() || (await neighbours.attended()).some((one) => one.store === store.location);
  }

  /** Only who follows a session can put a question into it. */
  async function followerOf(sessionId: string): Promise<number | undefined> {
    const session = await store.session(sessionId);
    const run = session?.runs.find(({ terms, piped, state }) => terms === undefined && !piped && state !== 'ended');
    return run?.owner?.pid === process.pid ? undefined : run?.owner?.pid;
  }

  /** Whether another process has the question now. */
  async function passOn({ payload, connection, hops }: Brought, pid: number | undefined): Promise<boolean> {
    return pid !== undefined && hops < MOST_HOPS && (await neighbours.pass(pid, payload, connection, hops + 1));
  }

  /** For a hook that does not wait, whatever is said is not heard. */
  async function check(call: HookCall, deny: NonNullable<HookCall['deny']>, connection: HookConnection): Promise<void> {
    const policy = await policyFor(call);
    const { request } = call.call ?? {};
    if (!policy || !request) return void connection.end();
    const verdict = judge(policy, { type: 'approval-request', id: '', turn: 0, ...request });
    connection.end(verdict.decision === 'deny' ? deny(verdict.message) : undefined);
  }

  async function ask(agent: Agent, asked: HookCall, brought: Brought): Promise<void> {
    const { connection } = brought;
    const { answer, sessionId } = asked;
    if (await passOn(brought, await followerOf(sessionId))) return;
    const policy = await policyFor(asked);
    if (!answer || !policy || (await isInside(agent.name, sessionId))) return void connection.end();
    const [id, toolId] = [randomUUID(), calls.idOf(agent.name, asked)];
    const turn = await turnOf(sessionId);
    const question = createQuestion({ id, agent, asked, answer, connection, policy, turn, toolId });
    if (question.verdict === 'ask' && !(await isAnybodyThere())) {
      const [elsewhere] = await neighbours.attended();
      if (!(await passOn(brought, elsewhere?.pid))) connection.end();
      return;
    }
    question.begin();
    if (question.verdict !== 'ask') {
      const ending = question.takeEnding();
      await put(question, ending ? [question.request, ending] : []);
      return;
    }
    const runId = await put(question, [question.request]);
    if (runId === undefined) {
      if (!(await passOn(brought, await followerOf(sessionId)))) connection.end();
      return;
    }
    await attend(question, runId, connection);
  }

  /** Until it is answered, here or elsewhere. */
  async function attend(question: Question, runId: string, connection: HookConnection): Promise<void> {
    const { agent, asked } = question;
    const others = open.get(runId) ?? new Set();
    open.set(runId, others.add(question));
    if (others.size === 1) void bringAnswers(agent, runId);
    connection.gone.addEventListener('abort', () => question.leave('agent'));
    if (connection.gone.aborted) question.leave('agent');
    let [hasWaited, awaySince] = [false, 0];
    const signal = AbortSignal.any([closing.signal, question.settled]);
    while (!question.settled.aborted) {
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => {});
      if (closing.signal.aborted) question.leave('exit');
      if (question.settled.aborted) break;
      const { waits } = (await options.look?.(agent.name, asked.sessionId).catch(() => undefined)) ?? {};
      // It is told a moment after the question.
      if (hasWaited && waits === false) question.leave('unknown');
      hasWaited ||= waits === true;
      awaySince = (await isAnybodyThere()) ? 0 : awaySince || Date.now();
      if (awaySince > 0 && Date.now() - awaySince >= awayMs) question.leave('agent');
    }
    await finish(question, runId);
  }

  /** After whoever decided knows: what is written first would look as if another had won. */
  async function finish(question: Question, runId: string): Promise<void> {
    const others = open.get(runId);
    await acknowledging.get(runId);
    others?.delete(question);
    if (others?.size === 0) open.delete(runId);
    const ending = question.takeEnding();
    if (ending) await put(question, [ending]);
  }

  async function bringAnswers(agent: Agent, runId: string): Promise<void> {
    const stop = new AbortController();
    const receiver = createInstructionReceiver({
      ...{ runId, title: agent.title },
      decide(id, answer, from) {
        receiver.admit(from, 'answer');
        const question = [...(open.get(runId) ?? [])].find((one) => one.id === id);
        return question?.decide(answer, from) ?? false;
      },
      say: refuse,
      interrupt: refuse,
      cancel: refuse,
      isEnding: () => false,
      warn() {},
    });
    const watch = setInterval(() => open.has(runId) || stop.abort(), LOOK_MS);
    try {
      for await (const { id, instruction, from } of store.instructions(runId, { signal: stop.signal })) {
        const acknowledged = store.acknowledge(runId, id, receiver.receive(instruction, from));
        acknowledging.set(
          runId,
          acknowledged.catch(() => {}),
        );
        await acknowledged;
      }
    } catch {
      // The run is another's now, or the store fails: the agent's own dialog is still there.
      for (const question of open.get(runId) ?? []) question.leave('agent');
    } finally {
      clearInterval(watch);
      acknowledging.delete(runId);
    }
  }

  /** What happens later in the same conversation shows that it no longer waits. */
  function noticeElsewhere(agent: Agent, call: HookCall): void {
    for (const question of [...open.values()].flatMap((some) => [...some])) {
      if (question.agent !== agent || question.asked.sessionId !== call.sessionId) continue;
      const { toolId } = call.call ?? {};
      if (call.what === 'tool-end' && toolId !== undefined && toolId === question.request.toolId)
        question.leave('shown');
      else if (ENDS.has(call.what) && call.part === question.asked.part) question.leave('unknown');
    }
  }

  /** The run that has it now; undefined when nobody follows the session. */
  async function put({ agent, asked }: Question, drafts: Draft[]): Promise<string | undefined> {
    for (let waited = 0; waited === 0 || (waited < followMs && !closing.signal.aborted); waited += TRY_MS) {
      const [first] = await emit(agent.name, asked.sessionId, drafts).catch(() => []);
      if (first) return first.runId;
      if (asked.transcript !== undefined) nudge(asked.transcript);
      await setTimeout(TRY_MS);
    }
    return undefined;
  }

  async function policyFor({ cwd = options.home }: HookCall): Promise<Policy | undefined> {
    const rules = await options.rulesFor(cwd).catch(() => undefined);
    return rules && { permission: 'ask', rules, place: { cwd, home: options.home }, addDirs: [] };
  }

  /** A run of glassbox asks by itself, also where its mark was taken off. */
  async function isInside(agent: string, sessionId: string): Promise<boolean> {
    const session = await store.session(sessionId);
    if (session?.runs.some(({ terms, state }) => terms !== undefined && state !== 'ended')) return true;
    const { pid } = (await options.look?.(agent, sessionId)) ?? {};
    return pid !== undefined && (await findInsiders()).has(pid);
  }

  async function turnOf(sessionId: string): Promise<number> {
    const run = (await store.session(sessionId))?.runs.at(-1);
    if (!run) return 0;
    try {
      for await (const { turn } of store.read(run.runId, run.lastSeq)) return turn;
    } catch {
      // Another run tells all of it by now.
    }
    return 0;
  }

  return {
    async close() {
      closing.abort();
      while (open.size > 0) await setTimeout(TRY_MS);
      await Promise.all([door.close(), neighbours.close()]);
    },
  };
}

/** A question as it came, to be passed on as it is. */
interface Brought {
  payload: unknown;
  connection: HookConnection;
  hops: number;
}

const ENDS: ReadonlySet<HookCall['what']> = new Set(['prompt', 'turn-end', 'session-end']);

function refuse(): never {
  throw new GlassboxError(
    'unsupported-capability',
    'This session runs in a program of its own: speak to it there, or go on with it here when it has ended.',
  );
}
