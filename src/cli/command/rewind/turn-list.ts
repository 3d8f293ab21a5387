/** The turns of a session: when, what was asked, which files each changed. */
import { findTurns, type TurnFiles, turnChanges } from '../../../checkpoint/index.js';
import { formatAgo } from '../../../client/moment.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import { createPaint } from '../../../view/text/palette.js';
import { safeJson, safeLine } from '../../../view/text/safe.js';
import { counted } from '../../../word/index.js';
import { byWords } from '../../print/by-words.js';
import { type ColorChoice, wantsColor } from '../../print/color.js';
import { type Cell, fittedTable } from '../../print/table.js';

const COLUMNS = [{ head: 'TURN', right: true }, { head: 'WHEN', leaves: 1 }, { head: 'FILES' }, { head: 'ASKED' }];

export async function turnRows(
  store: Store,
  session: SessionRecord,
  { stdout, env }: NodeJS.Process,
  color: ColorChoice,
): Promise<string[]> {
  const turns = await findTurns(session.runs);
  if (turns.length === 0) return [`Of ${session.id} no turn is known.`];
  const asked = await promptsOf(store, session);
  const rows: Cell[][] = [];
  for (const turn of turns) {
    rows.push([
      { text: String(turn.turn), right: true },
      { text: turn.after ? formatAgo(turn.after.at) : '' },
      { text: await changedText(turn) },
      { text: safeLine(asked.get(turn.turn) ?? '', 200) },
    ]);
  }
  const last = turns.findLast(({ after }) => after?.commit !== undefined);
  const paint = createPaint(wantsColor(color, stdout, env));
  return [
    ...fittedTable(COLUMNS, rows, paint, stdout.columns),
    ...(last
      ? [
          byWords(
            `glassbox rewind ${session.id}@${last.turn} --before takes the files back to before turn ${last.turn}.`,
            stdout,
          ),
        ]
      : []),
  ];
}

export async function turnsJson(store: Store, session: SessionRecord): Promise<string[]> {
  const asked = await promptsOf(store, session);
  const turns = await findTurns(session.runs);
  return Promise.all(
    turns.map(async (turn) => {
      const prompt = asked.get(turn.turn);
      const changes = await turnChanges(turn);
      return safeJson({ schema: 1, ...turn, ...(prompt !== undefined && { prompt }), ...(changes && { changes }) });
    }),
  );
}

async function changedText(turn: TurnFiles): Promise<string> {
  const failed = turn.after?.failed ?? turn.before?.failed;
  if (failed !== undefined) return `not kept: ${safeLine(failed, 60)}`;
  const changes = await turnChanges(turn);
  if (!changes) return 'not kept';
  if (changes.length === 0) return 'none changed';
  const added = changes.reduce((sum, { lines }) => sum + (lines?.added ?? 0), 0);
  const removed = changes.reduce((sum, { lines }) => sum + (lines?.removed ?? 0), 0);
  return `${counted(changes.length, 'file')} +${added} -${removed}`;
}

/** What was said first in each turn, by the number of the turn in the session. */
async function promptsOf(store: Store, { runs }: SessionRecord): Promise<Map<number, string>> {
  const asked = new Map<number, string>();
  let offset = 0;
  for (const { runId, turns } of runs) {
    for await (const event of store.read(runId)) {
      if (event.type !== 'user-message' || event.parent !== undefined) continue;
      const turn = offset + Math.max(1, event.turn);
      if (!asked.has(turn)) asked.set(turn, event.text);
    }
    offset += turns;
  }
  return asked;
}
