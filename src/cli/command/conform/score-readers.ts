/** `glassbox conform`: chooses readers and streams, scores them, prints the scorecard. */
import path from 'node:path';
import {
  type Absent,
  builtInReaders,
  type Case,
  casesIn,
  conform,
  hostileCases,
  packedCases,
  type Reader,
  STREAM_FRAMES,
  vendorReaders,
} from '../../../conform/index.js';
import { requireAgent } from '../../../decode/index.js';
import { GlassboxError } from '../../../event/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { createInterrupt } from '../../interrupt.js';
import { wantsColor } from '../../print/color.js';
import { note } from '../../print/note.js';
import { createProgressLine } from '../../print/progress-line.js';
import { print } from '../../print/sink.js';
import type { ConformFlags } from './command.js';
import { scorecard } from './scorecard.js';

export async function scoreReaders(this: Context, flags: ConformFlags, ...command: string[]): Promise<void> {
  const { process, programDir } = this;
  const { stdout, stderr, env } = process;
  const conformDir = new URL('conform/', programDir);
  const { readers: vendors, absent } = vendorReaders(conformDir, path.resolve(flags.packages ?? '.'));
  const [program, ...args] = command;
  const own: Reader[] = program === undefined ? [] : [{ name: flags.name, command: [program, ...args] }];
  const readers = [...own, ...builtInReaders(programDir), ...vendors];
  const casesOf = chooser(flags, new URL('recordings.gz', conformDir));
  const count = readers.reduce((sum, reader) => sum + casesOf(reader).length, 0);
  if (count === 0)
    throw new GlassboxError('invalid-request', 'No stream has such a name. See glassbox conform --json.');

  using interrupt = createInterrupt(process);
  const results = await (async () => {
    // Nothing else is printed meanwhile, so it may also be shown where the result will be.
    using progress = createProgressLine({ count, of: 'streams read' }, { stdout: {}, stderr });
    const { signal } = interrupt;
    return conform({ readers, casesOf, limitMs: flags.limit, signal, onProgress: (done) => progress.update(done) });
  })();
  if (flags.json) {
    await print(
      stdout,
      results.map((result) => safeJson({ schema: 1, ...result })),
    );
  } else {
    const paint = createPaint(wantsColor(flags.color, stdout, env));
    const names = readers.map(({ name }) => name);
    await print(stdout, scorecard(results, names, { paint, verbose: flags.verbose === true }));
    if (absent.length > 0) note(stderr, absentText(absent));
  }
  const judged = own[0]?.name ?? 'glassbox';
  const passed = results.every(({ reader, verdict }) => reader !== judged || verdict === 'passed');
  process.exitCode = interrupt.status() ?? (passed ? 0 : 1);
}

/** A reader of one agent's streams gets only those, and hostile lines in that agent's words. */
function chooser(flags: ConformFlags, packed: URL): (reader: Reader) => readonly Case[] {
  const asked = flags.agent === undefined ? undefined : requireAgent(flags.agent).name;
  const recordings = flags.recordings === undefined ? packedCases(packed) : casesIn(path.resolve(flags.recordings));
  const hostile = new Map(STREAM_FRAMES.map((speech) => [speech.agent, hostileCases(speech)]));
  const [first = ''] = hostile.keys();
  return ({ reads }) => {
    const own = reads?.[0];
    const lines = hostile.get(own ?? asked ?? first) ?? hostile.get(first) ?? [];
    const fitting = recordings.filter(
      ({ row, agent }) => reads?.includes(row) ?? (asked === undefined || agent === asked),
    );
    const theirs = asked !== undefined && own !== undefined && own !== asked ? [] : [...lines, ...fitting];
    return theirs.filter(({ name }) => name.includes(flags.case ?? ''));
  };
}

function absentText(absent: readonly Absent[]): string {
  const packages = absent.map((each) => each.package).join(' ');
  return `not scored, because not installed here: ${absent.map(({ name }) => name).join(', ')}. To score them too: npm install --no-save ${packages}`;
}
