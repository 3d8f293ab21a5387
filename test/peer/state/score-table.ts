/** The score as people read it: what was shown for what was true, how soon, and whether the goals are reached. */
import { confusionOf, type Delay, delaysOf, falseEnds, type Timeline } from './timeline.js';

const STATES = ['working', 'waiting', 'idle', 'parked', 'ended'] as const;
const SHOWN = [...STATES, 'unknown', 'unseen'] as const;

export function drawScore(timelines: readonly Timeline[], failures: readonly string[]): string {
  const agents = [...new Set(timelines.map(({ agent }) => agent))];
  const parts = agents.map((agent) =>
    drawPart(
      agent,
      timelines.filter((one) => one.agent === agent),
    ),
  );
  const missing = failures.length > 0 ? ['Not played:', ...failures.map((text) => `- ${text}`), ''] : [];
  return ['', ...parts, drawPart('all', timelines), ...missing].join('\n');
}

function drawPart(name: string, timelines: readonly Timeline[]): string {
  const counts = confusionOf(timelines);
  const rows = STATES.flatMap((truth) => {
    const cells = SHOWN.map((shown) => counts.get(`${truth} ${shown}`) ?? 0);
    const total = cells.reduce((sum, count) => sum + count, 0);
    return total === 0 ? [] : [`| ${truth} | ${cells.map((count) => share(count, total)).join(' | ')} |`];
  });
  const delays = timelines.flatMap(delaysOf);
  const known = delays.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b);
  const soon = delays.filter(({ ms }) => ms !== undefined && ms <= 1000).length;
  const ends = timelines.reduce((sum, one) => sum + falseEnds(one), 0);
  const plays = [...new Set(timelines.map(({ play }) => play))].join(', ');
  return [
    `### ${name}: ${timelines.length} sessions (${plays})`,
    '',
    `| true \\ shown | ${SHOWN.join(' | ')} |`,
    `|---|${SHOWN.map(() => '---').join('|')}|`,
    ...rows,
    '',
    `${soon} of ${delays.length} changes shown within a second (${share(soon, delays.length)}); median ${at(known, 0.5)} ms, 95 of 100 within ${at(known, 0.95)} ms; shown as ended while it worked: ${ends} times.`,
    ...delays
      .filter(isLate)
      .map(({ play, to, ms }) => `- late: ${play}, ${to}: ${ms === undefined ? 'never' : `${ms} ms`}`),
    '',
  ].join('\n');
}

const isLate = ({ ms }: Delay): boolean => ms === undefined || ms > 1000;

function share(part: number, whole: number): string {
  return part === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`;
}

function at(sorted: readonly number[], quantile: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? 0);
}
