/** Rows 1a and 1b: everything from bytes to stamped events, against nothing but `JSON.parse` of lines that somebody else has split. */
import { agentNamed, createDecoder } from '../src/decode/index.js';
import { createLineDecoder } from '../src/jsonl/index.js';
import { type Mix, readLiveMix, readToolMix } from './support/mix.js';
import { measureRounds } from './support/rounds.js';
import { type Row, report } from './support/row.js';

const AGAINST = 'bare JSON.parse of the same lines, already split';
/** So much is decoded before it counts, however small the mix is: compilers take their time. */
const WARM_UP_MB = 60;
const live = readLiveMix('claude');
report([
  ...(await measure('1a', live, { off: 0.75, on: 0.45 }, live.files)),
  ...(await measure('1b', readToolMix('claude'), { off: 0.55, on: 0.4 })),
]);

async function measure(
  row: string,
  mix: Mix,
  goals: { off: number; on: number },
  also: Record<string, string> = {},
): Promise<Row[]> {
  const byteLines = mix.lines.map((line) => Buffer.from(line));
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const values = mix.lines.map((line): unknown => JSON.parse(line));
  const decode = (guard: false | undefined) => {
    const decoder = createDecoder('claude', { guard });
    for (const chunk of mix.chunks) decoder.push(chunk);
    decoder.end();
  };
  const times = await measureRounds(
    {
      bare() {
        for (const line of mix.lines) JSON.parse(line);
      },
      bareBytes() {
        for (const line of byteLines) JSON.parse(utf8.decode(line));
      },
      lines() {
        const decoder = createLineDecoder();
        for (const chunk of mix.chunks) decoder.push(chunk);
        decoder.end();
      },
      translated() {
        const protocol = agentNamed('claude')?.createProtocol();
        for (const value of values) protocol?.receive(value, 0);
        protocol?.end();
      },
      off: () => decode(false),
      on: () => decode(undefined),
    },
    { rounds: 9, warmUp: Math.ceil(WARM_UP_MB / mix.megabytes) },
  );
  const perSecond = (ms: number) => `${Math.round((mix.megabytes / ms) * 1000)} MB/s`;
  const [off, on] = [times.ratio('off', 'bare'), times.ratio('on', 'bare')];
  const common = { row, against: AGAINST, unit: '×' };
  return [
    {
      ...common,
      what: `decode and translate, guard off, ${mix.about}`,
      goal: `≥ ${goals.off.toFixed(2)}`,
      value: off,
      ok: off >= goals.off,
      also: {
        ...also,
        speed: perSecond(times.ms('off')),
        'the floor: bytes to text and JSON.parse, lines already split': `${times.ratio('bareBytes', 'bare').toFixed(2)} ×`,
        'jsonl alone': `${times.ratio('lines', 'bare').toFixed(2)} ×`,
        'translating alone, of values already parsed': `${times.ratio('translated', 'bare').toFixed(2)} ×`,
      },
    },
    {
      ...common,
      what: `decode and translate, guard on, ${mix.about}`,
      goal: `≥ ${goals.on.toFixed(2)}`,
      value: on,
      ok: on >= goals.on,
      also: { speed: perSecond(times.ms('on')) },
    },
  ];
}
