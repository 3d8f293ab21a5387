/** Which files a session changed, each with how: what it was asked about, what the agent told, or what stands in the call. */
import stringWidth from 'fast-string-width';
import type { DifferencePart } from '../../consent/index.js';
import { pathWithin } from '../../consent/index.js';
import { rowAt, type SessionState, selectChangedFiles, type Tool, values } from '../../session/index.js';
import { counted } from '../../word/index.js';
import { rowsOf, styled } from '../terminal/styled.js';
import { changeParts } from '../terminal/tool-rows.js';
import { cutToWidth } from '../text/cut-to-width.js';
import { partRows } from '../text/index.js';
import { safeLine } from '../text/safe.js';

interface Options {
  readonly width: number;
  readonly color: boolean;
}

interface Changed {
  added: number;
  removed: number;
  parts: DifferencePart[];
}

/** Of one change; who wants all of a long one looks at the file. */
const MOST_ROWS = 200;

export function changeRows(state: SessionState, { width, color }: Options): string[] {
  const files = changedFiles(state);
  if (files.size === 0) return [];
  const sums = [...files.values()].reduce((sum, one) => [sum[0] + one.added, sum[1] + one.removed] as const, [
    0, 0,
  ] as readonly [number, number]);
  const head = `${counted(files.size, 'file')}  +${sums[0]} −${sums[1]}`;
  return [
    styled(head, ['dim'], color),
    ...[...files].flatMap(([path, { added, removed, parts }]) => {
      const name = rowsOf(
        [
          { text: safeLine(path, 300), looks: ['bold'] },
          { text: `  +${added} −${removed}`, looks: ['dim'] },
        ],
        width,
        color,
      );
      return ['', ...name, ...parts.flatMap((part) => shownPart(part, { width, color }))];
    }),
  ];
}

const listed = new WeakMap<Map<string, Changed>, { look: string; rows: string[] }>();

/** The files alone, a row each, and how much came and went. */
export function changedFileRows(state: SessionState, most: number, { width, color }: Options): string[] {
  const files = changedFiles(state);
  const look = `${most} ${width} ${color}`;
  const known = listed.get(files);
  if (known?.look === look) return known.rows;
  const rows = fileRows([...files], most, { width, color });
  listed.set(files, { look, rows });
  return rows;
}

function fileRows(files: readonly [path: string, Changed][], most: number, { width, color }: Options): string[] {
  const shown = files.length <= most ? files : files.slice(0, Math.max(0, most - 1));
  const rows = shown.map(([path, { added, removed }]) => {
    const sums = `+${added} −${removed}`;
    const name = cutToWidth(safeLine(path, 300), width - sums.length - 2);
    const gap = ' '.repeat(Math.max(2, width - stringWidth(name) - sums.length));
    return `${name}${gap}${styled(`+${added}`, ['good'], color)} ${styled(`−${removed}`, ['bad'], color)}`;
  });
  const left = files.length - shown.length;
  return left > 0 ? [...rows, styled(`… ${counted(left, 'file')} more`, ['dim'], color)] : rows;
}

function shownPart({ path: _, ...part }: DifferencePart, options: Options): string[] {
  const rows = drawnOnce(part, options);
  if (rows.length <= MOST_ROWS) return rows;
  const more = styled(`  … ${counted(rows.length - MOST_ROWS, 'line')} more`, ['dim'], options.color);
  return [...rows.slice(0, MOST_ROWS), more];
}

const gathered = new WeakMap<
  SessionState['tools'],
  { changes: SessionState['changes']; files: Map<string, Changed> }
>();

/** While somebody only speaks they are the same. */
function changedFiles(state: SessionState): Map<string, Changed> {
  const { tools, changes } = state;
  const known = gathered.get(tools);
  if (known?.changes === changes) return known.files;
  const files = gatherFiles(state);
  gathered.set(tools, { changes, files });
  return files;
}

/** What is told of a file without a call is counted by its name alone. */
function gatherFiles(state: SessionState): Map<string, Changed> {
  const files = new Map<string, Changed>();
  const fileOf = (path: string): Changed => {
    const file = files.get(path) ?? { added: 0, removed: 0, parts: [] };
    files.set(path, file);
    return file;
  };
  for (const tool of values(state.tools.rows)) {
    if (tool.status !== 'ok') continue;
    for (const part of partsOnce(tool, state)) {
      const file = fileOf(part.to ?? part.path ?? '');
      file.added += part.added;
      file.removed += part.removed;
      file.parts.push(part);
    }
  }
  for (const { path, changes } of selectChangedFiles(state))
    fileOf(pathWithin(path, rowAt(state.runs, changes[0]?.run)?.facts.cwd));
  return files;
}

const parted = new WeakMap<Tool, DifferencePart[]>();

/** A call that has ended changes no more. */
function partsOnce(tool: Tool, state: SessionState): DifferencePart[] {
  const parts = parted.get(tool) ?? changeParts(tool, state);
  parted.set(tool, parts);
  return parts;
}

const drawn = new WeakMap<object, { look: string; rows: string[] }>();

function drawnOnce(part: Omit<DifferencePart, 'path'>, { width, color }: Options): string[] {
  const look = `${width} ${color}`;
  const found = drawn.get(part.rows);
  if (found?.look === look) return found.rows;
  // Its name and its sums stand above it.
  const rows = partRows([{ ...part, added: 0, removed: 0 }], { width, color });
  drawn.set(part.rows, { look, rows });
  return rows;
}
