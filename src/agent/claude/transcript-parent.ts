/** Which tool call a sub-agent's entry belongs to. Each generation of the program says it in another way. */
import { contentText } from '../claude-lines/content.js';
import { type Json, object, objects, string } from '../field.js';

export interface Parents {
  note(entry: Json, part: string | undefined): void;
  /** Whether a call became known since the last question, so that somebody may have another answer now. */
  hasLearned(): boolean;
  /** Undefined for the main conversation; null for a sub-agent that no tool call started. To be asked when all was noted. */
  of(entry: Json, part?: string): string | null | undefined;
}

export function createParents(): Parents {
  const byAgent = new Map<string, string>();
  const byPrompt = new Map<string, string>();
  const sideEntries = new Map<string, Json>();
  const prompts = new Map<Json, string>();
  let asked = 0;

  return {
    hasLearned() {
      const before = asked;
      asked = byAgent.size + byPrompt.size;
      return asked !== before;
    },
    note(entry, part) {
      // 2.1: a file beside the sub-agent's own.
      const toolUseId = string(entry.toolUseId);
      if (part !== undefined && toolUseId !== undefined) byAgent.set(part, toolUseId);
      const blocks = objects(object(entry.message)?.content);
      for (const block of blocks) {
        const id = string(block.tool_use_id);
        // 2.0: the result of the call.
        const agentId = string(object(entry.toolUseResult)?.agentId);
        if (block.type === 'tool_result' && id !== undefined && agentId !== undefined) byAgent.set(agentId, id);
        // 1.0: only the prompt is the same.
        const prompt = string(object(block.input)?.prompt);
        const callId = string(block.id);
        if (prompt !== undefined && callId !== undefined) byPrompt.set(prompt, callId);
      }
      const uuid = string(entry.uuid);
      if (entry.isSidechain === true && uuid !== undefined) sideEntries.set(uuid, entry);
    },
    of(entry, part) {
      if (entry.isSidechain !== true && part === undefined) return undefined;
      const agentId = string(entry.agentId) ?? part;
      return byAgent.get(agentId ?? '') ?? byPrompt.get(promptOf(entry)) ?? null;
    },
  };

  /** The first thing that was said to this sub-agent. Entries point back to the one before, so each asks it and remembers. */
  function promptOf(entry: Json): string {
    const path: Json[] = [];
    let prompt: string | undefined;
    for (let at: Json | undefined = entry; at; at = sideEntries.get(string(at.parentUuid) ?? '')) {
      prompt = prompts.get(at);
      if (prompt !== undefined || path.length > sideEntries.size) break;
      path.push(at);
    }
    prompt ??= contentText(object(path.at(-1)?.message)?.content);
    for (const passed of path) prompts.set(passed, prompt);
    return prompt;
  }
}
