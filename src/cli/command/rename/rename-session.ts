/** `glassbox rename`: gives, changes or takes back the name of a session. */
import type { SessionRecord } from '../../../store/index.js';
import { safeLine } from '../../../view/text/safe.js';
import { oneLine } from '../../../word/index.js';
import { confirm } from '../../ask/confirm.js';
import type { Context } from '../../context.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { print } from '../../print/sink.js';
import type { RenameFlags } from './command.js';

export async function renameSession(this: Context, flags: RenameFlags, ref: string, ...words: string[]): Promise<void> {
  const { process } = this;
  const tell = (text: string) => print(process.stdout, [text]);
  const name = oneLine(words.join(' '));
  await withStore(flags, async (store) => {
    const session = await namedSession(store, ref, '');
    const { id } = session;
    const was = session.name;
    if (name === (was ?? ''))
      return tell(name === '' ? `${id} has no name of its own.` : `${id} is called ${shown(session)} already.`);
    if (flags.dryRun)
      return tell(
        `Would ${name === '' ? `take back the name ${shown(session)} of ${id}` : `call ${id} ${safeLine(name, 120)}, instead of ${shown(session)}`}. Nothing was changed.`,
      );
    if (was !== undefined) {
      const question = `${id} has the name ${shown(session)}. ${name === '' ? 'Take it back?' : 'Change it?'}`;
      if ((await confirm(question, flags, process)) !== 'yes') return tell('Nothing was changed.');
    }
    await tell(`${id} is called ${shown(await store.label(id, { name }))}.`);
  });
}

const shown = ({ title }: SessionRecord): string => safeLine(title, 120) || '(no prompt)';
