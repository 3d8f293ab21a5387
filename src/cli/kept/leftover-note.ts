/** Commands that look at runs also end what a killed glassbox left of some, finish what it began to take back, and say so. */
import { finishRewinds } from '../../checkpoint/index.js';
import { endLeftovers } from '../../run/process/leftover.js';
import { counted } from '../../word/index.js';
import { releaseLeftWorktrees } from '../../worktree/index.js';
import { note } from '../print/note.js';

export async function tellOfLeftovers(stderr: Pick<NodeJS.WriteStream, 'write'>): Promise<void> {
  const { runs, processes } = await endLeftovers();
  if (processes > 0) {
    const what = processes === 1 ? 'a process' : `${processes} processes`;
    note(stderr, `ended ${what} of ${runs === 1 ? 'a run' : `${runs} runs`} whose glassbox was killed.`);
  }
  for (const { record, became } of await releaseLeftWorktrees()) {
    const { path, branch, name } = record;
    note(
      stderr,
      became === 'removed'
        ? `removed the work tree ${path}, ${record.state === 'removing' ? 'which a killed glassbox was removing' : 'which a killed glassbox left and in which nothing changed'}.`
        : `a killed glassbox left the work tree ${path} on the branch ${branch}, with changes: it is kept. glassbox apply ${name} brings them into your files, glassbox worktrees ${name} --remove discards it.`,
    );
  }
  for (const { entry, left } of await finishRewinds()) {
    const { session, to, top, applies } = entry;
    const what = applies ? `bringing over ${to} into ${top}` : `a rewind of ${session} to ${to} in ${top}`;
    const but = left.length === 0 ? '' : ` ${counted(left.length, 'file')} changed meanwhile and stayed.`;
    note(stderr, `finished ${what}, which was cut off.${but} glassbox rewind ${session} --undo takes it back.`);
  }
}
