/** In which commit of the user's a file stands as the session left it. */
import type { FileCommit } from './checkpoint.js';
import { tryGit } from './git.js';
import type { TreeChange } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

/** Older ones are not looked through. */
const MOST_COMMITS = 300;
const MARK = '\u0001';

/** By path, the newest. A file that git changes on its way into a commit is not recognised, and then nothing is said. */
export async function commitsOf(
  { kind, theirs }: WorkTree,
  since: string | undefined,
  head: string | undefined,
  files: readonly TreeChange[],
): Promise<Map<string, FileCommit>> {
  const found = new Map<string, FileCommit>();
  if (kind === 'plain' || since === undefined || head === undefined || since === head) return found;
  const format = `--format=${MARK}%H%x00%s%x00`;
  const { status, stdout } = await tryGit(
    ['log', '-z', '--raw', '-r', '--no-renames', '--no-abbrev', `-n${MOST_COMMITS}`, format, `${since}..${head}`, '--'],
    { ...theirs, settings: ['log.showSignature=false', 'log.follow=false', 'core.quotePath=false'] },
  );
  if (status !== 0) return found;
  const wanted = new Map(files.map(({ path, to }) => [path, to?.id]));
  for (const part of stdout.toString('utf8').split(MARK).slice(1)) {
    const [id = '', subject = '', ...fields] = part.split('\0');
    const raw = fields.map((field) => field.replace(/^\n+/, '')).filter(Boolean);
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const newId = (raw[at] ?? '').split(' ')[3] ?? '';
      const path = raw[at + 1] ?? '';
      const isGone = /^0+$/.test(newId);
      if (found.has(path) || !wanted.has(path) || wanted.get(path) !== (isGone ? undefined : newId)) continue;
      found.set(path, { id, subject });
    }
  }
  return found;
}
