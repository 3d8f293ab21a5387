/** Real repositories in odd states, and what is in them, read by other means than the code under test. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '../fake-agent/play.js';

/** As the person at the keyboard, with nothing of the person who runs the tests. */
export function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

export function write(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
}

/** With one commit. */
export function makeRepository(files: Readonly<Record<string, string | Uint8Array>> = { 'a.txt': 'a\n' }): string {
  const root = temporaryDirectory();
  git(root, 'init', '-q', '-b', 'main');
  write(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
  return root;
}

/** Every file below a folder, without `.git`: type, executable, content. */
export function filesOf(root: string, folder = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(path.join(root, folder)).sort()) {
    if (name === '.git') continue;
    const relative = path.posix.join(folder, name);
    const file = path.join(root, relative);
    const facts = lstatSync(file);
    if (facts.isDirectory()) Object.assign(found, filesOf(root, relative));
    else if (facts.isSymbolicLink()) found[relative] = `link ${readlinkSync(file)}`;
    else if (facts.isFile()) found[relative] = `${facts.mode & 0o100 ? 'x' : '-'} ${readFileSync(file, 'latin1')}`;
  }
  return found;
}

/** What a commit holds, in the same words. */
export function filesIn(repository: string, commit: string): Record<string, string> {
  const rows = git(repository, 'ls-tree', '-r', '-z', commit).split('\0').filter(Boolean);
  return Object.fromEntries(
    rows.map((row) => {
      const [, mode = '', , id = '', name = ''] = /^(\d+) (\w+) (\w+)\t([\s\S]*)$/.exec(row) ?? [];
      if (mode === '160000') return [name, `repository ${id}`];
      const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
      const content = execFileSync('git', ['cat-file', 'blob', id], { cwd: repository, env }).toString('latin1');
      if (mode === '120000') return [name, `link ${Buffer.from(content, 'latin1').toString('utf8')}`];
      return [name, `${mode === '100755' ? 'x' : '-'} ${content}`];
    }),
  );
}

/** Everything of the user's that a checkpoint must leave as it is: index, HEAD, branches, stash, logs, settings, and what git says of it. */
export function ownOf(root: string): Record<string, string> {
  const own: Record<string, string> = {};
  const gitDir = git(root, 'rev-parse', '--absolute-git-dir').trim();
  const common = path.resolve(root, git(root, 'rev-parse', '--git-common-dir').trim());
  for (const dir of new Set([gitDir, common])) collect(dir, '', own);
  own.status = git(root, '--no-optional-locks', 'status', '--porcelain=v2', '--untracked-files=all', '--ignored');
  return own;
}

function collect(dir: string, folder: string, own: Record<string, string>): void {
  for (const entry of readdirSync(path.join(dir, folder), { withFileTypes: true })) {
    const relative = path.posix.join(folder, entry.name);
    if (relative === 'objects' || relative === 'refs/glassbox') continue;
    if (entry.isDirectory()) collect(dir, relative, own);
    else
      own[`${dir}/${relative}`] = createHash('sha1')
        .update(readFileSync(path.join(dir, relative)))
        .digest('hex');
  }
}

/** Two branches that changed the same line, one of them on its way onto the other. */
export function rebaseWithConflict(root: string): void {
  git(root, 'checkout', '-q', '-b', 'side');
  write(root, { 'a.txt': 'side\n' });
  git(root, 'commit', '-qam', 'side');
  git(root, 'checkout', '-q', 'main');
  write(root, { 'a.txt': 'main\n' });
  git(root, 'commit', '-qam', 'main');
  try {
    git(root, 'rebase', 'side');
  } catch {
    return;
  }
  throw new Error('The rebase found no conflict.');
}
