import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { createTap } from '../../src/run/tap.js';

type Kind = 'text-delta' | 'tool-progress' | 'tool-end' | 'status';

describe('a tap', () => {
  it('passes everything on while it keeps up', async () => {
    const { tap, push, end } = createTap(4, () => {});
    push([event(1, 'text-delta'), event(2, 'status')]);
    end();
    expect(await read(tap)).toEqual(['text-delta 1', 'status 2']);
    expect(tap.lost()).toBe(0);
  });

  it('R-07 LL-30 loses deltas when full, never anything else, and declares each loss once', async () => {
    const { tap, push, end } = createTap(4, () => {});
    push([event(1, 'status'), event(2, 'text-delta'), event(3, 'text-delta'), event(4, 'tool-end')]);
    push([event(5, 'text-delta'), event(6, 'tool-progress'), event(7, 'text-delta'), event(8, 'status')]);
    end();
    expect(await read(tap)).toEqual(['status 1', 'gap 2-3', 'tool-end 4', 'gap 5-7', 'status 8']);
    expect(tap.lost()).toBe(5);
  });

  it('stays small however many deltas come', async () => {
    const { tap, push, end } = createTap(4, () => {});
    for (let seq = 1; seq <= 10_000; seq += 1) push([event(seq, 'text-delta')]);
    end();
    const seen = await read(tap);
    expect(seen.length).toBeLessThanOrEqual(5);
    expect(seen.at(-1)).toMatch(/10000$/);
  });

  it('tells when it is let go', async () => {
    let closed = 0;
    const { tap, push } = createTap(4, () => closed++);
    push([event(1, 'status')]);
    for await (const _ of tap) break;
    expect(closed).toBe(1);
    expect((await tap.next()).done).toBe(true);
  });
});

function event(seq: number, type: Kind): AgentEvent {
  const common = { seq, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 0 } as const;
  if (type === 'text-delta') return { type, messageId: 'm', index: 0, text: 'x', ...common };
  if (type === 'tool-end') return { type, id: 't', status: 'ok', ...common };
  return type === 'status' ? { type, code: 'x', ...common } : { type, id: 't', ...common };
}

async function read(tap: AsyncIterable<AgentEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const one of tap) seen.push(one.type === 'gap' ? `gap ${one.from}-${one.to}` : `${one.type} ${one.seq}`);
  return seen;
}
