/**
 * Lines that readers stumble over. Everything here is legal for a program that prints JSON lines, or happens to such programs; each
 * case has good lines around the odd one, and those must arrive whatever becomes of it.
 */
import type { Case, Stream } from './case.js';
import type { StreamFrame } from './stream-frame.js';

/** A line as long as agents print them, with a picture or two, and one that a reader may leave out to bound its memory; tests take smaller ones. */
export function hostileCases(speech: StreamFrame, { longBytes = 8 * 2 ** 20, hugeBytes = 32 * 2 ** 20 } = {}): Case[] {
  const long = { 'lines/long': longLine(longBytes), 'lines/huge': hugeLine(hugeBytes) };
  const recipes = Object.entries({ ...RECIPES, ...long });
  return recipes.map(([name, [row, cook]]) => ({ name, row, agent: speech.agent, make: () => cook(speech) }));
}

type Recipe = readonly [row: string, cook: (speech: StreamFrame) => Stream];

const RECIPES: Record<string, Recipe> = {
  'lines/u2028': ['U+2028 in a text', whole('before\u2028after')],
  'lines/u2029': ['U+2029 in a text', whole('before\u2029after')],
  'lines/u0085': ['U+0085 in a text', whole('before\u0085after')],
  'lines/crlf': ['CRLF line ends', (speech) => joined(talk(speech, 3000), '\r\n')],
  'lines/bare-cr': [
    'a bare CR between tokens',
    (speech) =>
      around(
        speech,
        good((json) => json.replace('{', '{\r')),
      ),
  ],
  'lines/cut-characters': [
    'characters cut by reads',
    (speech) => joined([...open(speech), ...wide(speech), ...close(speech)]),
  ],
  'lines/bad-utf8': ['bytes that are no UTF-8', badUtf8],
  'lines/malformed': [
    'malformed lines',
    (speech) => around(speech, bad('{"type":"assistant","mess'), bad('npm warn old')),
  ],
  'lines/no-object': ['JSON that is no object', noObject],
  'lines/unknown-type': [
    'an unknown type',
    (speech) => around(speech, value({ type: 'from_the_future', novel: [1, { a: null }] })),
  ],
  'lines/blank': ['blank lines', (speech) => around(speech, bad(''), bad('   '), bad('\t'), bad(''))],
  'lines/bom': ['a byte order mark', (speech) => prefixed('\ufeff', joined(talk(speech, 3)))],
  'lines/no-newline': ['a last line without newline', (speech) => trimmed(joined(talk(speech, 3)), 1)],
  'lines/cut-end': ['a last line that is cut', cutEnd],
};

/** What stands between the good lines: some bytes, and the value if it must be delivered. */
type Part = (speech: StreamFrame) => { bytes: Uint8Array; good: unknown[]; allowed?: unknown[] };

function talk(speech: StreamFrame, lines: number): object[] {
  // Lines of many lengths, so that reads end everywhere in them.
  const said = Array.from({ length: lines }, (_, n) => speech.say(`line ${n} ${'.'.repeat(n % 97)}`, n));
  return [...speech.before, ...said, ...speech.after];
}

const open = (speech: StreamFrame): object[] => [...speech.before, speech.say('before', 1)];
const close = (speech: StreamFrame): object[] => [speech.say('after', 3), speech.say('and after', 4), ...speech.after];

/** Three and four bytes a character and more than a pipe holds: wherever a read ends, it is mostly inside of one. */
const wide = (speech: StreamFrame): object[] => [speech.say(`x${'語'.repeat(200_000)}${'🙂'.repeat(100_000)}`, 2)];

function around(speech: StreamFrame, ...parts: Part[]): Stream {
  const middle = parts.map((part) => part(speech));
  const [first, last] = [joined(open(speech)), joined(close(speech))];
  return {
    bytes: Buffer.concat([first.bytes, ...middle.map(({ bytes }) => bytes), last.bytes]),
    good: [...first.good, ...middle.flatMap((part) => part.good), ...last.good],
    allowed: middle.flatMap(({ allowed = [] }) => allowed),
  };
}

function whole(text: string): (speech: StreamFrame) => Stream {
  return (speech) => around(speech, value(speech.say(text, 2)));
}

function longLine(bytes: number): Recipe {
  return [`a line of ${Math.round(bytes / 2 ** 20)} MB`, (speech) => whole('x'.repeat(bytes))(speech)];
}

function hugeLine(bytes: number): Recipe {
  const cook = (speech: StreamFrame) => {
    const given = speech.say('x'.repeat(bytes), 2);
    return around(speech, bad(JSON.stringify(given), [given]));
  };
  return [`lines around one of ${Math.round(bytes / 2 ** 20)} MB`, cook];
}

function value(given: unknown): Part {
  return () => ({ bytes: line(JSON.stringify(given)), good: [given] });
}

/** A good line in another spelling. */
function good(respell: (json: string) => string): Part {
  return (speech) => {
    const given = speech.say('between', 2);
    return { bytes: line(respell(JSON.stringify(given))), good: [given] };
  };
}

function bad(text: string, allowed: unknown[] = []): Part {
  return () => ({ bytes: line(text), good: [], allowed });
}

function badUtf8(speech: StreamFrame): Stream {
  const [before = '', after = ''] = JSON.stringify(speech.say('\0', 2)).split('\\u0000');
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3]), Buffer.from(`${after}\n`)]);
  // What decoders that replace make of it.
  const allowed = ['\ufffd\ufffd', '\ufffd', '', 'ÿÃ'].map((text) => speech.say(text, 2));
  return around(speech, () => ({ bytes, good: [], allowed }));
}

function noObject(speech: StreamFrame): Stream {
  const values = [null, 42, 'text', [], true];
  return around(speech, ...values.map((each) => bad(JSON.stringify(each), [each])));
}

function cutEnd(speech: StreamFrame): Stream {
  const stream = joined([...open(speech), ...close(speech)]);
  const rest = JSON.stringify(speech.say('never finished', 5));
  return { ...stream, bytes: Buffer.concat([stream.bytes, Buffer.from(rest.slice(0, rest.length - 9))]) };
}

function joined(values: readonly unknown[], end = '\n'): Stream {
  return { bytes: Buffer.from(values.map((each) => JSON.stringify(each) + end).join('')), good: values };
}

function prefixed(text: string, stream: Stream): Stream {
  return { ...stream, bytes: Buffer.concat([Buffer.from(text), stream.bytes]) };
}

function trimmed(stream: Stream, bytes: number): Stream {
  return { ...stream, bytes: stream.bytes.subarray(0, stream.bytes.length - bytes) };
}

function line(text: string): Uint8Array {
  return Buffer.from(`${text}\n`);
}
