/** Row 13: one server-sent event of 4 MiB in the pieces of a network, against joining the pieces once. */
import { readServerEvents } from '../src/client/event-source.js';
import { measureRounds } from './support/rounds.js';
import { report } from './support/row.js';

const PIECE_BYTES = 1400;
const bytes = new TextEncoder().encode(`id: 1\ndata: ${JSON.stringify({ text: 'word '.repeat(800_000) })}\n\n`);
const pieces: Uint8Array[] = [];
for (let from = 0; from < bytes.length; from += PIECE_BYTES) pieces.push(bytes.subarray(from, from + PIECE_BYTES));

/** Both wait for each piece, as a network makes them. */
function stream(): ReadableStream<Uint8Array> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next];
      next += 1;
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
}

const times = await measureRounds(
  {
    async joined() {
      const read: Uint8Array[] = [];
      for await (const piece of stream()) read.push(piece);
      return JSON.parse(Buffer.concat(read).toString().split('data: ')[1] ?? '');
    },
    async parsed() {
      for await (const { data } of readServerEvents(stream())) return JSON.parse(data);
    },
  },
  { rounds: 7, warmUp: 2 },
);
const value = times.ratio('joined', 'parsed');

report([
  {
    row: 13,
    what: 'one event of 4 MiB in pieces of 1,400 bytes, read by the client',
    against: 'the pieces joined once',
    goal: '≤ 1.5',
    value,
    unit: '×',
    ok: value <= 1.5,
    also: {},
  },
]);
