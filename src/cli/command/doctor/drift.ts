/** Where agents have become newer than glassbox, as the store counted it, for `glassbox doctor`. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { GlassboxError } from '../../../event/index.js';
import { type Drift, storeLocation } from '../../../store/index.js';
import { isAddress } from '../../../store/location.js';
import { safe } from '../../../view/text/index.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { withStore } from '../../kept/with-store.js';

const DAYS = 30;

export interface RecentDrift {
  days: number;
  items: Drift[];
  /** Why the store could not be asked. */
  problem?: string;
}

/** Makes no store where there is none. A store that cannot be read is told, because doctor must not fail by what it looks for. */
export async function recentDrift({ store: chosen }: StoreFlag): Promise<RecentDrift> {
  const file = chosen ?? storeLocation({ platform: process.platform, env: process.env, home: homedir() });
  if (!isAddress(file) && !existsSync(file)) return { days: DAYS, items: [] };
  const since = Date.now() - DAYS * 86_400_000;
  try {
    return { days: DAYS, items: await withStore({ store: file }, (store) => store.drift({ since })) };
  } catch (error) {
    if (!(error instanceof GlassboxError)) throw error;
    return { days: DAYS, items: [], problem: error.message };
  }
}

export function driftLines({ days, items, problem }: RecentDrift): string[] {
  const head = `What agents printed that this glassbox does not know, in the last ${days} days`;
  if (problem !== undefined) return [head, safe(`    ✖ ${problem}`), ''];
  if (items.length === 0) return [head, '    nothing', ''];
  const versionOf = ({ agent, agentVersion = '(version not told)' }: Drift) => `${agent} ${agentVersion}`;
  const versions = [...new Set(items.map(versionOf))];
  return [
    head,
    ...versions.map((version) =>
      safe(`    ${version}: ${describe(items.filter((item) => versionOf(item) === version))}`),
    ),
    '    It is left out; everything around it is there. A newer glassbox may know it: npm install -g glassbox@latest.',
    '    If not, please report these names. They hold nothing of what was said.',
    '',
  ];
}

/** As many names as one line takes; the rest is in `--json`. */
const MOST_NAMES = 8;

function describe(items: readonly Drift[]): string {
  const kinds = items.filter(({ field }) => field === undefined);
  const fields = items.filter(({ field }) => field !== undefined);
  return [
    ...named(
      'kind of line',
      kinds.map(({ kind, count }) => `${kind} (${count}×)`),
    ),
    ...named(
      'field',
      fields.map(({ kind, field, runs }) => `${kind} ${field} (in ${runs} run${runs === 1 ? '' : 's'})`),
    ),
  ].join('; ');
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more (--json)` : '';
  const kinds = what.replace(/^(\w+)/, names.length === 1 ? '$1' : '$1s');
  return [`${names.length} ${kinds}: ${names.slice(0, MOST_NAMES).join(', ')}${more}`];
}
