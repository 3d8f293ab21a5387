/**
 * The places of cards in a list. A card keeps its place while somebody is near, and what was answered is a line there for a moment:
 * nothing comes under a pointer that did not move.
 */
import { byWeight, type Card } from './card.js';

export interface Slot {
  /** Another one for the same question when it is asked again. */
  id: string;
  card: Card;
  /** What became of it; absent while it waits. */
  line?: Line;
  /** As high as the card was, for as long as somebody is near. */
  heldPx?: number;
}

export interface Line {
  /** Empty while nobody knows yet. */
  text: string;
  at: number;
}

export const LINE_MS = 5000;

let count = 0;

/** `mayMove`: nobody is near. */
export function nextSlots(before: readonly Slot[], cards: readonly Card[], mayMove: boolean, now: number): Slot[] {
  const open = new Map(cards.map((card) => [card.key, card]));
  const kept: Slot[] = [];
  for (const one of before) {
    const slot = mayMove ? letGo(one) : one;
    const card = slot.line ? undefined : open.get(slot.card.key);
    if (card) {
      open.delete(card.key);
      kept.push(card === slot.card ? slot : { ...slot, card });
    } else if (slot.line === undefined) kept.push({ ...slot, line: { text: '', at: now } });
    else if (!mayMove || now - slot.line.at < LINE_MS) {
      kept.push(slot);
      // What was said of a session takes a moment to come true; a question that is asked again is another one.
      if (slot.card.kind !== 'ask') open.delete(slot.card.key);
    }
  }
  for (const card of open.values()) {
    count += 1;
    kept.push({ id: `card-${count}`, card });
  }
  if (!mayMove) return sameUnlessChanged(before, kept);
  // Lines keep their places, cards change theirs among each other.
  const sorted = kept.filter(({ line }) => line === undefined).sort((one, other) => byWeight(one.card, other.card));
  return sameUnlessChanged(
    before,
    kept.map((slot) => (slot.line ? slot : (sorted.shift() ?? slot))),
  );
}

function letGo(slot: Slot): Slot {
  if (slot.heldPx === undefined) return slot;
  const { heldPx: _, ...rest } = slot;
  return rest;
}

function sameUnlessChanged(before: readonly Slot[], after: Slot[]): Slot[] {
  const isSame = before.length === after.length && after.every((slot, index) => slot === before[index]);
  return isSame ? (before as Slot[]) : after;
}
