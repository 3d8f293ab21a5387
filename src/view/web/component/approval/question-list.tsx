/** Cards one below the other, each answerable where it stands; what was answered is a line for a moment. */
import { useStore } from '@nanostores/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { consentFor, lineFor } from '../../../../consent/index.js';
import type { Card } from '../../state/card.js';
import { isTyping } from '../../state/key.js';
import { $putOff, isPutOff, putOff, takeUp } from '../../state/later.js';
import { $health } from '../../state/sessions.js';
import type { Slot } from '../../state/slot.js';
import { useSlots } from '../../state/use-slots.js';
import { visible } from '../../text/visible.js';
import { QuestionCard } from './question-card.js';
import { RunCard } from './run-card.js';

interface Props {
  cards: readonly Card[];
  /** The cards of one session, beside its conversation; keys act on the card that has the focus. */
  isAlone?: boolean;
}

export function QuestionList({ cards, isAlone = false }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const { slots, moves, settle, hold } = useSlots(cards, list);
  const until = useStore($putOff);
  const isReadOnly = useStore($health)?.readOnly ?? false;
  const [selected, setSelected] = useState<string>();
  const isLater = ({ card, line }: Slot) => line === undefined && isPutOff(card, until);
  const later = (slot: Slot) => {
    hold(slot);
    putOff(slot.card);
  };
  const newest = slots.findLast(({ line }) => line === undefined)?.card;

  useEffect(() => {
    const frame = list.current;
    const target = isAlone ? frame : document;
    if (!target || !frame) return;
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (event.defaultPrevented || event.repeat) return;
      const places = [...frame.querySelectorAll<HTMLElement>('[data-slot]:not([data-line])')];
      const own = frame.querySelector<HTMLElement>('[data-slot]:focus-within');
      const current = own ?? frame.querySelector<HTMLElement>(`[data-slot="${selected}"]`);
      if (event.key === 'j' || event.key === 'k') {
        event.preventDefault();
        const next = neighbour(places, current, event.key === 'j' ? 1 : -1);
        next?.focus();
        setSelected(next?.dataset.slot);
        return;
      }
      const button = current?.querySelector<HTMLButtonElement>(`[data-key="${CSS.escape(event.key)}"]`);
      if (!button) return;
      event.preventDefault();
      button.click();
    };
    target.addEventListener('keydown', onKey);
    return () => target.removeEventListener('keydown', onKey);
  }, [isAlone, selected]);

  return (
    <div class="question-list" ref={list}>
      <p class="sr-only" role="status">
        {newest?.kind === 'ask' && `Waiting for you: ${visible(consentFor(newest.records[0].request).title)}`}
      </p>
      {slots.map((slot) => (
        <div
          key={slot.id}
          class="slot"
          data-slot={slot.id}
          data-line={slot.line ? '' : undefined}
          data-selected={slot.id === selected ? '' : undefined}
          tabIndex={-1}
          style={slot.heldPx === undefined ? undefined : { minHeight: slot.heldPx }}
          onFocusIn={() => setSelected(slot.id)}
        >
          {slot.line ? (
            <p class="answered-line" role="status">
              {slot.line.text !== '' && visible(`${slot.line.text}: ${aboutOf(slot.card)}`)}
            </p>
          ) : isLater(slot) ? (
            <div class="later-line" data-put-off>
              <span class="cut grow">Later: {visible(aboutOf(slot.card))}</span>
              <button type="button" class="button" onClick={() => takeUp(slot.card)}>
                Decide
              </button>
            </div>
          ) : slot.card.kind === 'ask' ? (
            <QuestionCard
              card={slot.card}
              isAlone={isAlone}
              moves={moves}
              onLater={() => later(slot)}
              onSettled={(text) => settle(slot, text)}
            />
          ) : (
            <RunCard
              card={slot.card}
              moves={moves}
              isReadOnly={isReadOnly}
              onLater={() => later(slot)}
              onSettled={(text) => settle(slot, text)}
            />
          )}
        </div>
      ))}
    </div>
  );
}

function aboutOf(card: Card): string {
  return card.kind === 'ask' ? lineFor(card.records[0].request) : `${card.session.id} ${card.session.title}`;
}

/** From nowhere: the first one down, the last one up. */
function neighbour(places: HTMLElement[], from: HTMLElement | null, step: 1 | -1): HTMLElement | undefined {
  if (!from) return step > 0 ? places[0] : places.at(-1);
  const after = places.filter((one) => Boolean(from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING));
  const before = places.filter((one) => Boolean(from.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING));
  return step > 0 ? after[0] : before.at(-1);
}
