// Parrot behind the contract of an agent. What it does is told to a chronicle, which keeps the promises: what starts ends once, what is
// asked is settled once, and the end of the stream leaves nothing open.
import {
  BIN_DIRS,
  BY_SIGNAL,
  createChronicle,
  faultOf,
  members,
  NO_CAPABILITIES,
  number,
  running,
  string,
  surest,
  toolTable,
  valued,
  writing,
} from 'glassbox/agent';

/** By what a tool touches, rules decide and people read: `{ decision: 'deny', command: 'rm *' }` holds for parrot too. */
const TOOLS = toolTable({
  kinds: { execute: ['shell'], edit: ['write'] },
  summary: { command: ['line'], path: ['file'] },
  targets: { shell: running('line'), write: writing('file', 'text') },
});

/** @type {import('glassbox/agent').Agent} */
export const parrot = {
  name: 'parrot',
  title: 'Parrot',
  kind: 'parrot',
  program: {
    names: ['parrot'],
    install: 'npm install --global parrot',
    searchDirs: BIN_DIRS,
    versionArgs: ['--version'],
    dropEnv: [],
    reservedFlags: ['--json', '--model'],
  },
  capabilities: { ...NO_CAPABILITIES, deltas: true, approvals: true, model: true, cost: true, usage: true },
  outputFlags: ['--json'],
  detect: surest((line) => (/^parrot /.test(string(members(line).hello) ?? '') ? 1 : 0)),
  command: ({ model, extraArgs = [] }) => ({
    program: 'parrot',
    args: ['--json', ...valued('--model', model), ...extraArgs],
    // The task is a line too, so that it can be neither a flag nor too long.
    stdin: { kind: 'lines' },
    ending: BY_SIGNAL,
  }),
  createProtocol,
};

/** @returns {import('glassbox/agent').Protocol} */
function createProtocol({ prompt } = {}) {
  const chronicle = createChronicle(TOOLS);
  let messages = 0;
  let message;
  let answer;
  let toSend = [];
  const send = (line) => toSend.push(JSON.stringify(line));

  function speak() {
    if (!message) messages += 1;
    message ??= `message-${messages}`;
    return message;
  }

  /** The first field of a line says what it is about. */
  const lines = {
    hello: ({ hello, session, model }) =>
      chronicle.startSession(string(session), { agentVersion: string(hello)?.split(' ')[1], model: string(model) }),
    task({ task }) {
      chronicle.startTurn();
      chronicle.write({ type: 'user-message', text: string(task) ?? '' });
    },
    word({ word }) {
      chronicle.startTurn();
      chronicle.addText('text', speak(), 0, string(word) ?? '');
    },
    said({ said }) {
      chronicle.startTurn();
      answer = string(said) ?? '';
      chronicle.endText('text', speak(), 0, answer);
      chronicle.endMessage(speak());
      message = undefined;
    },
    call({ call, tool, args }) {
      chronicle.startTurn();
      chronicle.startTool(string(call) ?? '', { name: string(tool) ?? 'tool' });
      chronicle.inputTool(string(call) ?? '', args);
    },
    ask({ ask, call }) {
      const id = string(ask) ?? '';
      const tool = chronicle.tool(string(call) ?? '');
      if (!tool) return;
      const { name: toolName, kind: toolKind, id: toolId, input } = tool;
      const summary = TOOLS.summary(toolName, input);
      chronicle.ask(
        id,
        {
          request: { kind: 'tool', toolId, toolName, toolKind, input, summary, ...TOOLS.targets(toolName, input) },
          reply: ({ type }) => ({ answer: id, allow: type === 'approve' }),
          cancelled: { answer: id, allow: false },
        },
        send,
      );
    },
    returned({ returned, exit, output }) {
      const exitCode = number(exit);
      const status = exitCode === undefined || exitCode === 0 ? 'ok' : 'failed';
      chronicle.endTool(string(returned) ?? '', { status, exitCode, output: string(output) });
    },
    refused: ({ refused }) => chronicle.endTool(string(refused) ?? '', { status: 'denied' }),
    finished({ tokens, usd }) {
      const { in: inputTokens, out: outputTokens } = members(tokens);
      chronicle.endTurn({
        outcome: 'success',
        text: answer,
        usage: { inputTokens: number(inputTokens), outputTokens: number(outputTokens) },
        ...(number(usd) !== undefined && { cost: { usd: number(usd), scope: 'turn', origin: 'reported' } }),
      });
    },
    failed: ({ failed }) =>
      chronicle.endTurn({ outcome: 'failed', error: faultOf(string(failed) ?? 'Parrot failed.') }),
  };

  const step = () => {
    const sent = toSend;
    toSend = [];
    return { events: chronicle.take(), send: sent };
  };

  return {
    start() {
      if (prompt !== undefined) send({ task: prompt });
      return step();
    },
    receive(value, bytes) {
      const line = members(value);
      const name = Object.keys(line)[0];
      if (name !== undefined && Object.hasOwn(lines, name)) lines[name](line);
      else chronicle.write({ type: 'unknown', wireType: name ?? typeof value, bytes });
      return step();
    },
    act(action) {
      if (action.type !== 'approve' && action.type !== 'deny') return 'unsupported';
      chronicle.decide(action);
      return step();
    },
    end() {
      chronicle.end();
      return step();
    },
    idle: () => !chronicle.inTurn,
  };
}
