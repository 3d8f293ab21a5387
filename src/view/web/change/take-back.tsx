/** Takes a file, or a part of it, back: shows what would happen to the file as it is now, asks, and does exactly that. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DifferenceHunk, RewindPlan, RewindQuery } from '../../../client/index.js';
import { rowsOf } from '../../../consent/index.js';
import { DiffLines } from '../component/tool/diff-lines.js';
import { client, messageOf } from '../state/server.js';
import { visible } from '../text/visible.js';
import type { Part } from './review-file.js';
import { planRemarks, whyLeft } from './take-back-word.js';
import './take-back.css';

export interface Wish {
  path: string;
  /** Only this part, as it was read. */
  part?: { position: number; shown: Part } | undefined;
}

interface Props {
  session: string;
  moment: RewindQuery;
  wish: Wish;
  onDone: (text: string) => void;
  onClose: () => void;
}

interface Offer {
  plan: RewindPlan;
  hunks: DifferenceHunk[];
  remarks: string[];
}

const MOST_ROWS = 400;

export function TakeBack({ session, moment, wish, onDone, onClose }: Props) {
  const { path, part } = wish;
  const dialog = useRef<HTMLDialogElement>(null);
  const [offer, setOffer] = useState<Offer>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    prepare(session, moment, wish).then(setOffer, (error: unknown) => setProblem(textOf(error)));
  }, []);
  const act = async () => {
    if (!offer || isBusy) return;
    setBusy(true);
    try {
      const hunks = part && { hunks: { [path]: [part.position] } };
      const { files, left } = await client.rewind(session, {
        ...moment,
        fingerprint: offer.plan.fingerprint,
        paths: [path],
        ...hunks,
      });
      onDone(
        files > 0
          ? `${part ? 'A part of ' : ''}${path} was taken back.`
          : `${path} was left alone: ${whyLeft(left[0]?.why)}.`,
      );
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} class="take-back" aria-labelledby="take-back-title" onClose={onClose}>
      <h2 id="take-back-title">
        Take {part ? 'these lines of ' : ''}
        <bdi dir="ltr">{visible(path)}</bdi> back?
      </h2>
      {problem !== '' ? (
        <p class="error-text" role="alert">
          {visible(problem)}
        </p>
      ) : offer === undefined ? (
        <p class="faint">Looking at the file as it is now</p>
      ) : (
        <>
          {offer.remarks.map((remark) => (
            <p key={remark} class="warning-text">
              {visible(remark)}
            </p>
          ))}
          <p class="faint">This would change, and can be undone:</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <pre class="take-back-lines" tabIndex={0}>
            {offer.hunks.length === 0 ? (
              'It is no text, or comes or goes as a whole.'
            ) : (
              <DiffLines rows={rowsOf(offer.hunks)} limit={MOST_ROWS} />
            )}
          </pre>
        </>
      )}
      <footer class="take-back-foot">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {problem === '' ? 'Leave it' : 'Close'}
        </button>
        {problem === '' && (
          <button type="button" class="button danger" disabled={!offer || isBusy} onClick={() => void act()}>
            Take back
          </button>
        )}
      </footer>
    </dialog>
  );
}

/** What cannot be done, in words for the reader. */
class Refusal extends Error {}

async function prepare(session: string, moment: RewindQuery, { path, part }: Wish): Promise<Offer> {
  const plan = await client.planRewind(session, moment);
  const file = plan.files.find((one) => one.path === path);
  if (!file) {
    const left = plan.left.find((one) => one.path === path);
    throw new Refusal(left ? `It cannot be taken back: ${whyLeft(left.why)}.` : 'It is already as it was before.');
  }
  const hunks = await client.rewindHunks(session, path, moment);
  const remarks = [
    file.byOthers ? 'Somebody else changed this file too since; that would go as well.' : '',
    ...planRemarks(plan),
  ].filter(Boolean);
  if (!part) return { plan, hunks, remarks };
  const hunk = hunks[part.position];
  if (!hunk || !isOpposite(hunk, part.shown))
    throw new Refusal(
      'The file is no longer what is shown here, so this part cannot be taken back alone. Take back the whole file, or look again.',
    );
  return { plan, hunks: [hunk], remarks: planRemarks(plan) };
}

/** The way back of exactly what was read. */
function isOpposite({ lines }: DifferenceHunk, { rows }: Part): boolean {
  const signs = { add: '-', remove: '+', same: ' ', gap: ' ' };
  const shown = rows.map(({ kind, text }) => signs[kind] + text).sort();
  const back = lines.filter((line) => !line.startsWith('\\')).sort();
  return shown.length === back.length && shown.every((line, index) => line === back[index]);
}

function textOf(error: unknown): string {
  return error instanceof Refusal ? error.message : messageOf(error);
}
