/** The one place to speak to the agent: a follow-up, an interruption, the end (S4-19). */
import { ArrowUp, Square } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { SessionRecord } from '../../../client/index.js';
import { isWorking, type SessionState, selectRun } from '../../../session/index.js';
import { isSheetOpen } from '../state/key.js';
import { client, messageOf } from '../state/server.js';
import { rememberSession } from '../state/sessions.js';
import { PromptField } from './prompt-field.js';

export function PromptBox({ record, state }: { record: SessionRecord; state: SessionState }) {
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const run = selectRun(state);
  const isRunning = record.state !== 'ended';
  const isInterruptible = isRunning && run?.end === undefined && isWorking(state);
  const runId = record.runs.at(-1)?.runId ?? '';

  const attempt = async (act: () => Promise<unknown>) => {
    setProblem('');
    try {
      await act();
      return true;
    } catch (error) {
      setProblem(messageOf(error));
      return false;
    }
  };
  const say = async () => {
    if (text.trim() === '' || isBusy) return;
    setBusy(true);
    const isSaid = await attempt(async () => {
      await client.say(record.id, { text });
      rememberSession(await client.session(record.id));
    });
    setBusy(false);
    if (isSaid) setText('');
  };
  const interrupt = () => void attempt(() => client.interrupt(runId));

  useEffect(() => {
    if (!isInterruptible) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isSheetOpen()) interrupt();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  return (
    <form
      class="prompt-box"
      aria-label="Speak to the agent"
      onSubmit={(event) => {
        event.preventDefault();
        void say();
      }}
    >
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      <div class="prompt-frame">
        <PromptField
          label="Message to the agent"
          placeholder={isRunning ? 'Say something to the agent' : 'Continue this session'}
          text={text}
          rows={1}
          onText={setText}
          onSend={() => void say()}
        />
        {isInterruptible && (
          <button type="button" class="button" onClick={interrupt} aria-keyshortcuts="Escape" title="Interrupt (Esc)">
            Interrupt
          </button>
        )}
        {isRunning && (
          <button
            type="button"
            class="icon-button"
            aria-label="Stop the agent"
            title="Stop the agent"
            onClick={() => void attempt(() => client.cancel(runId))}
          >
            <Square size={16} aria-hidden="true" />
          </button>
        )}
        <button type="submit" class="button primary round" aria-label="Send" disabled={isBusy || text.trim() === ''}>
          <ArrowUp size={18} aria-hidden="true" />
        </button>
      </div>
    </form>
  );
}
