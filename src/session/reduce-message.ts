/** Messages: one record per message id, whose blocks grow by deltas and are replaced by their ends. */
import type { EventOf } from '../event/index.js';
import { type Chunks, emptyChunks, entries, entryAt, withEntry } from './chunks.js';
import { type Block, type Message, positionOf } from './item.js';
import { changeTurn, isTurnOver } from './reduce-turn.js';
import { addItem, changeMessage, changeThread, findOrAddMessage, locate, type Scene } from './scene.js';
import { addRow, closeRow, findRow, keyOf, rowAt } from './table.js';
import { addUsage } from './usage.js';

export function startMessage(scene: Scene, event: EventOf<'message-start'>): void {
  changeMessage(scene, findOrAddMessage(scene, event), (message) => {
    message.startedAt ??= event.at;
    message.model = event.model ?? message.model;
  });
}

export function growBlock(scene: Scene, event: EventOf<'text-delta' | 'thinking-delta'>): void {
  const kind = event.type === 'text-delta' ? 'text' : 'thinking';
  const place = findBlock(scene, event, kind);
  // What was taken back may be said anew in the same place.
  const block = place.block?.retracted === undefined ? place.block : undefined;
  if (block?.complete) return;
  const text = (block?.text ?? '') + (event.text ?? '');
  speak(scene, place, { kind, text, complete: false, startedAt: block?.startedAt });
}

export function startThinking(scene: Scene, event: EventOf<'thinking-start'>): void {
  const place = findBlock(scene, event, 'thinking');
  if (place.block?.startedAt !== undefined) return;
  const block: Block = place.block ?? { kind: 'thinking', text: '', complete: false };
  speak(scene, place, { ...block, startedAt: event.at });
}

export function endBlock(scene: Scene, event: EventOf<'text-end' | 'thinking-end'>): void {
  const kind = event.type === 'text-end' ? 'text' : 'thinking';
  const { message, position, block } = findBlock(scene, event, kind);
  const startedAt = block?.startedAt;
  const { text = '', partial, cuts } = event;
  const ended: Block = { kind, text, complete: true, partial, cuts, startedAt };
  const whole = event.type === 'thinking-end' ? { ...ended, ...thinkingFacts(event, startedAt) } : ended;
  changeMessage(scene, message, (copy) => {
    copy.blocks = withEntry(copy.blocks, position, whole);
    copy.settled = Math.max(copy.settled, position);
  });
  hush(scene, message);
  const isSaid = kind === 'text' && text !== '' && event.parent === undefined;
  if (isSaid && !scene.run.spoken.includes(event.turn)) scene.run.spoken = [...scene.run.spoken, event.turn];
}

/** An answer that stands only in the result, as where an agent prints nothing else, is a message like any other. */
export function tellUnsaid(scene: Scene, event: EventOf<'turn-end'>): void {
  if (isTurnOver(scene, event)) return;
  const { outcome, parent, text, turn, seq, at, runId, agent, source, cuts } = event;
  const { spoken } = scene.run;
  scene.run.spoken = spoken.filter((each) => each !== turn);
  if (outcome !== 'success' || !text || parent !== undefined || spoken.includes(turn)) return;
  const said = { messageId: `result ${seq}`, turn, seq, at, runId, agent, source };
  endBlock(scene, { type: 'text-end', index: 0, text, cuts, ...said });
  endMessage(scene, { type: 'message-end', ...said });
}

export function endMessage(scene: Scene, event: EventOf<'message-end'>): void {
  const number = findOrAddMessage(scene, event);
  if (rowAt(scene.state.messages, number)?.endedAt !== undefined) return;
  changeMessage(scene, number, (message) => {
    message.blocks = completeBlocks(message.blocks);
    message.endedAt = event.at;
    message.model = event.model ?? message.model;
    message.usage = event.usage;
    message.stopReason = event.stopReason;
  });
  hush(scene, number);
  scene.run.thinkingTokens = undefined;
  const ended = rowAt(scene.state.messages, number);
  if (ended && event.usage) countUsage(scene, ended);
}

/** Marks instead of removing, so that a state says what happened; selectors leave marked texts out. */
export function retractMessage(scene: Scene, event: EventOf<'message-retract'>): void {
  const number = findRow(scene.state.messages, keyOf(scene.number, event.messageId));
  if (number === undefined) return;
  const { index, why } = event;
  changeMessage(scene, number, (message) => {
    const isMeant = (position: number) => index === undefined || position >> 1 === index;
    message.blocks = retractBlocks(message.blocks, isMeant, why);
    if (index === undefined) message.retracted = why;
  });
  hush(scene, number);
}

export function addUserMessage(scene: Scene, event: EventOf<'user-message'>): void {
  const id = event.messageId ?? `user ${event.seq}`;
  const key = keyOf(scene.number, id);
  // An agent may echo what was said to it, and a transcript repeats it.
  if (findRow(scene.state.messages, key) !== undefined) return;
  const at = locate(scene, event);
  const number = scene.state.messages.rows.size;
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
  scene.state.messages = closeRow(addRow(scene.state.messages, key, message), number, message);
  addItem(scene, at.thread, { kind: 'message', number });
}

interface Place {
  /** Number of the message. */
  message: number;
  position: number;
  block: Block | undefined;
}

function findBlock(
  scene: Scene,
  event: EventOf<'text-delta' | 'text-end' | 'thinking-start' | 'thinking-delta' | 'thinking-end'>,
  kind: Block['kind'],
): Place {
  const message = findOrAddMessage(scene, event);
  const position = positionOf(kind, event.index);
  const blocks = rowAt(scene.state.messages, message)?.blocks;
  return { message, position, block: blocks && entryAt(blocks, position) };
}

function speak(scene: Scene, { message, position }: Place, block: Block): void {
  changeMessage(scene, message, (copy) => {
    copy.blocks = withEntry(copy.blocks, position, block);
  });
  const { speaking } = scene.run;
  if (speaking?.message !== message || speaking.block !== position) scene.run.speaking = { message, block: position };
}

function hush(scene: Scene, message: number): void {
  if (scene.run.speaking?.message === message) scene.run.speaking = undefined;
}

function thinkingFacts(event: EventOf<'thinking-end'>, startedAt: number | undefined): Partial<Block> {
  const durationMs = event.durationMs ?? (startedAt === undefined ? undefined : event.at - startedAt);
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

function countUsage(scene: Scene, message: Message): void {
  changeThread(scene, message.thread, (thread) => {
    thread.usage = addUsage(thread.usage, message.usage);
  });
  changeTurn(scene, message, (turn) => ({ ...turn, estimate: addUsage(turn.estimate, message.usage) }));
}
