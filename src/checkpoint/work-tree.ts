/**
 * The folder whose files are kept for a run: the work tree of the user's repository, or the folder itself where there is none.
 *
 * Beside it, in glassbox's own data, stands a repository with an index and settings of its own, in which nothing changes a file on its way:
 * no line endings, no filters. The user's own index has files as they are after that, and is never read or written.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import { type GitCall, git, gitFailure, tryGit } from './git.js';

export interface WorkTree {
  /** As the system really calls it. */
  top: string;
  kind: 'git' | 'plain';
  /** Our repository beside it. */
  side: string;
  /** Calls of git with our index (a file) and our settings. */
  ours(index?: string): GitCall;
  /** Calls of git in the repository that holds the objects and the refs: the user's own, or ours. */
  theirs: GitCall;
  /** Where that repository is: it may outlive the folder, as when that is one of several work trees. */
  repository: string;
}

/** `dir` is where glassbox keeps checkpoints; `isAwaited`: somebody waits for what git does there. Throws a `GlassboxError` that says why none can be made there. */
export async function findWorkTree(
  cwd: string,
  dir: string,
  { isAwaited = false }: { isAwaited?: boolean } = {},
): Promise<WorkTree> {
  const real = await realpath(cwd).catch(() => {
    throw new GlassboxError('not-found', `The folder ${cwd} is not there any more.`);
  });
  // Both at once, because somebody may wait.
  const [repository, settings] = await Promise.all([findRepository(real, isAwaited), takenOver(real, isAwaited)]);
  const found = repository ? await ofRepository(repository, settings, dir) : await ofFolder(real, dir);
  return isAwaited ? awaited(found) : found;
}

/** What git does there goes before what it does for agents. */
function awaited({ ours: own, theirs, ...rest }: WorkTree): WorkTree {
  return { ...rest, ours: (index) => ({ ...own(index), isAwaited: true }), theirs: { ...theirs, isAwaited: true } };
}

interface Repository {
  top: string;
  gitDir: string;
  objects: string;
  exclude: string;
  format: string;
}

async function findRepository(cwd: string, isAwaited: boolean): Promise<Repository | undefined> {
  const asked = ['--show-toplevel', '--git-dir', '--git-path', 'objects', '--git-path', 'info/exclude'];
  const { status, stdout, stderr } = await tryGit(
    ['rev-parse', '--path-format=absolute', ...asked, '--show-object-format'],
    { cwd, isAwaited },
  );
  if (status !== 0) {
    if (/not a git repository/.test(stderr)) return undefined;
    throw gitFailure('rev-parse', stderr);
  }
  const [top = '', gitDir = '', objects = '', exclude = '', format = '', ...more] = stdout
    .toString('utf8')
    .replace(/\n$/, '')
    .split('\n');
  if (more.length > 0) throw new GlassboxError('invalid-request', 'The name of the folder has a line break.');
  // Where the repository ignores the folder, it would keep nothing of what happens there.
  const ignored =
    cwd !== top &&
    (await tryGit(['check-ignore', '-q', cwd], { cwd: top, at: { GIT_LITERAL_PATHSPECS: '0' } })).status === 0;
  return ignored ? undefined : { top, gitDir, objects, exclude, format };
}

async function ofRepository(
  { top, gitDir, objects, exclude, format }: Repository,
  settings: readonly string[],
  dir: string,
): Promise<WorkTree> {
  const theirs: GitCall = { cwd: top, at: { GIT_DIR: gitDir, GIT_WORK_TREE: top } };
  const side = await makeSide(dir, top, format, await readFile(exclude, 'utf8').catch(() => ''));
  const repository = path.dirname(objects);
  return {
    ...{ top, kind: 'git', side, theirs, repository },
    ours: ours(top, side, { GIT_OBJECT_DIRECTORY: objects }, settings),
  };
}

async function ofFolder(top: string, dir: string): Promise<WorkTree> {
  const home = await realpath(homedir()).catch(() => homedir());
  if (top === path.parse(top).root || top === home || home.startsWith(top + path.sep)) {
    throw new GlassboxError('invalid-request', 'Of a whole home or disk no files are kept. Start agents in a project.');
  }
  const side = await makeSide(dir, top, 'sha1', NOT_WORTH_KEEPING);
  const theirs: GitCall = { cwd: top, at: { GIT_DIR: side, GIT_WORK_TREE: top } };
  return { top, kind: 'plain', side, theirs, repository: side, ours: ours(top, side, {}, []) };
}

/** In a folder without git nobody says what to ignore: what programs make anew. */
const NOT_WORTH_KEEPING = 'node_modules/\n.venv/\n__pycache__/\n';

function ours(top: string, side: string, objects: Record<string, string>, settings: readonly string[]) {
  return (index = path.join(side, 'index')): GitCall => ({
    cwd: top,
    at: { GIT_DIR: side, GIT_WORK_TREE: top, GIT_INDEX_FILE: index, ...objects },
    settings: [...settings, 'core.autocrlf=false', 'core.safecrlf=false', 'core.sparseCheckout=false'],
  });
}

/** What the user's repository knows about its disk, and whom its objects belong to. */
async function takenOver(cwd: string, isAwaited: boolean): Promise<string[]> {
  const names = 'filemode|symlinks|ignorecase|precomposeunicode|longpaths|sharedrepository|excludesfile';
  const { stdout } = await tryGit(['config', '-z', '--get-regexp', `^core\\.(${names})$`], { cwd, isAwaited });
  return stdout
    .toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.replace('\n', '='));
}

/** Every file as it is, whatever the attributes in the project say: these go before them. */
const ATTRIBUTES = '* -text !eol -ident -filter !working-tree-encoding !diff !merge\n';

/** Made aside and put in its place whole: two who make it at once have the same one. */
async function makeSide(dir: string, top: string, format: string, exclude: string): Promise<string> {
  const name = createHash('sha256').update(`${format} ${top}`).digest('hex').slice(0, 20);
  const side = path.join(dir, 'trees', name);
  if (!(await isThere(side))) {
    const made = `${side}-${randomUUID()}`;
    await mkdir(made, { recursive: true, mode: 0o700 });
    await git(['init', '-q', '--bare', '--template=', `--object-format=${format}`, made], { cwd: made });
    await mkdir(path.join(made, 'info'), { recursive: true });
    await writeFile(path.join(made, 'info', 'attributes'), ATTRIBUTES);
    await writeFile(path.join(made, 'top'), top);
    await rename(made, side).catch(() => rm(made, { recursive: true, force: true }));
  }
  const file = path.join(side, 'info', 'exclude');
  if ((await readFile(file, 'utf8').catch(() => undefined)) !== exclude) await replaceFile(file, exclude);
  return side;
}

/** Nobody ever reads a half of it. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const made = `${file}-${randomUUID()}`;
  await writeFile(made, content, { mode: 0o600 });
  await rename(made, file);
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
