/** `glassbox why`: finds out who made a line and prints it. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../../../event/index.js';
import { whyLine } from '../../../review/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { withStore } from '../../kept/with-store.js';
import { wantsColor } from '../../print/color.js';
import { print } from '../../print/sink.js';
import { createWaitLine } from '../../print/wait-line.js';
import type { WhyFlags } from './command.js';
import { whyRows } from './why-rows.js';

export async function explainLine(this: Context, flags: WhyFlags, ref: string): Promise<void> {
  const { process } = this;
  const { file, line } = parsePlace(ref);
  const whole = path.resolve(process.cwd(), file);
  // Only the folders: a link is a file of its own.
  const folder = await realpath(path.dirname(whole)).catch(() => path.dirname(whole));
  await withStore(flags, async (store) => {
    const why = await (async () => {
      using _ = createWaitLine('Looking through what is kept of it', process.stderr);
      return whyLine(store, { file: path.join(folder, path.basename(whole)), line });
    })();
    if (flags.json) return print(process.stdout, [safeJson({ schema: 1, ...why })]);
    const paint = createPaint(wantsColor(flags.color, process.stdout, process.env));
    await print(process.stdout, whyRows(why, paint, process.stdout.columns));
  });
}

/** As editors and compilers write it, also with a column behind it. */
export function parsePlace(ref: string): { file: string; line: number } {
  const [, file = '', line = ''] = /^(.+?):(\d{1,9})(?::\d+)?$/s.exec(ref) ?? [];
  if (file === '' || Number(line) === 0)
    throw new GlassboxError('invalid-request', 'Say which line: glassbox why src/app.ts:42');
  return { file, line: Number(line) };
}
