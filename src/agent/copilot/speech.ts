/**
 * What Copilot says: deltas, then the whole message, which repeats its thoughts; the thoughts come a third time after it.
 * Thoughts have an id of their own and come before the id of their message is known, so they are a message of their own.
 */
import type { Chronicle } from '../chronicle/chronicle.js';
import { anyString, type Json, string } from '../field.js';

export interface Speech {
  start(messageId: string | undefined, parent: string | undefined): void;
  addText(data: Json, parent: string | undefined): void;
  addThinking(data: Json, parent: string | undefined): void;
  finish(data: Json, parent: string | undefined): void;
  finishThinking(data: Json, parent: string | undefined): void;
  /** The last text of the main conversation. */
  answer(): string | undefined;
}

export function createSpeech(chronicle: Chronicle): Speech {
  /** The thoughts of each speaker that no message has repeated yet. */
  const thinking = new Map<string | undefined, string>();
  /** The thoughts that each speaker's last message repeated. */
  const told = new Map<string | undefined, string>();
  let answer: string | undefined;

  function think(id: string, text: string | undefined, parent: string | undefined): void {
    chronicle.endText('thinking', id, 0, text, parent);
    chronicle.endMessage(id);
  }

  return {
    start(messageId, parent) {
      if (messageId !== undefined) chronicle.startMessage(messageId, undefined, parent);
    },
    addText({ messageId, deltaContent }, parent) {
      const text = string(deltaContent);
      if (text !== undefined) chronicle.addText('text', anyString(messageId) ?? '', 0, text, parent);
    },
    addThinking({ reasoningId, deltaContent }, parent) {
      const [id, text] = [anyString(reasoningId) ?? '', string(deltaContent)];
      if (text === undefined) return;
      thinking.set(parent, id);
      chronicle.addText('thinking', id, 0, text, parent);
    },
    finish({ messageId, content, reasoningText, model }, parent) {
      const id = anyString(messageId) ?? '';
      const [text, thoughts, open] = [string(content), string(reasoningText), thinking.get(parent)];
      if (open !== undefined) think(open, thoughts, parent);
      else if (thoughts !== undefined && thoughts !== told.get(parent)) think(`${id}-thinking`, thoughts, parent);
      thinking.delete(parent);
      if (thoughts === undefined) told.delete(parent);
      else told.set(parent, thoughts);
      chronicle.startMessage(id, string(model), parent);
      if (text !== undefined) chronicle.endText('text', id, 0, text, parent);
      chronicle.endMessage(id, { model: string(model) });
      if (parent === undefined && text !== undefined) answer = text;
    },
    finishThinking({ reasoningId, content }, parent) {
      const thoughts = string(content);
      if (thoughts === undefined || thoughts === told.get(parent)) return;
      told.set(parent, thoughts);
      thinking.delete(parent);
      think(anyString(reasoningId) ?? '', thoughts, parent);
    },
    answer: () => answer,
  };
}
