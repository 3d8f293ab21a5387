/** What a run is given reaches the agent, by its command line, a file or its handshake; or it is refused before the start. */
import { describe, expect, test } from 'vitest';
import { AGENTS, type Agent, type CapabilityName, type CommandRequest, PERMISSIONS } from '../../src/agent/index.js';
import { requestFor } from './drive.js';

const options: [option: string, capability: CapabilityName, request: Partial<CommandRequest>][] = [
  ['model', 'model', { model: 'm-1' }],
  ['addDirs', 'addDirs', { addDirs: ['/other'] }],
  ['allowedTools', 'allowedTools', { allowedTools: ['ToolA'] }],
  ['disallowedTools', 'allowedTools', { disallowedTools: ['read'] }],
  ['mcpConfig as JSON', 'mcpConfig', { mcpConfig: '{"mcpServers":{"one":{"command":"x","args":[]}}}' }],
  ['mcpConfig as a file', 'mcpConfig', { mcpConfig: '/servers.json' }],
  ['systemPrompt', 'systemPrompt', { systemPrompt: 'Be brief.' }],
  ['outputSchema', 'structuredOutput', { outputSchema: { type: 'object' } }],
  ['resume', 'resume', { resume: 'abc' }],
  ['resume latest', 'continueLast', { resume: 'latest' }],
  ['fork', 'fork', { resume: 'abc', fork: true }],
  ['sessionId', 'sessionId', { sessionId: '11111111-2222-4333-8444-555555555555' }],
  ['maxTurns', 'maxTurns', { maxTurns: 3 }],
];

/** Refused before the start; what they share with others would say it. */
const saidByOthers = ['opencode addDirs', 'kilo addDirs', 'droid resume latest'];

describe.each(AGENTS)('$name', (agent) => {
  test.each(options)(
    '%s is seen by the agent if it says that it can, and otherwise not',
    (option, capability, asked) => {
      if (saidByOthers.includes(`${agent.name} ${option}`)) return;
      const isTaken = Boolean(agent.capabilities[capability]);
      for (const mode of ['one-shot', 'conversation'] as const) {
        for (const permission of PERMISSIONS) {
          const given = requestFor({ prompt: 'go', mode, permission, ...asked });
          // Who may do everything needs no leave for a tool.
          if (agent.cannot?.(given) || (permission === 'bypass' && asked.allowedTools)) continue;
          const { fork: _, ...without } = given;
          const plain = asked.fork ? without : requestFor({ prompt: 'go', mode, permission });
          const isSame = visible(agent, given) === visible(agent, plain);
          expect({ mode, permission, isSame }).toEqual({ mode, permission, isSame: !isTaken });
        }
      }
    },
  );
});

test.each(AGENTS.filter(({ efforts }) => efforts))(
  '$name is told each effort that it knows, in every way it is started',
  (agent) => {
    for (const mode of ['one-shot', 'conversation'] as const)
      for (const permission of PERMISSIONS) {
        const seen = [undefined, ...(agent.efforts ?? [])].map((effort) =>
          visible(agent, requestFor({ prompt: 'go', mode, permission, ...(effort && { effort }) })),
        );
        expect(new Set(seen).size).toBe(seen.length);
      }
  },
);

test.each(AGENTS.filter(({ attachments }) => attachments))(
  '$name is given what is attached, in every way it is started with it',
  (agent) => {
    const file = { name: 'shot.png', mimeType: 'image/png', bytes: 9, data: 'QUJDREVGR0hJ' } as const;
    const mode = agent.capabilities.followUp === false ? 'one-shot' : 'conversation';
    for (const permission of PERMISSIONS)
      expect(visible(agent, requestFor({ prompt: 'go', mode, permission, attachments: [file] }))).toContain(file.data);
  },
);

/** Everything that the agent gets to see: how it is started, and what it is told when it answers kindly. */
function visible(agent: Agent, request: CommandRequest): string {
  const command = agent.command(request);
  const protocol = agent.createProtocol(request);
  const told: string[] = [];
  let { send } = protocol.start();
  for (let round = 0; send.length > 0 && round < 8; round += 1) {
    told.push(...send);
    send = send.flatMap((line) => protocol.receive(answerTo(JSON.parse(line)), 100).send);
  }
  return JSON.stringify({ command, told });
}

/** Of an agent that can do everything. */
const answers: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true },
      sessionCapabilities: { list: {}, fork: {}, resume: {} },
    },
  },
  'session/list': { sessions: [{ sessionId: 'abc', cwd: '/repo', updatedAt: '2026-01-01T00:00:00Z' }] },
  'thread/list': { data: [{ id: 'abc', cwd: '/repo' }] },
};
const opened = { sessionId: 'abc', thread: { id: 'abc' }, models: { currentModelId: 'm-0' } };

function answerTo({ id, method = '', request_id }: { id?: unknown; method?: string; request_id?: unknown }): unknown {
  if (request_id !== undefined) return { type: 'control_response', response: { subtype: 'success', request_id } };
  return { jsonrpc: '2.0', id, result: answers[method] ?? opened, type: 'response', success: true };
}
