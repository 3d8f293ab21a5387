/** The longest piece of work of a page's main thread, as the browser tells it. */
import type { Browser, Page } from 'playwright-core';

export interface Task {
  /** What it took of the machine. On a busy one the clock also counts what others took meanwhile. */
  cpuMs: number;
  clockMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
}

export async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<Task> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const ours = new Set(threads.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith('RunTask') && ours.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('The browser told of no tasks.');
  const [longest = { dur: 0 }] = tasks.sort((left, right) => cpuOf(right) - cpuOf(left));
  return { cpuMs: cpuOf(longest) / 1000, clockMs: (longest.dur ?? 0) / 1000 };
}

/** No thread takes more of the machine than it lasts, whatever the clock of a virtual one says. */
function cpuOf({ tdur = 0, dur = 0 }: Pick<TraceEvent, 'tdur' | 'dur'>): number {
  return Math.min(tdur, dur);
}

export function taskText({ cpuMs, clockMs }: Task): string {
  return `${Math.round(cpuMs)} ms of CPU (${Math.round(clockMs)} ms by the clock)`;
}

export function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
