/** Keeps the cards of a list in their places, and turns what was answered into a line. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, ApprovalRecord } from '../../../client/index.js';
import { decisionText } from '../../../consent/index.js';
import type { Card } from './card.js';
import { client } from './server.js';
import { LINE_MS, nextSlots, type Slot } from './slot.js';
import { isAnsweredHere, noteAnswered } from './waiting.js';

export interface Slots {
  slots: readonly Slot[];
  /** Counts how often cards changed their places. */
  moves: number;
  settle(slot: Slot, text: string): void;
  /** Keeps the height of a card that becomes smaller. */
  hold(slot: Slot): void;
}

/** `list`: near it nothing moves. */
export function useSlots(cards: readonly Card[], list: RefObject<HTMLElement>): Slots {
  const [shown, setShown] = useState<{ slots: readonly Slot[]; moves: number }>({ slots: [], moves: 0 });
  const latest = useRef(cards);
  latest.current = cards;
  const isNear = useRef(false);

  const look = useCallback(() => {
    setShown((before) => {
      const mayMove = !isNear.current && !hasFocus(list.current);
      const slots = nextSlots(before.slots, latest.current, mayMove, Date.now());
      if (slots === before.slots) return before;
      const order = (some: readonly Slot[]) => some.map(({ id, line }) => `${id}${line ? 'x' : ''}`).join(' ');
      const isMoved = mayMove && before.slots.length > 0 && order(slots) !== order(before.slots);
      return {
        slots: mayMove ? slots : withHeights(slots, before.slots, list.current),
        moves: before.moves + Number(isMoved),
      };
    });
  }, [list]);

  useEffect(look, [cards, look]);

  const hasLines = shown.slots.some(({ line }) => line !== undefined);
  useEffect(() => {
    if (!hasLines) return;
    const timer = setInterval(look, LINE_MS / 5);
    return () => clearInterval(timer);
  }, [hasLines, look]);

  useEffect(() => {
    const frame = list.current;
    if (!frame) return;
    const near = (is: boolean) => () => {
      isNear.current = is;
      if (!is) look();
    };
    const [enter, leave] = [near(true), near(false)];
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && frame.contains(relatedTarget))) look();
    };
    frame.addEventListener('pointerenter', enter);
    frame.addEventListener('pointermove', enter);
    frame.addEventListener('pointerleave', leave);
    frame.addEventListener('focusout', onFocusOut);
    return () => {
      frame.removeEventListener('pointerenter', enter);
      frame.removeEventListener('pointermove', enter);
      frame.removeEventListener('pointerleave', leave);
      frame.removeEventListener('focusout', onFocusOut);
    };
  }, [list, look, shown.slots.length > 0]);

  const change = useCallback(
    ({ id }: Slot, to: Partial<Slot>) => {
      const heldPx = heightOf(list.current, id);
      setShown((before) => ({
        ...before,
        slots: before.slots.map((slot) => (slot.id === id ? { ...slot, heldPx: slot.heldPx ?? heldPx, ...to } : slot)),
      }));
    },
    [list],
  );
  const settle = useCallback((slot: Slot, text: string) => change(slot, { line: { text, at: Date.now() } }), [change]);
  const hold = useCallback((slot: Slot) => change(slot, {}), [change]);

  // Somebody else was quicker, or the agent no longer asks.
  useEffect(() => {
    for (const slot of shown.slots) {
      if (slot.line?.text !== '' || slot.card.kind !== 'ask') continue;
      const [record] = slot.card.records;
      if (isAnsweredHere(record)) continue;
      settle(slot, 'No longer asked');
      void decisionOf(record).then((text) => text !== undefined && settle(slot, text));
    }
  }, [shown.slots, settle]);

  return { ...shown, settle, hold };
}

/** Tells all of them the same. Throws when none was told; what somebody else answered meanwhile is no failure. */
export async function answerAll(records: readonly ApprovalRecord[], answer: Answer): Promise<void> {
  const told = await Promise.allSettled(records.map(({ runId, request }) => client.decide(runId, request.id, answer)));
  const done = records.filter((_, index) => told[index]?.status === 'fulfilled');
  noteAnswered(done);
  const failed = told.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

async function decisionOf({ runId, request }: ApprovalRecord): Promise<string | undefined> {
  try {
    const decided = await client.decisions({ since: request.at });
    const own = decided.find((one) => one.runId === runId && one.request.id === request.id);
    return own && decisionText(own.resolution);
  } catch {
    return undefined;
  }
}

function hasFocus(list: HTMLElement | null): boolean {
  return list?.contains(document.activeElement) ?? false;
}

/** What becomes a line is as high as it was. */
function withHeights(slots: readonly Slot[], before: readonly Slot[], list: HTMLElement | null): readonly Slot[] {
  return slots.map((slot) => {
    const wasOpen = before.some(({ id, line }) => id === slot.id && line === undefined);
    return slot.line && wasOpen && slot.heldPx === undefined ? { ...slot, heldPx: heightOf(list, slot.id) } : slot;
  });
}

function heightOf(list: HTMLElement | null, id: string): number {
  return list?.querySelector<HTMLElement>(`[data-slot="${id}"]`)?.getBoundingClientRect().height ?? 0;
}
