/** Row 26: what the live view of a terminal costs: CPU of drawing while 500 deltas a second come, as a share of one core. */
import { paintFrame } from '../src/cli/live/paint-frame.js';
import type { AgentEvent } from '../src/event/index.js';
import { initialState, reduce } from '../src/session/index.js';
import { liveRows, NOTHING_TOLD, statusRow } from '../src/view/terminal/index.js';
import { report } from './support/row.js';

const SECONDS = 60;
const PER_SECOND = 500;
const FRAMES = 30;
const SIZE = { width: 200, height: 56, color: true, isFull: false };

/** An answer as models write them: sections with prose, a list and code. */
const WORDS = Array.from({ length: 400 }, (_, section) =>
  [
    `## Part ${section}`,
    'A paragraph with **bold** words, `code` and a link to [the docs](https://example.org), long enough to be wrapped. '.repeat(
      3,
    ),
    '- one thing\n- another thing that is longer\n- a third',
    '```js\nfor (const line of lines) {\n  print(line);\n}\n```',
  ].join('\n\n'),
)
  .join('\n\n')
  .split(/(?<=\s)/);

const stamp = { runId: 'r', agent: 'toy', turn: 1, source: 'stream' };
const eventAt = (index: number): AgentEvent =>
  (index === 0
    ? { ...stamp, seq: 1, at: 0, type: 'message-start', messageId: 'm', role: 'assistant' }
    : {
        ...stamp,
        seq: index + 1,
        at: (index * 1000) / PER_SECOND,
        type: 'text-delta',
        messageId: 'm',
        index: 0,
        text: WORDS[(index - 1) % WORDS.length],
      }) as AgentEvent;

function watch(seconds: number): { ms: number; frames: number; bytes: number } {
  let state = initialState;
  let told = NOTHING_TOLD;
  let shown: readonly string[] = [];
  let [frames, bytes] = [0, 0];
  const before = process.cpuUsage();
  for (let index = 0; index < seconds * PER_SECOND; index += 1) {
    const event = eventAt(index);
    state = reduce(state, event);
    if (index % Math.ceil(PER_SECOND / FRAMES) !== 0) continue;
    const look = { ...SIZE, now: event.at };
    const rows = liveRows(state, told, look);
    const open = [...rows.open, '', statusRow(state, { ...look, startedAt: 0 })];
    bytes += paintFrame({ rows: shown }, { settled: rows.settled, open }).length;
    told = rows.told;
    shown = open;
    frames += 1;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, frames, bytes };
}

watch(5);
const { ms, frames, bytes } = watch(SECONDS);
const value = (100 * ms) / (SECONDS * 1000);
report([
  {
    row: 26,
    what: `live view, ${PER_SECOND} deltas a second for ${SECONDS} s at 200 columns`,
    against: 'one core',
    goal: '≤ 10 %',
    value,
    unit: '%',
    ok: value <= 10,
    also: {
      'a frame': `${(ms / frames).toFixed(2)} ms of CPU, ${Math.round(bytes / frames)} bytes`,
    },
  },
]);
