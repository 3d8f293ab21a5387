/** Claude Code, and those who print lines like its own. */
import {
  count,
  exitsIn,
  inside,
  isObject,
  joined,
  type Line,
  lastOf,
  list,
  modelLine,
  objects,
  todo,
  total,
  unpacked,
  type WireFacts,
} from './facts.js';

export function readClaude(values: readonly unknown[]): WireFacts {
  // `--output-format json --verbose` prints the same objects as one array.
  const lines = values.flat().filter(isObject);
  const takenBack = new Set(lines.flatMap((line) => [...list(line.supersedes), ...list(line.retracted_message_uuids)]));
  const results = lines.filter(({ type }) => type === 'result');
  const blocks = lines
    .filter(({ type, uuid, aborted }) => type === 'assistant' && !takenBack.has(uuid) && aborted !== true)
    .flatMap(contentOf);
  const answers = lines.filter(({ type }) => type === 'user').flatMap(contentOf);
  const ended = answers.filter(({ type }) => type === 'tool_result');
  const system = (subtype: string) => lines.filter((line) => line.type === 'system' && line.subtype === subtype);
  const calls = blocks.filter(({ type, name }) => type === 'tool_use' && !notCards.has(String(name)));
  const failed = idsOf(ended.filter(({ is_error }) => is_error === true));
  const refused = results.flatMap((line) => objects(line.permission_denials)).map(({ tool_use_id: id }) => String(id));
  const withdrawn = lines.filter(({ type }) => type === 'control_cancel_request').map(({ request_id: id }) => id);
  const asks = asksIn(lines);
  const dropped = asks.filter(({ request_id: id }) => withdrawn.includes(id)).map(({ request }) => inside(request));
  return {
    turns: results.map(({ result, total_cost_usd: usd }) => ({
      ...(typeof result === 'string' && { text: result }),
      ...(typeof usd === 'number' && { usd }),
    })),
    outcomes: results.map((line) => outcomeOf(line, lines)),
    texts: blocks.flatMap(({ type, text }) =>
      type === 'text' && typeof text === 'string' && text !== '' ? [text] : [],
    ),
    thoughts: blocks.flatMap(({ type, thinking }) =>
      type === 'thinking' && typeof thinking === 'string' && thinking !== '' ? [thinking] : [],
    ),
    toolIds: calls.map(({ id }) => String(id)),
    inputs: calls.map(({ id, input }) => [String(id), input]),
    outputs: ended.flatMap(({ tool_use_id: id, content }): [string, string][] =>
      typeof content === 'string' ? [[String(id), content.replace(FRAME, '$1')]] : [],
    ),
    exits: exitsIn(
      ended
        .filter(({ is_error }) => is_error === true)
        .map(({ tool_use_id: id, content }) => [String(id), String(content)]),
      /^Exit code (\d+)(?:\n|$)/,
    ),
    failed,
    fine: idsOf(ended.filter(({ is_error }) => is_error !== true)),
    files: calls.flatMap(({ id, name, input }) => {
      const { file_path: path } = inside(input);
      const isGood = ended.some((end) => end.tool_use_id === id && end.is_error !== true);
      return isGood && EDITS.test(String(name)) && typeof path === 'string' ? [path] : [];
    }),
    ...lastOf(lines, 'session_id'),
    denied: refused.filter((id) => failed.includes(id) && !dropped.some(({ tool_use_id }) => tool_use_id === id)),
    tokens: total(
      results.map(({ usage }) => usage),
      USAGE,
    ),
    ...modelsOf(results.at(-1)?.modelUsage),
    errors: results
      .filter((line) => outcomeOf(line, lines) !== 'interrupted')
      .flatMap(({ errors }) => list(errors).map(String)),
    retries:
      system('api_retry').length +
      system('control_request_progress').filter(({ status }) => status === 'api_retry').length +
      lines.filter(({ subagent_retry: retry }) => isObject(retry)).length,
    limits: lines
      .filter(({ type }) => type === 'rate_limit_event')
      .flatMap((line) =>
        Object.entries(inside(inside(line.rate_limit_info).unifiedWindows)).map(
          ([name, window]) => `${name} ${inside(window).utilization}`,
        ),
      ),
    tasks: system('task_started').map(({ task_id: id, data }) => String(id ?? inside(data).task_id)),
    taskEnds: system('task_notification').map(
      ({ task_id: id, status, data }) =>
        `${id ?? inside(data).task_id} ${TASK_ENDS[String(status ?? inside(data).status)] ?? 'unknown'}`,
    ),
    hooks: system('hook_started').map(({ hook_id: id }) => String(id)),
    hookEnds: system('hook_response')
      .filter(({ hook_id: id, outcome }) => id !== undefined && outcome !== undefined)
      .map(({ hook_id: id, outcome }) => `${id} ${HOOK_ENDS[String(outcome)] ?? outcome}`),
    asks: asks.map(({ request_id: id }) => String(id)),
    decisions: asks.flatMap(({ request_id: id, request }) => {
      const { subtype, tool_name: tool, tool_use_id: call } = inside(request);
      const end = ended.find(({ tool_use_id }) => tool_use_id === call && call !== undefined);
      if (!end || subtype !== 'can_use_tool' || withdrawn.includes(id) || notCards.has(String(tool))) return [];
      if (refused.includes(String(call))) return [`${id} deny`];
      return end.is_error === true ? [] : [`${id} allow`];
    }),
    ...lastTodos(blocks, ended),
  };
}

/** The result has no sums; money is not told, and what a tool's result says is JSON in a text. */
export function readAmp(values: readonly unknown[]): WireFacts {
  const { retries: _retries, hooks: _hooks, limits: _limits, asks: _asks, ...facts } = readClaude(values);
  const lines = values.filter(isObject);
  const said = lines.filter(({ type, parent_tool_use_id: parent }) => type === 'assistant' && !parent);
  const results = facts.outputs.map(([id, text]) => ({ id, text, data: unpacked(text) }));
  const rejected = results.filter(({ text }) => /^Tool rejected by plugin:/.test(text)).map(({ id }) => id);
  const bad = [...results.filter(({ data }) => count(inside(data).exitCode) !== 0).map(({ id }) => id), ...rejected];
  return {
    ...facts,
    files: [...(facts.inputs ?? [])].flatMap(([id, input]) => {
      const { path, file } = inside(input);
      const isEdit = lines
        .flatMap(contentOf)
        .some((block) => block.id === id && /^(create|edit)_file$/.test(String(block.name)));
      return isEdit && facts.fine.includes(id) && !bad.includes(id) ? [String(path ?? file)] : [];
    }),
    outcomes: values
      .filter(isObject)
      .filter(({ type }) => type === 'result')
      .map(({ is_error, error }) =>
        is_error !== true ? 'success' : /^User cancelled/.test(String(error)) ? 'interrupted' : 'failed',
      ),
    outputs: results.flatMap(({ id, text, data }): [string, string][] => {
      if (data === undefined) return [[id, text]];
      const { output, content } = inside(data);
      const words = Array.isArray(data) ? joined(data) : (output ?? content);
      return typeof words === 'string' ? [[id, words]] : [];
    }),
    exits: results.flatMap(({ id, data }) => {
      const { exitCode } = inside(data);
      return typeof exitCode === 'number' ? [`${id} ${exitCode}`] : [];
    }),
    failed: [...facts.failed, ...bad],
    fine: facts.fine.filter((id) => !bad.includes(id)),
    denied: rejected,
    onlyLast: true,
    errors: lines.flatMap(({ type, error }) =>
      type === 'result' && typeof error === 'string' && !/^User cancelled/.test(error) ? [error] : [],
    ),
    tokens: total(
      said.map(({ message }) => inside(message).usage),
      USAGE,
    ),
  };
}

/** The usage of each result counts from the start of the process. */
export function readQwen(values: readonly unknown[]): WireFacts {
  const { hooks: _, tokens: _tokens, ...facts } = readClaude(values);
  const lines = values.flat().filter(isObject);
  const results = lines.filter(({ type }) => type === 'result');
  const retries = lines.filter(({ type, subtype }) => type === 'system' && subtype === 'retry').length;
  const last = results
    .map(({ usage }) => inside(usage))
    .reduce((most, usage) => (count(usage.output_tokens) >= count(most.output_tokens) ? usage : most), {});
  const cacheRead = count(last.cache_read_input_tokens);
  const refused = facts.outputs.filter(([, text]) => /^\[Operation Cancelled\] Reason: /.test(text)).map(([id]) => id);
  const refusals = asksIn(lines).filter(({ request }) => refused.includes(String(inside(request).tool_use_id)));
  return {
    ...facts,
    exits: exitsIn(facts.outputs, /^Exit Code: (\d+)$/m),
    retries,
    decisions: [...(facts.decisions ?? []), ...refusals.map(({ request_id: id }) => `${id} deny`)],
    outcomes: (facts.outcomes ?? []).map((outcome, turn) =>
      inside(results[turn]?.error).message === 'Operation cancelled.' ? 'interrupted' : outcome,
    ),
    errors: results.flatMap(({ error }) => {
      const { message } = inside(error);
      return typeof message === 'string' && message !== 'Operation cancelled.' ? [message] : [];
    }),
    tokens: { input: count(last.input_tokens) - cacheRead, output: count(last.output_tokens), cacheRead },
  };
}

/** Who was interrupted says so to the model just before. */
function outcomeOf(result: Line, lines: readonly Line[]): string {
  const { subtype, is_error } = result;
  const words = lines
    .slice(0, lines.indexOf(result))
    .filter(({ type }) => type === 'user')
    .flatMap(contentOf)
    .at(-1)?.text;
  if (subtype === 'success') return is_error === true ? 'failed' : 'success';
  if (subtype === 'error_during_execution' && /^\[Request interrupted by user/.test(String(words)))
    return 'interrupted';
  return OUTCOMES[String(subtype)] ?? 'failed';
}

function modelsOf(usage: unknown): { models?: string[] } {
  if (!isObject(usage)) return {};
  return {
    models: Object.entries(usage).map(([model, used]) =>
      modelLine(model, inside(used).outputTokens, inside(used).costUSD),
    ),
  };
}

function asksIn(lines: readonly Line[]): Line[] {
  return lines.filter(({ type, request }) => type === 'control_request' && ASKS.test(String(inside(request).subtype)));
}

/** Until 2.0 a tool writes the whole list; from 2.1 on each call makes or changes one entry, and another one reads the list. */
function lastTodos(blocks: readonly Line[], ended: readonly Line[]): { todos?: string[] } {
  const failed = idsOf(ended.filter(({ is_error }) => is_error === true));
  const listed = blocks.findLast(({ name }) => /^Task(Create|Update|List)$/.test(String(name)));
  const rows = ended.find(({ tool_use_id: id }) => id === listed?.id)?.content;
  if (listed?.name === 'TaskList')
    return {
      todos: [...String(rows).matchAll(/^#\d+ \[(\w+)\] (.*)$/gm)].map(([, status, text]) => todo(text, status)),
    };
  const last = blocks.findLast(({ name, id }) => /^todo_?write$/i.test(String(name)) && !failed.includes(String(id)));
  return last ? { todos: objects(inside(last.input).todos).map(({ content, status }) => todo(content, status)) } : {};
}

const EDITS = /^(Write|Edit|MultiEdit|write_file|edit)$/;

const ASKS = /^(can_use_tool|elicitation|hook_callback)$/;

const OUTCOMES: Record<string, string> = {
  error_max_turns: 'max-turns',
  error_max_budget_usd: 'over-budget',
};

const TASK_ENDS: Record<string, string> = { completed: 'ok', failed: 'failed', stopped: 'stopped', killed: 'stopped' };

const HOOK_ENDS: Record<string, string> = { success: 'ok', error: 'failed', cancelled: 'cancelled' };

const USAGE = {
  input: 'input_tokens',
  output: 'output_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
};

/** Put around some failures for the model. */
const FRAME = /^<tool_use_error>(.*)<\/tool_use_error>$/s;

const contentOf = ({ message }: Line): Line[] => objects(inside(message).content);

const idsOf = (results: readonly Line[]): string[] => results.map(({ tool_use_id: id }) => String(id));

/** Plan mode and questions are shown as what they are, not as tool cards. */
const notCards = new Set(['EnterPlanMode', 'ExitPlanMode', 'AskUserQuestion']);
