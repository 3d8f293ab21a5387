/**
 * Hooks of programs that are only listened to: each tells what happens and goes on at once, so that nobody at the terminal waits for
 * anybody. Such programs call the same things by the same names; by where their conversations lie it is known who speaks.
 */
import { defined } from '../event/index.js';
import { type Json, lookUp, object, string } from './field.js';
import { hookSettings } from './hook-settings.js';
import type { HookCall, HookedTool, HookMoment, Hooks } from './hooks.js';
import type { ToolTable } from './tool-table.js';

export interface ToldHooks {
  settings: Hooks['settings'];
  /** By the program's own names. */
  moments: Readonly<Record<string, HookMoment>>;
  /** How long the program waits for one that hangs, in its own unit. */
  timeout: number;
  /** The paths of its conversations. */
  conversation: RegExp;
  tools: ToolTable;
  /** The tool that it calls or asks about; undefined when that is not told. */
  calledIn(told: Json): Called | undefined;
}

export interface Called {
  name: string;
  input: Json;
  id?: string | undefined;
}

export function toldHooks({ settings, moments, timeout, conversation, tools, calledIn }: ToldHooks): Hooks {
  return {
    canAnswer: false,
    reachesRunning: false,
    settings,
    ...hookSettings(Object.fromEntries(Object.keys(moments).map((event) => [event, { mode: 'watch', timeout }]))),
    read(payload) {
      const told = object(payload);
      const what = lookUp(moments, string(told?.hook_event_name));
      const [sessionId, transcript] = [string(told?.session_id), string(told?.transcript_path)];
      if (!told || what === undefined || sessionId === undefined || !conversation.test(transcript ?? ''))
        return undefined;
      const [cwd, called] = [string(told.cwd), calledIn(told)];
      const call = called && callOf(called, cwd);
      return defined<HookCall>({ what, sessionId, transcript, cwd, part: string(told.agent_id), call });
    },
  };

  function callOf({ name, input, id }: Called, directory: string | undefined): HookedTool {
    const facts = { toolName: name, toolKind: tools.kind(name), input, summary: tools.summary(name, input) };
    return { toolId: id, request: defined({ kind: tools.asks(name), ...facts, directory }) };
  }
}
