/** Takes a turn back, with all that came after it: shows every file that would change with its difference, asks, and does exactly that. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DifferenceHunk, RewindFile, RewindPlan, RewindQuery, Rewound } from '../../../client/index.js';
import { rowsOf } from '../../../consent/index.js';
import { counted } from '../../../word/index.js';
import { DiffLines } from '../component/tool/diff-lines.js';
import { client, messageOf } from '../state/server.js';
import { visible } from '../text/visible.js';
import { conversationText, planRemarks, whyLeft } from './take-back-word.js';
import './take-back.css';

interface Props {
  session: string;
  moment: RewindQuery;
  /** As a question. */
  title: string;
  onDone: (text: string) => void;
  onClose: () => void;
}

/** So many are open from the beginning; more rows of one are counted. */
const MOST_OPEN = 5;
const MOST_ROWS = 400;
const MOST_LEFT = 20;

export function TakeBackTurn({ session, moment, title, onDone, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [plan, setPlan] = useState<RewindPlan>();
  const [problem, setProblem] = useState('');
  const [filesOnly, setFilesOnly] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    client.planRewind(session, moment).then(setPlan, (error: unknown) => setProblem(messageOf(error)));
  }, []);
  const canTalkBack = plan?.conversation !== undefined && plan.conversation.cannot === undefined;
  const isNothing = plan !== undefined && plan.files.length === 0 && !canTalkBack;
  const act = async () => {
    if (!plan || isBusy) return;
    setBusy(true);
    try {
      const { fingerprint } = plan;
      onDone(doneText(await client.rewind(session, { ...moment, fingerprint, ...(filesOnly && { filesOnly }) })));
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} class="take-back" aria-labelledby="take-back-title" onClose={onClose}>
      <h2 id="take-back-title">{title}</h2>
      {problem !== '' ? (
        <p class="error-text" role="alert">
          {visible(problem)}
        </p>
      ) : plan === undefined ? (
        <p class="faint">Looking at the files as they are now</p>
      ) : (
        <>
          {[...othersRemark(plan), ...planRemarks(plan)].map((remark) => (
            <p key={remark} class="warning-text">
              {visible(remark)}
            </p>
          ))}
          <p class="faint">
            {plan.files.length === 0
              ? 'All files are already as they were then.'
              : `${counted(plan.files.length, 'file')} would change, which can be undone:`}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <section class="take-back-files" tabIndex={0} aria-label="Files">
            {plan.files.map((file, index) => (
              <FileBack key={file.path} session={session} moment={moment} file={file} isFirst={index < MOST_OPEN} />
            ))}
            {plan.left.slice(0, MOST_LEFT).map(({ path, why }) => (
              <p key={path} class="take-back-left">
                <bdi dir="ltr">{visible(path)}</bdi> is left alone: {whyLeft(why)}.
              </p>
            ))}
            {plan.left.length > MOST_LEFT && <p class="take-back-left">and {plan.left.length - MOST_LEFT} more</p>}
          </section>
          {plan.conversation && <p>{visible(conversationText(plan.conversation))}</p>}
          {canTalkBack && (
            <label class="take-back-choice">
              <input
                type="checkbox"
                checked={filesOnly}
                onChange={({ currentTarget }) => setFilesOnly(currentTarget.checked)}
              />
              Only the files; the conversation stays
            </label>
          )}
        </>
      )}
      <footer class="take-back-foot">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {problem === '' && !isNothing ? 'Leave it' : 'Close'}
        </button>
        {problem === '' && !isNothing && (
          <button type="button" class="button danger" disabled={!plan || isBusy} onClick={() => void act()}>
            Take back
          </button>
        )}
      </footer>
    </dialog>
  );
}

const CHANGE: Record<RewindFile['change'], string> = {
  changed: '',
  restored: 'comes back',
  removed: 'goes',
};

interface FileBackProps {
  session: string;
  moment: RewindQuery;
  file: RewindFile;
  isFirst: boolean;
}

/** A file with its difference, which is asked for when it is opened. */
function FileBack({ session, moment, file: { path, change, lines }, isFirst }: FileBackProps) {
  const [isOpen, setOpen] = useState(isFirst);
  const [hunks, setHunks] = useState<DifferenceHunk[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    if (isOpen && !hunks)
      client.rewindHunks(session, path, moment).then(setHunks, (error: unknown) => setProblem(messageOf(error)));
  }, [isOpen]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <bdi dir="ltr">{visible(path)}</bdi>
        {CHANGE[change] !== '' && <span class="chip">{CHANGE[change]}</span>}
        <span class="grow" />
        {lines && (
          <span class="file-sum">
            <span class="added">+{lines.added}</span> <span class="removed">−{lines.removed}</span>
          </span>
        )}
      </summary>
      {isOpen && (
        <pre class="take-back-lines">
          {problem !== ''
            ? visible(problem)
            : hunks === undefined
              ? 'Looking at it'
              : hunks.length === 0
                ? 'It is no text, or comes or goes as a whole.'
                : [
                    <DiffLines key="lines" rows={rowsOf(hunks)} limit={MOST_ROWS} />,
                    rowsOf(hunks).length > MOST_ROWS && `and ${rowsOf(hunks).length - MOST_ROWS} more lines`,
                  ]}
        </pre>
      )}
    </details>
  );
}

function othersRemark({ files }: RewindPlan): string[] {
  const count = files.filter(({ byOthers }) => byOthers).length;
  if (count === 0) return [];
  const which = count === 1 ? 'one of these files' : `${count} of these files`;
  return [`Somebody else changed ${which} too since; that would go as well.`];
}

function doneText({ files, left, conversation }: Rewound): string {
  return [
    files > 0 ? `${counted(files, 'file')} ${files === 1 ? 'is' : 'are'} as before.` : 'No file changed.',
    left.length > 0 ? `${counted(left.length, 'file')} left alone.` : '',
    conversation ? conversationText(conversation) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
