/** Where the time of a session went, as bars: the longest first. */
import stringWidth from 'fast-string-width';
import { type SessionState, selectTimeline, timeShareName, timeSharesOf } from '../../session/index.js';
import { duration } from '../../word/index.js';
import { styled } from '../terminal/styled.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { safeLine } from '../text/safe.js';

interface Options {
  readonly width: number;
  readonly color: boolean;
  readonly now: number;
}

const MOST = 8;
const WIDEST_NAME = 24;
const WIDEST_BAR = 30;
/** The share and the time behind the bar. */
const FIGURES = 16;

/** Nothing where nothing took any time, or where there is no room for a bar. */
export function timeRows(state: SessionState, { width, color, now }: Options): string[] {
  const shares = timeSharesOf(selectTimeline(state), now).filter(({ ms }) => ms > 0);
  const whole = shares.reduce((sum, { ms }) => sum + ms, 0);
  const shown = shares.slice(0, MOST).map((share) => ({ ...share, name: safeLine(timeShareName(share), 60) }));
  const name = Math.min(WIDEST_NAME, Math.max(0, ...shown.map((share) => stringWidth(share.name))));
  const bar = Math.min(WIDEST_BAR, width - name - FIGURES - 2);
  if (shown.length === 0 || bar < 4) return [];
  return shown.map((share) => {
    const called = cutToWidth(share.name, name);
    const full = Math.max(1, Math.round((bar * share.ms) / whole));
    const part = `${String(Math.round((100 * share.ms) / whole)).padStart(3)} %`;
    const drawn = styled('▇'.repeat(full), ['accent'], color) + styled('▁'.repeat(bar - full), ['dim'], color);
    const space = ' '.repeat(name - stringWidth(called));
    return `${called}${space} ${drawn} ${part} ${styled(duration(share.ms).padStart(9), ['dim'], color)}`;
  });
}
