import type { Scribe } from '../scribe.js';
import type { Asks } from './asks.js';
import type { Speech } from './speech.js';
import type { Tasks } from './tasks.js';
import type { Turns } from './turns.js';

/** The stream is over: ends everything that is still open, innermost first. */
export function closeAll(scribe: Scribe, open: { asks: Asks; speech: Speech; tasks: Tasks; turns: Turns }): void {
  scribe.source = 'synthetic';
  open.asks.close();
  open.speech.messages.endAll();
  open.speech.tools.close('unknown', () => true);
  open.tasks.closeAll();
  for (const turn of [...open.turns.open()]) {
    open.turns.end(turn - 1);
    scribe.write({ type: 'turn-end', outcome: 'unknown' }, { turn });
  }
  scribe.source = undefined;
}
