/** What waits, where nothing may be answered: one line each, which leads there. */
import { lineFor } from '../../../../consent/index.js';
import type { Card } from '../../state/card.js';
import { sessionPath } from '../../state/route.js';
import { visible } from '../../text/visible.js';

export function WaitingLines({ cards }: { cards: readonly Card[] }) {
  return (
    <ul class="waiting-lines">
      {cards.map((card) => {
        const id = card.kind === 'ask' ? card.records[0].session : card.session.id;
        const text = card.kind === 'ask' ? lineFor(card.records[0].request) : card.text;
        return (
          <li key={card.key}>
            <a href={sessionPath(id)}>
              {id}: {visible(text)}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
