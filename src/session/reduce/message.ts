/** Messages: one record per message id, whose blocks grow by deltas and are replaced by their ends. */
import { defined, type EventOf } from '../../event/index.js';
import { type Block, type Message, positionOf } from '../item.js';
import { type Chunks, emptyChunks, entries, entryAt, withEntry } from '../table/chunks.js';
import { addRow, closeRow, findRow, keyOf, rowAt } from '../table/table.js';
import { account } from './account.js';
import { elapsedMs } from './elapsed.js';
import { addItem, changeMessage, findOrAddMessage, locate, type ReduceContext } from './reduce-context.js';
import { isTurnOver } from './turn.js';

export function startMessage(context: ReduceContext, event: EventOf<'message-start'>): void {
  changeMessage(context, findOrAddMessage(context, event), (message) => {
    message.startedAt ??= event.at;
    message.model = event.model ?? message.model;
  });
}

export function growBlock(context: ReduceContext, event: EventOf<'text-delta' | 'thinking-delta'>): void {
  const kind = event.type === 'text-delta' ? 'text' : 'thinking';
  const place = findBlock(context, event, kind);
  // What was taken back may be said anew in the same place.
  const block = place.block?.retracted === undefined ? place.block : undefined;
  if (block?.complete) return;
  const text = (block?.text ?? '') + (event.text ?? '');
  speak(context, place, { kind, text, complete: false, startedAt: block?.startedAt });
}

export function startThinking(context: ReduceContext, event: EventOf<'thinking-start'>): void {
  const place = findBlock(context, event, 'thinking');
  if (place.block?.startedAt !== undefined) return;
  const block: Block = place.block ?? { kind: 'thinking', text: '', complete: false };
  speak(context, place, { ...block, startedAt: event.at });
}

export function endBlock(context: ReduceContext, event: EventOf<'text-end' | 'thinking-end'>): void {
  const kind = event.type === 'text-end' ? 'text' : 'thinking';
  const { message, position, block } = findBlock(context, event, kind);
  const startedAt = block?.startedAt;
  const { text = '', partial, cuts } = event;
  const ended: Block = { kind, text, complete: true, partial, cuts, startedAt };
  const whole = event.type === 'thinking-end' ? { ...ended, ...thinkingFacts(event, startedAt) } : ended;
  changeMessage(context, message, (copy) => {
    copy.blocks = withEntry(copy.blocks, position, whole);
    copy.settled = Math.max(copy.settled, position);
  });
  stopSpeaking(context, message);
  const isSaid = kind === 'text' && text !== '' && event.parent === undefined;
  if (isSaid && !context.run.spoken.includes(event.turn)) context.run.spoken = [...context.run.spoken, event.turn];
}

/** An answer that stands only in the result, as where an agent prints nothing else, is a message like any other. */
export function tellUnsaid(context: ReduceContext, event: EventOf<'turn-end'>): void {
  if (isTurnOver(context, event)) return;
  const { outcome, parent, text, turn, seq, at, runId, agent, source, cuts } = event;
  const { spoken } = context.run;
  context.run.spoken = spoken.filter((each) => each !== turn);
  if (outcome !== 'success' || !text || parent !== undefined || spoken.includes(turn)) return;
  const said = { messageId: `result ${seq}`, turn, seq, at, runId, agent, source };
  endBlock(context, defined({ type: 'text-end', index: 0, text, cuts, ...said }));
  endMessage(context, { type: 'message-end', ...said });
}

export function endMessage(context: ReduceContext, event: EventOf<'message-end'>): void {
  const number = findOrAddMessage(context, event);
  if (rowAt(context.state.messages, number)?.endedAt !== undefined) return;
  changeMessage(context, number, (message) => {
    message.blocks = completeBlocks(message.blocks);
    message.endedAt = event.at;
    message.model = event.model ?? message.model;
    message.usage = event.usage;
    message.stopReason = event.stopReason;
  });
  stopSpeaking(context, number);
  context.run.thinkingTokens = undefined;
  account(context, event);
}

/** Marks instead of removing, so that a state says what happened; selectors leave marked texts out. */
export function retractMessage(context: ReduceContext, event: EventOf<'message-retract'>): void {
  const number = findRow(context.state.messages, keyOf(context.number, event.messageId));
  if (number === undefined) return;
  const { index, why } = event;
  changeMessage(context, number, (message) => {
    const isMeant = (position: number) => index === undefined || position >> 1 === index;
    message.blocks = retractBlocks(message.blocks, isMeant, why);
    if (index === undefined) message.retracted = why;
  });
  stopSpeaking(context, number);
}

export function addUserMessage(context: ReduceContext, event: EventOf<'user-message'>): void {
  const id = event.messageId ?? `user ${event.seq}`;
  const key = keyOf(context.number, id);
  // An agent may echo what was said to it, and a transcript repeats it.
  if (findRow(context.state.messages, key) !== undefined) return;
  const at = locate(context, event);
  const number = context.state.messages.rows.size;
  const block: Block = { kind: 'text', text: event.text ?? '', complete: true, cuts: event.cuts };
  const message: Message = {
    ...at,
    id,
    role: 'user',
    startedAt: event.at,
    endedAt: event.at,
    blocks: withEntry(emptyChunks<Block>(), positionOf('text', 0), block),
    calls: emptyChunks(),
    settled: positionOf('text', 0),
    synthetic: event.synthetic,
    replay: event.replay,
    attachments: event.attachments,
  };
  context.state.messages = closeRow(addRow(context.state.messages, key, message), number, message);
  addItem(context, at.thread, { kind: 'message', number });
}

interface Place {
  /** Number of the message. */
  message: number;
  position: number;
  block: Block | undefined;
}

function findBlock(
  context: ReduceContext,
  event: EventOf<'text-delta' | 'text-end' | 'thinking-start' | 'thinking-delta' | 'thinking-end'>,
  kind: Block['kind'],
): Place {
  const message = findOrAddMessage(context, event);
  const position = positionOf(kind, event.index);
  const blocks = rowAt(context.state.messages, message)?.blocks;
  return { message, position, block: blocks && entryAt(blocks, position) };
}

function speak(context: ReduceContext, { message, position }: Place, block: Block): void {
  changeMessage(context, message, (copy) => {
    copy.blocks = withEntry(copy.blocks, position, block);
  });
  const { speaking } = context.run;
  if (speaking?.message !== message || speaking.block !== position) context.run.speaking = { message, block: position };
}

function stopSpeaking(context: ReduceContext, message: number): void {
  if (context.run.speaking?.message === message) context.run.speaking = undefined;
}

function thinkingFacts(event: EventOf<'thinking-end'>, startedAt: number | undefined): Partial<Block> {
  const durationMs = event.durationMs ?? elapsedMs(startedAt, event.at);
  return { redacted: event.redacted, durationMs };
}

function completeBlocks(blocks: Chunks<Block>): Chunks<Block> {
  let complete = blocks;
  for (const [position, block] of entries(blocks)) {
    if (!block.complete) complete = withEntry(complete, position, { ...block, complete: true, partial: true });
  }
  return complete;
}

/** What was still growing is gone altogether: without deltas nobody would know that it ever was. */
function retractBlocks(
  blocks: Chunks<Block>,
  isMeant: (position: number) => boolean,
  why: Block['retracted'],
): Chunks<Block> {
  let kept = emptyChunks<Block>();
  for (const [position, block] of entries(blocks)) {
    if (!isMeant(position)) kept = withEntry(kept, position, block);
    else if (block.complete) kept = withEntry(kept, position, { ...block, retracted: why });
  }
  return kept;
}
