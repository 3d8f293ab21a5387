/** Does what somebody wants done by a key, and tells what became of it. */
import type { Answer } from '../../../event/index.js';
import type { ApprovalRecord, Store } from '../../../store/index.js';
import { type Deed, nameOf, type PanelsEvent } from '../../../view/panels/index.js';
import { editInput } from '../../ask/edit-input.js';
import { failureText } from '../../failure.js';
import { liveSession } from '../../kept/live-session.js';
import { namedSession } from '../../kept/named-session.js';
import { giveAnswer, tellSession } from '../../kept/tell-session.js';
import type { OpenedSession } from './follow-opened.js';
import type { SessionList } from './follow-sessions.js';
import { handOver } from './hand-over.js';
import type { OwnRuns } from './own-runs.js';
import { searchKept } from './search-kept.js';
import { takeBack } from './take-back.js';
import type { WholeScreen } from './whole-screen.js';

export interface DoerOptions {
  store: Store;
  process: NodeJS.Process;
  screen: WholeScreen;
  color: boolean;
  list: SessionList;
  opened: OpenedSession;
  ownRuns: OwnRuns;
  dispatch(event: PanelsEvent): void;
  quit(): void;
  /** Somebody has left. */
  signal: AbortSignal;
}

/** What goes wrong is told in the panels; nothing is thrown. */
export function createDoer(options: DoerOptions): (deed: Deed) => void {
  const { store, process, screen, color, list, opened, ownRuns, dispatch, quit, signal } = options;
  const tell = (text: string, isBad = false) => dispatch({ type: 'told', text, isBad });

  async function answer(question: ApprovalRecord, given: Answer): Promise<void> {
    try {
      await giveAnswer(store, question, given);
    } catch (error) {
      dispatch({ type: 'unanswered', name: nameOf(question) });
      throw error;
    }
  }

  async function edit(question: ApprovalRecord): Promise<void> {
    screen.leave();
    const edited = await editInput(question.request.input, process.env, { input: 0, output: 1 }).finally(screen.enter);
    if ('problem' in edited) tell(edited.problem, true);
    else await answer(question, { type: 'approve', changes: edited.changes });
  }

  async function perform(deed: Deed): Promise<void> {
    switch (deed.type) {
      case 'quit':
        return quit();
      case 'answer':
        return answer(deed.question, deed.answer);
      case 'edit':
        return edit(deed.question);
      case 'say':
        await tellSession(store, await liveSession(store, deed.id), { type: 'say', text: deed.text });
        return tell('Said.');
      case 'interrupt':
        await tellSession(store, await liveSession(store, deed.id), { type: 'interrupt' });
        return tell('Its turn is being interrupted.');
      case 'stop':
        await tellSession(store, await liveSession(store, deed.id), { type: 'stop' });
        return tell('It is being ended.');
      case 'hand-over':
        await handOver(store, await namedSession(store, deed.id, ''), { process, screen, signal });
        return dispatch({ type: 'handed-back', id: deed.id });
      case 'take-back':
        return takeBack(store, await namedSession(store, deed.id, ''), { process, screen, color, signal });
      case 'resume':
        await ownRuns.resume(await namedSession(store, deed.id, ''), deed.text);
        return tell('It goes on.');
      case 'search':
        return dispatch({ type: 'found', text: deed.text, found: await searchKept(store, deed.text, list.listedAs) });
      case 'read-earlier':
        return opened.readEarlier(await namedSession(store, deed.id, ''));
    }
  }

  return (deed) => {
    perform(deed).catch((error: unknown) => tell(failureText(error).replace(/^glassbox: /, ''), true));
  };
}
