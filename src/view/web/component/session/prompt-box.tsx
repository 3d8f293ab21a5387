/** The one place to speak to the agent: a follow-up, an interruption, the end. */
import { useStore } from '@nanostores/preact';
import { ArrowUp, Square } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import type { AgentInfo, Presence, SessionRecord } from '../../../../client/index.js';
import { isLive } from '../../../../presence/index.js';
import { isWorking, type SessionState, selectRun } from '../../../../session/index.js';
import { useDraft } from '../../state/draft.js';
import { isQuestionLeft } from '../../state/key.js';
import { saidBefore } from '../../state/said-before.js';
import { client, messageOf } from '../../state/server.js';
import { $agents, $sessions, loadSession } from '../../state/sessions.js';
import { useAttachments } from '../../state/use-attachments.js';
import { AttachButton, AttachedFiles, useDropTarget } from '../attach/attach.js';
import { PromptField } from '../start/prompt-field.js';
import { type Other, OtherTerms } from './other-terms.js';

interface Props {
  record: SessionRecord;
  presence: Presence | undefined;
  state: SessionState;
  /** It stands below something else than the conversation. */
  isAside: boolean;
}

export function PromptBox({ record, presence, state, isAside }: Props) {
  const [text, setText] = useDraft(record.id);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [other, setOther] = useState<Other>({});
  const agent = useStore($agents).find(({ name }) => name === record.agent);
  const attachments = useAttachments(agent?.attachments);
  const { isOver, handlers } = useDropTarget(attachments);
  const run = selectRun(state);
  const isRunning = record.state !== 'ended';
  const isElsewhere = isRunning && isOfOwnProgram(record);
  const isInterruptible = isRunning && !isElsewhere && run?.end === undefined && isWorking(state);
  const latest = record.runs.at(-1);
  const runId = latest?.runId ?? '';
  const deafness = deafnessOf(record, agent);
  const isHeld = !isRunning && isOfOwnProgram(record) && presence !== undefined && isLive(presence);

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
    if (text.trim() === '' || isBusy || attachments.isBusy || deafness !== '') return;
    setBusy(true);
    const isSaid = await attempt(async () => {
      await client.say(record.id, { text, ...attachments.ids(), ...(isRunning ? {} : other) });
      await loadSession(record.id);
    });
    setBusy(false);
    if (isSaid) {
      setText('');
      setOther({});
      attachments.clear();
    }
  };
  const interrupt = () => void attempt(() => client.interrupt(runId));

  useEffect(() => {
    if (!isInterruptible) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isQuestionLeft()) interrupt();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  return (
    <form
      class={`prompt-box${isOver ? ' drop-here' : ''}${isAside ? ' is-aside' : ''}`}
      {...handlers}
      aria-label="Speak to the agent"
      onSubmit={(event) => {
        event.preventDefault();
        void say();
      }}
    >
      {deafness !== '' && <p class="faint">{deafness}</p>}
      {isHeld && deafness === '' && <p class="faint">{HELD}</p>}
      {problem !== '' && (
        <p class="error-text" role="alert">
          {problem}
        </p>
      )}
      {!isRunning && !isHeld && deafness === '' && <OtherTerms record={record} other={other} onOther={setOther} />}
      <AttachedFiles attachments={attachments} />
      <div class="prompt-frame">
        <PromptField
          label="Message to the agent"
          placeholder={isRunning && !isElsewhere ? 'Say something to the agent' : 'Continue this session'}
          text={text}
          rows={1}
          offer={{ commands: run?.facts.commands ?? [], folder: record.cwd }}
          before={() => saidBefore(Object.values($sessions.get()))}
          onText={setText}
          onSend={() => void say()}
        />
        {deafness === '' && <AttachButton attachments={attachments} />}
        {isInterruptible && (
          <button type="button" class="button" onClick={interrupt} aria-keyshortcuts="Escape" title="Interrupt (Esc)">
            Interrupt
          </button>
        )}
        {isRunning && !isElsewhere && (
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
        <button
          type="submit"
          class="button primary round"
          aria-label="Send"
          disabled={isBusy || attachments.isBusy || deafness !== '' || text.trim() === ''}
        >
          <ArrowUp size={18} aria-hidden="true" />
        </button>
      </div>
    </form>
  );
}

const HELD = 'Its own program still has this session open. What you say here goes on without it.';

/** Why nothing can be said to it now; empty when something can. What is written meanwhile waits for the end. */
function deafnessOf(record: SessionRecord, agent: AgentInfo | undefined): string {
  const run = record.runs.at(-1);
  if (record.state === 'ended' && agent?.capabilities.resume === false)
    return `${agent.title} goes on with no session. Say in a new one what it has to know, or let another agent take it over with glassbox fork.`;
  if (!run || record.state === 'ended') return '';
  if (run.piped) return 'This run is only read, from a pipe: it cannot be spoken to.';
  if (isOfOwnProgram(record))
    return 'It works in a program of its own: speak to it there. When its turn is over you can continue it here.';
  return run.terms?.followUp === false
    ? 'The agent takes no messages while it works. When it has ended you can continue it.'
    : '';
}

/** What was read from disk has no terms: somebody started it without glassbox. */
function isOfOwnProgram({ runs }: SessionRecord): boolean {
  const run = runs.at(-1);
  return run !== undefined && run.terms === undefined && !run.piped;
}
