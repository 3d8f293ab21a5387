/** Who made something, in the words of every view. */
import { decisionText } from '../consent/index.js';
import { counted, shorten } from '../word/index.js';
import type { Allowed, MadeByCall, Maker, TurnRef } from './maker.js';

/** `own`: the session that is looked at, whose turns need no name. "turn 3 · Edit · allowed by you". */
export function makerText(maker: Maker, own?: string): string {
  switch (maker.by) {
    case 'older':
      return 'older than what is kept';
    case 'call':
      return [turnText(maker.call, own), toolText(maker), lower(allowedText(maker.call.allowed))].join(' · ');
    case 'rewind': {
      const { session, to, applies } = maker.rewind;
      if (applies) return `glassbox apply, ${to}`;
      return `glassbox rewind${session === own ? '' : ` of ${session}`}, to ${to}`;
    }
    case 'outside': {
      const when = maker.after ? `after ${turnText(maker.after, own)}` : 'before the first turn';
      return `a person or another program, ${when}`;
    }
    case 'unknown':
      if (maker.why === 'alike') return 'unknown: lines that read the same were made by several';
      if (maker.why === 'none-kept') return 'unknown: no files of this folder are kept';
      return untoldText(maker.turns, maker.commands, maker.isPartlyOutside === true, own);
  }
}

function untoldText(
  turns: readonly TurnRef[],
  commands: readonly string[],
  isPartlyOutside: boolean,
  own?: string,
): string {
  const when = `${isPartlyOutside ? 'before or during' : 'during'} ${listed(turns.map((turn) => turnText(turn, own)))}`;
  const [first, ...more] = commands;
  if (first === undefined) return `unknown: ${when}, without an edit that was told; no command ran`;
  const rest = more.length === 0 ? '' : ` and ${counted(more.length, 'other command')}`;
  return `unknown: ${when}, without an edit that was told; a command (${shorten(first.replace(/\s+/g, ' '), 60)}${rest}) or somebody else`;
}

function turnText({ session, turn }: TurnRef, own?: string): string {
  const number = turn === 0 ? 'a turn' : `turn ${turn}`;
  return session === own ? number : `${session}, ${number}`;
}

function toolText({ call: { tool, kind, isSubAgent }, isWhole }: MadeByCall): string {
  const name = tool === '' ? kind : tool;
  return `${name}${isSubAgent ? ' of a sub-agent' : ''}${isWhole ? ' of the whole file' : ''}`;
}

/** "Allowed by ada on the page", "Nobody was asked (permission: bypass)". */
export function allowedText(allowed: Allowed): string {
  switch (allowed.how) {
    case 'decided':
      return decisionText(allowed);
    case 'unasked':
      return allowed.permission === undefined
        ? 'Nobody was asked'
        : `Nobody was asked (permission: ${allowed.permission})`;
    case 'unknown':
      return 'Not known who allowed it';
  }
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
