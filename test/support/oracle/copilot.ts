/** The stream has no tokens but those of sub-agents. `success` only means that a tool could run. */
import { count, inside, isObject, noFacts, objects, todo, type WireFacts } from './facts.js';

export function readCopilot(values: readonly unknown[]): WireFacts {
  const facts = {
    ...noFacts(),
    outcomes: [] as string[],
    thoughts: [] as string[],
    inputs: [] as [string, unknown][],
    denied: [] as string[],
    exits: [] as string[],
    files: [] as string[],
    errors: [] as string[],
    tasks: [] as string[],
    taskEnds: [] as string[],
  };
  const queries = new Map<unknown, unknown>();
  let todos: string[] = [];
  let session: string | undefined;
  let retries = 0;
  let answer: string | undefined;
  let isCut = false;
  for (const { type, data: news, agentId, exitCode: code, sessionId } of values.filter(isObject)) {
    const data = inside(news);
    const id = String(data.toolCallId);
    if (type === 'assistant.message' && data.reasoningText) facts.thoughts.push(String(data.reasoningText));
    if (type === 'assistant.message' && data.content) {
      facts.texts.push(String(data.content));
      if (agentId === undefined) answer = String(data.content);
    }
    if (type === 'tool.execution_start') {
      facts.toolIds.push(id);
      facts.inputs.push([id, data.arguments]);
      if (data.toolName === 'sql') queries.set(id, inside(data.arguments).query);
    }
    if (type === 'tool.execution_complete') {
      const { content } = inside(data.result);
      const fault = inside(data.error);
      const { exitCode } = inside(data.shellExecution);
      const isBad = data.success === false || count(exitCode) !== 0;
      (isBad ? facts.failed : facts.fine).push(id);
      if (typeof exitCode === 'number') facts.exits.push(`${id} ${exitCode}`);
      if (data.success === true) facts.files.push(...objects(data.fileEdits).map(({ path }) => String(path)));
      if (fault.code === 'denied') facts.denied.push(id);
      facts.outputs.push([id, String(content ?? fault.message).replace(SHELL_NOTE, '')]);
      if (/^select id, title, status from todos$/i.test(String(queries.get(id))))
        todos = [...String(content).matchAll(TODO_ROW)].map(([, title, status]) => todo(title, status));
    }
    if (type === 'session.error') facts.errors.push(String(data.message));
    if (type === 'assistant.turn_retry') retries += 1;
    if (type === 'subagent.started') facts.tasks.push(String(agentId ?? data.agentId ?? id));
    if (type === 'subagent.completed') facts.taskEnds.push(`${agentId ?? id} ok`);
    if (type === 'abort') isCut = true;
    if (type !== 'result') continue;
    session = String(sessionId);
    facts.turns.push(answer === undefined || isCut ? {} : { text: answer });
    facts.outcomes.push(isCut ? 'interrupted' : code === 0 && facts.errors.length === 0 ? 'success' : 'failed');
  }
  return { ...facts, ...(session !== undefined && { session }), retries, onlyLast: true, todos };
}

/** For the model. */
const SHELL_NOTE = /\n?<shellId: \S+ completed with exit code -?\d+>$/;

const TODO_ROW = /^\| (?!id |---)[^|]+ \| ([^|]+) \| ([^|]+) \|$/gm;
