/** What can be done with a whole session: a name, a pin, a copy of it, and its end, which is asked about. */
import { useStore } from '@nanostores/preact';
import { Ellipsis } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { LabelRequest, SessionRecord } from '../../../../client/index.js';
import { go, sessionPath } from '../../state/route.js';
import { client, messageOf } from '../../state/server.js';
import { $agents, forgetSessions, takeSession } from '../../state/sessions.js';
import { useFocus } from '../../state/use-focus.js';
import { Menu } from '../part/menu.js';

type Step = 'choose' | 'rename' | 'fork' | 'delete';

export function SessionMenu({ record }: { record: SessionRecord }) {
  const { id, pinned = false, archived = false, state } = record;
  const [step, setStep] = useState<Step>('choose');
  const [problem, setProblem] = useState('');
  const agent = useStore($agents).find(({ name }) => name === record.agent);
  const canFork = agent?.capabilities.fork !== false && record.agentSessionId !== undefined;
  const attempt = (act: () => Promise<void>) => {
    setProblem('');
    act().then(
      () => setStep('choose'),
      (error: unknown) => setProblem(messageOf(error)),
    );
  };
  const label = (what: LabelRequest) => attempt(async () => takeSession(await client.label(id, what)));
  const fork = (text: string) =>
    attempt(async () => {
      const { session } = await client.say(id, { text, fork: true });
      go(sessionPath(session));
    });
  const remove = () =>
    attempt(async () => {
      await client.remove(id);
      go('/');
      forgetSessions([id]);
    });
  return (
    <Menu
      label="More"
      icon={<Ellipsis size={18} aria-hidden="true" />}
      onToggle={(isOpen) => isOpen || setStep('choose')}
    >
      {step === 'choose' && (
        <>
          <button type="button" onClick={() => setStep('rename')}>
            Rename…
          </button>
          <button type="button" onClick={() => label({ pinned: !pinned })}>
            {pinned ? 'Unpin' : 'Pin: never pruned, listed first'}
          </button>
          <button type="button" disabled={state !== 'ended'} onClick={() => label({ archived: !archived })}>
            {archived ? 'Bring back from the archive' : 'Archive: listed apart'}
          </button>
          {canFork && (
            <button type="button" onClick={() => setStep('fork')}>
              Fork: go on with a copy…
            </button>
          )}
          <button type="button" class="danger-item" disabled={state !== 'ended'} onClick={() => setStep('delete')}>
            {state === 'ended' ? 'Delete…' : 'Delete (not while it works)'}
          </button>
        </>
      )}
      {step === 'rename' && (
        <OneField
          label="Name of the session"
          button="Rename"
          first={record.name ?? ''}
          onSend={(name) => label({ name })}
        />
      )}
      {step === 'fork' && <OneField label="What the copy shall do" button="Fork" first="" onSend={fork} isNeeded />}
      {step === 'delete' && (
        <div class="menu-step">
          <p>Delete this session and all that is kept of it? This cannot be undone.</p>
          <button type="button" class="button danger" onClick={remove}>
            Delete for ever
          </button>
        </div>
      )}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
    </Menu>
  );
}

interface FieldProps {
  label: string;
  button: string;
  first: string;
  /** Nothing is no answer. */
  isNeeded?: boolean;
  onSend: (text: string) => void;
}

function OneField({ label, button, first, isNeeded = false, onSend }: FieldProps) {
  const field = useFocus<HTMLInputElement>();
  const [text, setText] = useState(first);
  return (
    <form
      class="menu-step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isNeeded || text.trim() !== '') onSend(text.trim());
      }}
    >
      <input
        ref={field}
        class="text-field"
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button primary" disabled={isNeeded && text.trim() === ''}>
        {button}
      </button>
    </form>
  );
}
