import { describe, expect, it } from 'vitest';
import type { AgentEvent, Draft } from '../../src/event/index.js';
import { type Alarm, createWatchdog, type WatchdogOptions } from '../../src/run/limit/watchdog.js';
import { createRunSummary } from '../../src/run/run-summary.js';

/** A watchdog on a clock of its own; `at` moves it. */
function watch(options: WatchdogOptions) {
  const summary = createRunSummary();
  const dog = createWatchdog(options, summary);
  const alarms: Alarm[] = [];
  let now = 0;
  const note = (alarm: Alarm | undefined) => alarm && alarms.push(alarm);
  return {
    dog,
    alarms,
    /** Time passes; everything due is told. */
    at(time: number) {
      for (let due = dog.dueAt(); due !== undefined && due <= time; due = dog.dueAt()) note(dog.tick(due));
      now = time;
    },
    see(...drafts: Draft[]) {
      for (const draft of drafts) {
        const event = { ...draft, seq: 1, at: now, runId: 'r', agent: 'a', source: 'stream' } as AgentEvent;
        summary.see(event);
        note(dog.see(event, now));
      }
    },
    hold: (held: boolean) => dog.hold(held, now),
  };
}

const turn = 1;
const turnStart: Draft = { type: 'turn-start', turn };
const turnEnd: Draft = { type: 'turn-end', outcome: 'success', turn };
const tool = (id: string, input: unknown): Draft[] => [
  { type: 'tool-start', id, name: 'Bash', kind: 'execute', turn },
  { type: 'tool-input-end', id, input, summary: String(input), turn },
  { type: 'tool-end', id, status: 'ok', turn },
];
const spend = (tokens: number): Draft => ({
  type: 'message-end',
  messageId: 'm',
  usage: { outputTokens: tokens },
  turn,
});
const request: Draft = { type: 'approval-request', id: 'q', kind: 'tool', toolName: 'Write', turn };

describe('decision 10 the watchdog', () => {
  it('S1-43 tells of silence once, with what the agent was doing, and again after a sign of life', () => {
    const { at, see, alarms } = watch({ silence: { afterMs: 1000, policy: 'note' } });
    see(turnStart, ...tool('t', 'make').slice(0, 2));
    at(999);
    expect(alarms).toEqual([]);
    at(5000);
    expect(alarms).toEqual([
      { watch: 'silence', policy: 'note', message: 'no sign of life for 1 s, while running Bash: make' },
    ]);
    see({ type: 'tool-progress', id: 't', turn });
    at(7000);
    expect(alarms).toHaveLength(2);
  });

  it('does not mind silence when nothing is to be done', () => {
    const { at, see, alarms } = watch({ silence: { afterMs: 1000, policy: 'note' } });
    see(turnStart, turnEnd);
    at(10_000);
    expect(alarms).toEqual([]);
  });

  it('decision 2 waiting for a reader is never a stall', () => {
    const { at, see, alarms, hold } = watch({ silence: { afterMs: 1000, policy: 'end' } });
    see(turnStart);
    hold(true);
    at(10_000);
    expect(alarms).toEqual([]);
    hold(false);
    at(10_999);
    expect(alarms).toEqual([]);
    at(11_000);
    expect(alarms).toHaveLength(1);
  });

  it('tells of an approval that nobody answers, instead of silence', () => {
    const { at, see, alarms } = watch({
      silence: { afterMs: 1000, policy: 'end' },
      approval: { afterMs: 3000, policy: 'note' },
    });
    see(turnStart, request);
    at(2000);
    see({ type: 'status', code: 'x', turn });
    at(9000);
    expect(alarms).toEqual([
      { watch: 'approval', policy: 'note', message: 'nobody has answered for 3 s: waiting for an answer about Write' },
    ]);
  });

  it('tells minutes where seconds would have to be converted, and what is asked in words', () => {
    const { at, see, alarms } = watch({ approval: { afterMs: 300_000, policy: 'note' } });
    see(turnStart, {
      type: 'approval-request',
      id: 'a',
      kind: 'question',
      input: {},
      toolName: 'AskUserQuestion',
      turn,
    });
    at(300_000);
    expect(alarms.map(({ message }) => message)).toEqual([
      'nobody has answered for 5 min: waiting for an answer about its questions',
    ]);
  });

  it('tells of the same call in a row, not of the same call now and then', () => {
    const { see, alarms } = watch({ repetition: { times: 3, policy: 'interrupt' } });
    see(turnStart, ...tool('1', 'ls'), ...tool('2', 'ls'), ...tool('3', 'pwd'), ...tool('4', 'ls'), ...tool('5', 'ls'));
    expect(alarms).toEqual([]);
    see(...tool('6', 'ls'), ...tool('7', 'ls'));
    expect(alarms).toEqual([
      { watch: 'repetition', policy: 'interrupt', message: 'the same call 3 times in a row: Bash ls' },
    ]);
  });

  it('tells of spending without a change, and starts anew with the next change', () => {
    const { see, alarms } = watch({ spend: { tokens: 100, policy: 'ask' } });
    see(turnStart, spend(60), { type: 'file-change', path: 'a', kind: 'edit', turn }, spend(60));
    expect(alarms).toEqual([]);
    see(spend(60), spend(60));
    expect(alarms).toEqual([{ watch: 'spend', policy: 'ask', message: '120 tokens spent since a file changed' }]);
  });

  it('tells of background work after the answer', () => {
    const { at, see, alarms } = watch({ tasks: { afterMs: 1000, policy: 'note' } });
    see(turnStart, { type: 'task-start', id: 'b', kind: 'shell', turn }, turnEnd);
    at(1000);
    expect(alarms[0]?.message).toBe('the answer came 1 s ago, but it is still waiting for 1 background task');
  });

  it('tells of a process that outlives its answer, once its input is closed', () => {
    const { at, see, alarms, dog } = watch({ linger: { afterMs: 1000, policy: 'end' } });
    see(turnStart, turnEnd);
    at(5000);
    expect(alarms).toEqual([]);
    dog.inputClosed(5000);
    at(6000);
    expect(alarms).toEqual([
      { watch: 'linger', policy: 'end', message: 'the answer came 1 s ago, but the process is still alive' },
    ]);
  });

  it('can be switched off one by one, and is generous by default', () => {
    const off = watch({ silence: false, repetition: false, approval: false, linger: false, tasks: false });
    const usual = watch({});
    for (const { see, at, alarms } of [off, usual]) {
      see(turnStart, ...Array.from({ length: 9 }, (_, n) => tool(String(n), 'ls')).flat());
      at(9 * 60_000);
      expect(alarms).toEqual([]);
    }
    off.at(10 ** 9);
    expect(off.alarms).toEqual([]);
    usual.at(10 * 60_000);
    expect(usual.alarms.map(({ policy }) => policy)).toEqual(['note']);
  });
});
