/**
 * What this agent tells programs of the user, whoever started the session, and what they may answer. Decided is only where its own
 * dialog stands beside (`PermissionRequest`): whatever fails there means that nobody said anything, and nobody is locked out.
 */
import { defined } from '../../event/index.js';
import { createChronicle } from '../chronicle/chronicle.js';
import { askFrom } from '../claude-lines/ask.js';
import { type Json, lookUp, object, string } from '../field.js';
import { hookSettings } from '../hook-settings.js';
import type { HookCall, HookedTool, HookMoment, Hooks } from '../hooks.js';
import { TOOLS } from './tools.js';

/** In seconds: longer than anything that is only told takes; an answer may take as long as the agent waits by itself. */
const [SOON, LATER] = [5, 600];

const ASKING = 'PermissionRequest';
const STARTING = 'PreToolUse';

/** Only what every version of the last year knows: an older one may refuse settings with a name that it does not know. */
const MOMENTS: Readonly<Record<string, HookMoment>> = {
  [ASKING]: 'ask',
  [STARTING]: 'tool-start',
  PostToolUse: 'tool-end',
  UserPromptSubmit: 'prompt',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  Stop: 'turn-end',
  Notification: 'notice',
};

/** Other programs call what they tell by the same names, and keep their conversations elsewhere. */
const CONVERSATION = /[\\/]projects[\\/][^\\/]+[\\/][0-9a-f-]{36}\.jsonl$/;

export const hooks: Hooks = {
  canAnswer: true,
  reachesRunning: true,
  // 2.1.325 says so when it starts, and nothing when the file changes under it.
  isPlain: true,
  settings: ['$CLAUDE_CONFIG_DIR/settings.json', '~/.claude/settings.json'],
  ...hookSettings({
    ...Object.fromEntries(Object.keys(MOMENTS).map((event) => [event, { mode: 'watch', timeout: SOON }])),
    [STARTING]: { mode: 'check', timeout: SOON },
    [ASKING]: { mode: 'ask', timeout: LATER },
  }),
  read,
};

function read(payload: unknown): HookCall | undefined {
  const told = object(payload);
  const event = string(told?.hook_event_name);
  const what = lookUp(MOMENTS, event);
  const sessionId = string(told?.session_id);
  if (!told || what === undefined || sessionId === undefined) return undefined;
  if (!CONVERSATION.test(string(told.transcript_path) ?? '')) return undefined;
  const asked = string(told.tool_name) === undefined ? undefined : askAbout(told);
  return defined<HookCall>({
    what,
    sessionId,
    transcript: string(told.transcript_path),
    cwd: string(told.cwd),
    part: string(told.agent_id),
    call: asked?.call,
    answer: what === 'ask' ? asked?.answer : undefined,
    deny: what === 'tool-start' ? deny : undefined,
  });
}

interface AskedHere {
  call: HookedTool;
  answer: HookCall['answer'];
}

function askAbout({ tool_name, tool_input, tool_use_id, permission_suggestions, cwd }: Json): AskedHere | undefined {
  const told = { subtype: 'can_use_tool', tool_name, input: tool_input, permission_suggestions };
  const { ask } = askFrom(told, createChronicle(TOOLS), TOOLS) ?? {};
  if (!ask) return undefined;
  const { kind } = ask.request;
  return {
    call: { toolId: string(tool_use_id), request: defined({ ...ask.request, directory: string(cwd) }) },
    // The end of planning cannot be allowed here (2.1.325 goes on asking), so that is left to its own dialog.
    answer: kind === 'plan' ? undefined : (decision) => asking(replyWithout(ask.reply(decision), decision)),
  };

  /** What was not changed is not sent back: the agent then uses what it has. */
  function replyWithout(reply: Json, { type, ...decision }: Parameters<NonNullable<HookCall['answer']>>[0]): Json {
    const { updatedInput, interrupt, ...rest } = reply;
    const isChanged = type === 'answer' || ('input' in decision && decision.input !== undefined);
    return { ...rest, ...(isChanged && { updatedInput }), ...(interrupt === true && { interrupt }) };
  }
}

function asking(decision: Json): Json {
  return { hookSpecificOutput: { hookEventName: ASKING, decision } };
}

function deny(reason: string): Json {
  const decided = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return { hookSpecificOutput: { hookEventName: STARTING, ...decided } };
}
