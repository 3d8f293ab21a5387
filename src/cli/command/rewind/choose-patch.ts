/** Asks for each part of each file whether it goes back. */
import { hunksOf, type PreparedRewind, type RewindChoice } from '../../../checkpoint/index.js';
import type { Paint } from '../../../view/text/palette.js';
import { safeLine } from '../../../view/text/safe.js';
import { confirm } from '../../ask/confirm.js';
import { print } from '../../print/sink.js';
import { hunkRows } from './plan-rows.js';

/** Undefined when nothing was chosen, or it was ended with Ctrl-C. */
export async function choosePatch(
  plan: PreparedRewind,
  paint: Paint,
  process: NodeJS.Process,
): Promise<RewindChoice | undefined> {
  const hunks: Record<string, number[]> = {};
  const paths: string[] = [];
  for (const { path, lines } of plan.files) {
    const parts = lines ? await hunksOf(plan, path) : [];
    const chosen: number[] = [];
    for (const [position, part] of parts.entries()) {
      await print(process.stdout, [paint('heading', safeLine(path, 200)), ...hunkRows(part, paint)]);
      const assent = await confirm(`Part ${position + 1} of ${parts.length}: take it back?`, {}, process);
      if (assent === 'ended') return undefined;
      if (assent === 'yes') chosen.push(position);
    }
    // What has no parts, as another mode or a picture, goes back whole.
    const assent = parts.length === 0 ? await confirm(`Take ${safeLine(path, 200)} back?`, {}, process) : 'no';
    if (assent === 'ended') return undefined;
    if (chosen.length > 0) hunks[path] = chosen;
    if (chosen.length > 0 || assent === 'yes') paths.push(path);
  }
  return paths.length > 0 ? { paths, hunks } : undefined;
}
