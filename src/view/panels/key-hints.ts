/** The last row: the keys that do something now, the most wanted first; where it is narrow the others leave. */
import stringWidth from 'fast-string-width';
import { FRESH_MS } from '../terminal/question/question.js';
import { styled } from '../terminal/styled.js';
import { askingSize } from './asking.js';
import { groupOf } from './listing.js';
import { chosen, isTyping, type Moment, nameOf, type PanelsState } from './state.js';

type Hint = readonly [key: string, does: string];

export function keyHints(state: PanelsState, moment: Moment): string {
  const { size, color, now } = moment;
  const deeds = deedsOf(state);
  const last = ownProgramOf(state);
  const isDead = now - state.changedAt < FRESH_MS;
  let row = '';
  let used = 0;
  for (const [key, does] of [...deeds, ...waysOf(state, moment), ...last]) {
    const columns = stringWidth(key) + stringWidth(does) + 3;
    if (used + columns > size.columns) continue;
    used += columns;
    const isOff = isDead && [...deeds, ...last].some(([name]) => name === key);
    // Without colours a key that does nothing yet is not named.
    row += isOff
      ? styled(` ${color ? key : '·'.repeat(stringWidth(key))} ${does} `, ['dim'], color)
      : ` ${styled(key, ['bold'], color)} ${styled(does, ['dim'], color)} `;
  }
  return row;
}

function deedsOf(state: PanelsState): Hint[] {
  const listed = chosen(state);
  if (!listed || state.hasHelp || isTyping(state)) return [];
  const back: Hint = ['b', 'take back'];
  if (groupOf(listed) === 'ended') return listed.session.agentSessionId === undefined ? [back] : [['r', 'go on'], back];
  return listed.session.state === 'ended'
    ? []
    : [
        ['s', 'say'],
        ['i', 'interrupt'],
        ['x', 'stop'],
      ];
}

function ownProgramOf(state: PanelsState): Hint[] {
  const listed = chosen(state);
  if (!listed || state.hasHelp || isTyping(state) || listed.session.agentSessionId === undefined) return [];
  return listed.session.state === 'ended' && groupOf(listed) !== 'ended' ? [] : [['T', 'own program']];
}

function waysOf(state: PanelsState, { size, color }: Moment): Hint[] {
  const { focus, listed, found, hasHelp, answered, cursor } = state;
  if (hasHelp || isTyping(state)) return [['Esc', 'back']];
  const others = (found ?? listed).some(
    ({ session, questions }) => session.id !== cursor && questions.some((one) => !answered.includes(nameOf(one))),
  );
  const isAsked = state.asking !== undefined && focus === 'list';
  const opens: Hint =
    isAsked && (state.asking?.state.step === 'field' || !askingSize(state, size, color))
      ? ['⏎', 'answer']
      : ['⏎', 'open'];
  return [
    ...(others ? [['Tab', 'next that waits'] as const] : []),
    ...(focus === 'list' ? [opens] : [['Esc', 'back'] as const]),
    ['q', 'quit'],
    ...(focus === 'list' ? [['↑↓', 'sessions'] as const] : [['↑↓', 'scroll'] as const]),
    ['1–5', 'tabs'],
    ...(found && focus === 'list' ? [['Esc', 'leave search'] as const] : []),
    ['?', 'help'],
  ];
}
