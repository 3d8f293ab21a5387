/** Commands that look at runs also end what a killed glassbox left of some, and say so. */
import { endLeftovers } from '../../run/process/leftover.js';
import { note } from '../print/note.js';

export async function tellOfLeftovers(stderr: Pick<NodeJS.WriteStream, 'write'>): Promise<void> {
  const { runs, processes } = await endLeftovers();
  if (processes === 0) return;
  const what = processes === 1 ? 'a process' : `${processes} processes`;
  note(stderr, `ended ${what} of ${runs === 1 ? 'a run' : `${runs} runs`} whose glassbox was killed.`);
}
