/** Who made a line, and why, as rows. */
import { allowedText, type Maker, makerText } from '../../../attribution/index.js';
import { formatAgo } from '../../../client/moment.js';
import { tellMoney } from '../../../ledger/index.js';
import type { Why } from '../../../review/index.js';
import type { Paint } from '../../../view/text/palette.js';
import { safe, safeLine } from '../../../view/text/safe.js';
import { shorten } from '../../../word/index.js';

const LABEL = 10;
const WIDEST = 100;
/** Of what was asked or said. */
const MOST_ROWS = 6;

export function whyRows({ path, line, text, maker, earlier, call, commit }: Why, paint: Paint, columns = 80): string[] {
  const width = Math.max(20, Math.min(columns || 80, WIDEST) - LABEL);
  const row = (label: string, said: string): string[] =>
    wrapped(said, width).map((words, index) => `${paint('quiet', (index === 0 ? label : '').padEnd(LABEL))}${words}`);
  const allowed = maker.by === 'call' ? [...row('allowed', allowedText(maker.call.allowed))] : [];
  return [
    `${paint('heading', safeLine(`${path}:${line}`, 200))}  ${safe(text.slice(0, 400)).trim()}`,
    ...row('made', madeText(maker)),
    ...(call
      ? [
          ...row('session', `${call.session} (${call.agent}): ${safeLine(call.title, 200)}`),
          ...(call.prompt === undefined ? [] : row('asked', call.prompt)),
          ...(call.said === undefined ? [] : row('said', call.said)),
        ]
      : []),
    ...allowed,
    ...(call ? row('price', priceText(call)) : []),
    ...(earlier === undefined || earlier.by === maker.by
      ? []
      : row('before', `another line stood there: ${madeText(earlier)}`)),
    ...(commit
      ? row('commit', `${commit.id.slice(0, 10)} ${commit.subject} (${commit.author}, ${formatAgo(commit.at)})`)
      : []),
  ];
}

function madeText(maker: Maker): string {
  if (maker.by !== 'call') return makerText(maker);
  const { call } = maker;
  const command = call.kind === 'execute' && call.command !== undefined ? `: ${shorten(call.command, 200)}` : '';
  return `${makerText(maker).split(' · ').slice(0, 2).join(' · ')}${command} (${formatAgo(call.at)})`;
}

function priceText({ cost, costWithin }: NonNullable<Why['call']>): string {
  if (cost) return `${tellMoney(cost)} for the turn`;
  return costWithin === undefined ? 'not known' : `in that of turn ${costWithin}`;
}

/** At most a few rows, broken between words. */
function wrapped(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of safe(text).split(/\s+/).filter(Boolean)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  if (rows.length <= MOST_ROWS) return rows;
  return [...rows.slice(0, MOST_ROWS - 1), `${rows[MOST_ROWS - 1]} …`];
}
