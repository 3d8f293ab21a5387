/** `exec --json` and `app-server` say the same in two spellings; the answer of a turn is the last message of the main thread. */
import { count, inside, isObject, joined, list, noFacts, objects, todo, type WireFacts } from './facts.js';

export function readCodex(values: readonly unknown[]): WireFacts {
  const facts = {
    ...noFacts(),
    outcomes: [] as string[],
    thoughts: [] as string[],
    inputs: [] as [string, unknown][],
    denied: [] as string[],
    errors: [] as string[],
    limits: [] as string[],
    tasks: [] as string[],
    taskEnds: [] as string[],
    asks: [] as string[],
    decisions: [] as string[],
  };
  /** The question about each item. */
  const asked = new Map<string, string>();
  /** The last call of each MCP server. */
  const running = new Map<unknown, string>();
  const exits: string[] = [];
  const files: string[] = [];
  let session: unknown;
  let retries = 0;
  let todos: string[] = [];
  let mainThread: unknown;
  let answer: string | undefined;
  for (const line of values.filter(isObject)) {
    const params = isObject(line.params) ? line.params : line;
    const item = inside(params.item);
    const event = String(line.method ?? line.type).replace('/', '.');
    const kind = String(item.type).replaceAll('_', '').toLowerCase();
    mainThread ??= params.threadId;
    const isMain = params.threadId === mainThread;
    if (event === 'turn.started' && isMain) answer = undefined;
    if (event === 'item.completed' && kind === 'agentmessage' && item.text !== '') {
      facts.texts.push(String(item.text));
      if (isMain) answer = String(item.text);
    }
    if (event === 'item.completed' && kind === 'reasoning')
      facts.thoughts.push(
        ...[item.text ?? '', ...list(item.summary), ...list(item.content)].map(String).filter(Boolean),
      );
    if (event === 'item.started' && /^(commandexecution|mcptoolcall)$/.test(kind)) facts.toolIds.push(String(item.id));
    if (event === 'item.started' && kind === 'mcptoolcall') facts.inputs.push([String(item.id), item.arguments]);
    if (event === 'item.completed' && kind === 'mcptoolcall' && joined(inside(item.result).content) !== '')
      facts.outputs.push([String(item.id), joined(inside(item.result).content)]);
    const output = item.aggregated_output ?? item.aggregatedOutput;
    const exit = item.exit_code ?? item.exitCode;
    if (event === 'item.completed' && typeof exit === 'number') exits.push(`${item.id} ${exit}`);
    if (event === 'item.completed' && kind === 'filechange' && item.status === 'completed')
      files.push(...objects(item.changes).map(({ path }) => String(path)));
    if (isMain) session = line.thread_id ?? params.threadId ?? session;
    if (event === 'item.completed' && typeof output === 'string') facts.outputs.push([String(item.id), output]);
    if (event === 'item.completed' && /^(failed|declined)$/.test(String(item.status)))
      facts.failed.push(String(item.id));
    if (event === 'item.started' && kind === 'mcptoolcall') running.set(item.server, String(item.id));
    if (inside(params._meta).codex_approval_kind === 'mcp_tool_call')
      asked.set(running.get(params.serverName) ?? '', String(line.id));
    const isRefused = item.status === 'declined' || inside(item.error).message === 'user rejected MCP tool call';
    if (event === 'item.completed' && isRefused) facts.denied.push(String(item.id));
    const question = asked.get(String(item.id));
    if (event === 'item.completed' && question !== undefined && isRefused) facts.decisions.push(`${question} deny`);
    if (event === 'item.completed' && question !== undefined && item.status === 'completed')
      facts.decisions.push(`${question} allow`);
    if (event === 'item.completed' && kind === 'commandexecution' && (item.exit_code ?? item.exitCode) === 0)
      facts.fine.push(String(item.id));
    if (/^item\.(started|updated|completed)$/.test(event) && kind === 'todolist')
      todos = objects(item.items).map(({ text, completed }) => todo(text, completed));
    if (line.method === 'turn/plan/updated') todos = objects(params.plan).map(({ step, status }) => todo(step, status));
    if (event === 'error' && (params.willRetry === true || /^Reconnecting/.test(String(line.message)))) retries += 1;
    if (event === 'item.completed' && kind.startsWith('collab') && /^spawn_?agent$/i.test(String(item.tool)))
      facts.tasks.push(...list(item.receiver_thread_ids ?? item.receiverThreadIds).map(String));
    if ('id' in line && /requestApproval|elicitation\/request|requestUserInput/.test(String(line.method)))
      facts.asks.push(String(line.id));
    if ('id' in line && /requestApproval/.test(String(line.method))) asked.set(String(params.itemId), String(line.id));
    const fault = inside(params.error ?? inside(params.turn).error);
    if (event === 'turn.failed' || (event === 'turn.completed' && inside(params.turn).status === 'failed'))
      facts.errors.push(String(fault.message));
    for (const [id, { status }] of Object.entries(inside(item.agents_states ?? item.agentsStates)).map(
      ([id, state]) => [id, inside(state)] as const,
    ))
      if (event === 'item.completed' && status === 'completed') facts.taskEnds.push(`${id} ok`);
    for (const window of [inside(params.rateLimits).primary, inside(params.rateLimits).secondary].filter(isObject))
      facts.limits.push(
        `${window.windowDurationMins === 300 ? 'five_hour' : 'seven_day'} ${count(window.usedPercent) / 100}`,
      );
    if (/^turn\.(completed|failed)$/.test(event) && isMain) {
      const status = inside(params.turn).status ?? event.slice('turn.'.length);
      const isCut = status === 'interrupted';
      facts.outcomes.push(status === 'completed' ? 'success' : String(status));
      facts.turns.push(answer === undefined || isCut ? {} : { text: answer });
    }
  }
  const [done] = values.filter(isObject).filter(({ type }) => type === 'turn.completed');
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_input_tokens } = inside(done?.usage);
  const [cacheRead, cacheWrite] = [count(cached_input_tokens), count(cache_write_input_tokens)];
  const tokens = {
    input: count(input_tokens) - cacheRead - cacheWrite,
    output: count(output_tokens),
    cacheRead,
    cacheWrite,
  };
  return {
    ...facts,
    exits,
    files,
    ...(typeof session === 'string' && { session }),
    retries,
    todos,
    ...(done && { tokens }),
  };
}
