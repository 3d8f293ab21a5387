/** Who comes into the folder of a session, one after the other: one line for as many as nothing else stands between. */
import type { Row } from '../../../session/index.js';

type EventRow = Extract<Row, { kind: 'event' }>;
type Coming = { row: EventRow; names: string };

/** A row that changes nothing is the same one, so that it is not drawn again. */
const made = new WeakMap<Row, { first: Row; row: Row }>();

export function joinNeighbours(rows: readonly Row[]): Row[] {
  const joined: Row[] = [];
  let group: Coming[] = [];
  const close = () => {
    if (group.length > 0) joined.push(rowOf(group));
    group = [];
  };
  for (const row of rows) {
    const coming = comingIn(row);
    if (coming) group.push(coming);
    else {
      close();
      joined.push(row);
    }
  }
  close();
  return joined;
}

function comingIn(row: Row): Coming | undefined {
  if (row.kind !== 'event' || row.content.type !== 'warning' || row.content.code !== 'shared-folder') return undefined;
  const names = /^Now (.+) works? in this folder too\.$/.exec(row.content.message)?.[1];
  return names === undefined ? undefined : { row, names };
}

/** Under the name of the first. */
function rowOf(group: readonly Coming[]): Row {
  const [first, last] = [group[0]?.row, group.at(-1)?.row];
  if (!first || !last || first === last) return first as EventRow;
  const known = made.get(last);
  if (known?.first === first) return known.row;
  const message = `Now ${group.map(({ names }) => names).join(', ')} work in this folder too.`;
  const row = { ...first, content: { ...first.content, message } } as EventRow;
  made.set(last, { first, row });
  return row;
}
