/** The half of a protocol that every agent with Claude-like lines has in common: lines go to the reader of their type, actions become lines. */
import type { Action } from '../action.js';
import type { Protocol, Step } from '../agent.js';
import type { Said } from '../attachment.js';
import type { Chronicle } from '../chronicle/chronicle.js';
import type { CommandRequest } from '../command.js';
import { type Json, lookUp, object, string } from '../field.js';
import { createRecent } from '../recent.js';
import type { ToolTable } from '../tool-table.js';
import { askFrom } from './ask.js';
import { spokenContent } from './content.js';

export type LineReaders = Readonly<Record<string, (line: Json, bytes: number) => void>>;

export interface Conversation extends Protocol {
  /** The next new session id comes from a cleared conversation. */
  clear(): void;
}

export function converse(
  chronicle: Chronicle,
  request: Partial<CommandRequest>,
  tools: ToolTable,
  readers: LineReaders,
): Conversation {
  const spoken = createRecent(512);
  const resumed = request.resume === 'latest' ? undefined : request.resume;
  const usually = request.fork ? 'fork' : request.resume === undefined ? 'unknown' : 'resume';
  let reason: 'resume' | 'fork' | 'clear' | 'unknown' = usually;
  let lines: string[] = [];
  let requests = 0;

  const step = (): Step => {
    const send = lines;
    lines = [];
    return { events: chronicle.take(), send };
  };

  const all: LineReaders = {
    control_request: readRequest,
    control_cancel_request: (line) => chronicle.withdraw(string(line.request_id) ?? '', 'agent'),
    ...readers,
  };

  /** What has no reader passes as unknown, and an assistant line that comes again says nothing twice. */
  function read(value: unknown, bytes: number): void {
    const line = object(value);
    const type = string(line?.type);
    const reader = lookUp(all, type);
    if (!line || !reader) {
      const wireSubtype = string(line?.subtype);
      chronicle.write({ type: 'unknown', wireType: type ?? typeof value, wireSubtype, bytes });
      return;
    }
    if (chronicle.learnSessionId(string(line.session_id) ?? string(line.sessionId), reason, resumed)) reason = usually;
    const uuid = type === 'assistant' ? string(line.uuid) : undefined;
    if (uuid !== undefined) {
      if (spoken.has(uuid)) return;
      spoken.add(uuid);
    }
    reader(line, bytes);
  }

  function readRequest(line: Json, bytes: number): void {
    const id = string(line.request_id);
    if (id === undefined) return;
    const body = object(line.request) ?? {};
    const subtype = string(body.subtype);
    const asked = askFrom(body, chronicle, tools);
    if (asked) {
      chronicle.ask(
        id,
        asked.ask,
        (response) => respond({ subtype: 'success', request_id: id, response }),
        asked.parent,
      );
      return;
    }
    // For MCP servers that live in the host; glassbox is none.
    if (subtype === 'mcp_message')
      chronicle.write({ type: 'status', code: 'mcp-message', text: string(body.server_name) });
    else chronicle.write({ type: 'unknown', wireType: 'control_request', wireSubtype: subtype, bytes });
    const error = `glassbox cannot answer control requests of subtype ${subtype ?? 'none'}`;
    respond({ subtype: 'error', request_id: id, error });
  }

  const print = (line: Json): void => void lines.push(JSON.stringify(line));

  const respond = (response: Json): void => print({ type: 'control_response', response });

  function control(subtype: string, body: Json = {}): void {
    requests += 1;
    print({ type: 'control_request', request_id: `glassbox-${requests}`, request: { subtype, ...body } });
  }

  function say(said: Said, isTyped: boolean): void {
    chronicle.say(said);
    if (isTyped)
      print({
        type: 'user',
        message: { role: 'user', content: spokenContent(said) },
        parent_tool_use_id: null,
        session_id: '',
      });
  }

  function act(action: Action): void {
    if (action.type === 'say') say(action, true);
    else if (action.type === 'interrupt') control('interrupt');
    else if (action.type === 'set-permission') control('set_permission_mode', { mode: action.mode });
    else if (action.type === 'set-model') control('set_model', { model: action.model });
    else chronicle.decide(action);
  }

  return {
    start() {
      const isConversation = request.mode === 'conversation';
      if (isConversation) control('initialize');
      const { prompt, attachments } = request;
      if (prompt !== undefined) say({ text: prompt, attachments }, isConversation);
      return step();
    },
    receive(value, bytes) {
      // `--output-format json` with all messages prints the whole stream as one list; no list is in a list.
      if (Array.isArray(value)) for (const item of value) read(item, bytes);
      else read(value, bytes);
      return step();
    },
    act(action) {
      if (request.mode === 'one-shot') return 'unsupported';
      act(action);
      return step();
    },
    end() {
      chronicle.end();
      return step();
    },
    idle: () => !chronicle.inTurn && !chronicle.isWaiting() && chronicle.backgroundTasks().length === 0,
    clear() {
      reason = 'clear';
    },
  };
}
