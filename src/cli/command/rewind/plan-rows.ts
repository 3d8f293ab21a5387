/** What going back would change, as rows: each file, who else changed it, and the lines. */
import {
  type ConversationBack,
  hunksOf,
  type LeftFile,
  type PreparedChange,
  type PreparedRewind,
  type PreparedWayBack,
  type RewindFile,
} from '../../../checkpoint/index.js';
import { formatAgo } from '../../../client/moment.js';
import type { Paint } from '../../../view/text/palette.js';
import { safe, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';

/** Of more lines nobody reads the difference in a question. */
const MOST_LINES = 200;
const WIDEST = 400;

export async function planRows(plan: PreparedRewind, paint: Paint): Promise<string[]> {
  const { files, left, turn, before, at } = plan;
  const when = before || turn === 0 ? `before turn ${Math.max(turn, 1)}` : `after turn ${turn}`;
  const remarks = [
    ...(plan.late ? ['It was kept while the agent went on: it may hold a part of what came after.'] : []),
    ...(plan.movedHead === undefined
      ? []
      : [`HEAD has moved since (it was ${plan.movedHead.slice(0, 10)}); it stays where it is, only files go back.`]),
  ].map((text) => paint('notice', text));
  if (files.length === 0) return [...remarks, ...leftRows(left), `All files are as they were ${when}.`];
  return [
    `To how the files were ${when} (${formatAgo(at)}), in ${safeLine(plan.top, 200)}:`,
    ...remarks,
    ...(await changeRows(plan, paint)),
  ];
}

/** Each file, and the lines of those that are text. */
export async function changeRows(plan: PreparedChange, paint: Paint, words: Words = WORDS): Promise<string[]> {
  return [
    ...plan.files.map((file) => `  ${fileRow(file, paint, words)}`),
    ...leftRows(plan.left),
    '',
    ...(await differenceRows(plan, paint)),
  ];
}

type Words = Record<RewindFile['change'], string>;

const WORDS: Words = { changed: 'changes', restored: 'comes back', removed: 'goes' };

function fileRow({ path, change, lines, byOthers }: RewindFile, paint: Paint, words: Words): string {
  const count = lines
    ? ` ${paint('result', `+${lines.added}`)} ${paint('removed', `-${lines.removed}`)}`
    : ' (no text)';
  const others = byOthers ? ` ${paint('notice', 'changed by somebody else since')}` : '';
  return `${words[change].padEnd(10)} ${safeLine(path, 200)}${count}${others}`;
}

const WHY: Record<LeftFile['why'], string> = {
  'too-large': 'too large to be kept',
  unreadable: 'could not be read',
  repository: 'a repository of its own',
  name: 'its name is no UTF-8',
  'not-kept': 'stands there and was not kept, as what git ignores',
  'changed-meanwhile': 'somebody changed it meanwhile',
};

export function leftRows(left: readonly LeftFile[]): string[] {
  const most = left.slice(0, 20).map(({ path, why }) => `  left alone ${safeLine(path, 200)}: ${WHY[why]}`);
  return left.length > 20 ? [...most, `  … and ${left.length - 20} more`] : most;
}

/** What would become of the conversation. `last`: how many turns it has. */
export function planned({ conversation: { turn, cannot } }: PreparedWayBack, last: number): string[] {
  if (cannot !== undefined) return [`The conversation would not go back: ${cannot}.`];
  return [`The conversation would go on ${from(turn, last)}.`];
}

/** What became of it. */
export function became({ turn, cannot }: ConversationBack, last?: number): string[] {
  if (cannot !== undefined) return [`The files went back, the conversation did not: ${cannot}.`];
  return [`The next message goes on ${from(turn, last)}.`];
}

function from(turn: number, last: number | undefined): string {
  if (turn === 0) return 'as a new conversation';
  return turn === last ? 'from its end' : `after turn ${turn}, without what came later`;
}

async function differenceRows(plan: PreparedChange, paint: Paint): Promise<string[]> {
  const rows: string[] = [];
  let hidden = 0;
  for (const { path, lines } of plan.files) {
    if (!lines) continue;
    if (rows.length >= MOST_LINES) {
      hidden += lines.added + lines.removed;
      continue;
    }
    rows.push(paint('heading', safeLine(path, 200)), ...(await fileRows(plan, path, paint)));
  }
  if (rows.length > MOST_LINES) hidden += rows.splice(MOST_LINES).length;
  return hidden > 0 ? [...rows, `… and ${counted(hidden, 'line')} more; name a file to see them.`, ''] : [...rows, ''];
}

async function fileRows(plan: PreparedChange, path: string, paint: Paint): Promise<string[]> {
  const hunks = await hunksOf(plan, path);
  return hunks.flatMap((hunk) => hunkRows(hunk, paint));
}

export function hunkRows(
  { oldStart, newStart, lines }: { oldStart: number; newStart: number; lines: readonly string[] },
  paint: Paint,
): string[] {
  return [
    paint('quiet', `@@ line ${oldStart} becomes line ${newStart} @@`),
    ...lines.map((line) => {
      const text = safe(line.slice(0, WIDEST));
      return line.startsWith('+') ? paint('result', text) : line.startsWith('-') ? paint('removed', text) : text;
    }),
  ];
}
