/** What a stream shows of answers that somebody else gave: never more than is there, and never the contrary of what was answered. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { members } from '../../src/agent/field.js';
import { AGENTS } from '../../src/agent/index.js';
import { createDecoder } from '../../src/decode/index.js';
import type { EventOf } from '../../src/event/index.js';
import { allRecordings, ownRecordings, type Recording } from '../support/recordings.js';

type Decision = EventOf<'approval-resolve'>['decision'];

function resolvesOf({ agent, stdout }: Recording): EventOf<'approval-resolve'>[] {
  const decoder = createDecoder(agent);
  return [...decoder.push(stdout), ...decoder.end()].filter((event) => event.type === 'approval-resolve');
}

/** What the recorded host said, by the id of the question. */
function answersIn(file: string): Map<string, 'yes' | 'no'> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const said = lines.map((line) => members(JSON.parse(line))).filter(({ dir }) => dir === 'in' || dir === 'c2s');
  return new Map(
    said.flatMap(({ line, msg }) => {
      const message = members(line ?? msg);
      const { response, id, result, error, type } = message;
      if (type === 'control_response') {
        const { request_id, subtype, response: body } = members(response);
        return subtype === 'error'
          ? [[String(request_id), 'no']]
          : [[String(request_id), isYes(members(body)) ? 'yes' : 'no']];
      }
      if (type === 'extension_ui_response') return [[String(id), isYes(message) ? 'yes' : 'no']];
      if (message.method !== undefined || id === undefined) return [];
      return [[String(id), error === undefined && isYes(members(result)) ? 'yes' : 'no']];
    }),
  );
}

function isYes({
  behavior,
  action,
  decision,
  outcome,
  selectedOption,
  answers,
  confirmed,
  value,
}: Record<string, unknown>): boolean {
  const { optionId, outcome: word } = members(outcome);
  const words = [behavior, action, decision, word === 'selected' ? optionId : word, selectedOption];
  const isNo = words.some((one) => /^(deny|decline|cancel|cancelled|reject.*|no)$/.test(String(one)));
  if (isNo || confirmed === false) return false;
  return answers !== undefined || confirmed === true || value !== undefined || words.some((one) => one !== undefined);
}

const known = new Set(AGENTS.map(({ name }) => name));
const answered = allRecordings().filter(({ agent, conversation }) => known.has(agent) && conversation !== undefined);

describe.each(answered)('$name', (recording) => {
  it('says nothing that contradicts its host, nor that a person decided', () => {
    const answers = answersIn(recording.conversation ?? '');
    for (const { id, decision, by } of resolvesOf(recording)) {
      expect(by).not.toBe('person');
      const answer = answers.get(id);
      if (decision === 'unknown' || answer === undefined) continue;
      expect({ id, yes: decision !== 'deny' }).toEqual({ id, yes: answer === 'yes' });
    }
  });
});

test.each<[name: string, decisions: Decision[]]>([
  ['claude/v2.1.225-asks-parallel-mixed', ['allow', 'deny', 'allow']],
  ['claude/v2.1.225-plan-rejected-then-revised', ['deny', 'allow']],
  ['claude/ask-deny-interrupt-go-on', ['deny']],
  ['claude/elicitation-declined-then-cancelled', ['unknown', 'unknown']],
  ['claude/v2.1.128-elicitation-declined-then-cancelled', ['unknown', 'unknown']],
  ['claude/questions-two-multi', ['answer']],
  ['claude/stdio-allow', ['allow']],
  ['claude/v2.0.1-stdio-deny', ['deny']],
  ['claude/v1.0.128-stdio-allow', ['allow']],
  ['codex-app-server/approval-command-cancel', ['deny']],
  ['codex-app-server/approval-file-decline', ['deny']],
  ['codex-app-server/mcp-tool-approval', ['allow']],
  ['droid/jsonrpc-deny', ['deny']],
  ['opencode-acp/permission-allow', ['allow']],
  ['opencode-acp/permission-reject', ['deny']],
])('%s tells %j', (name, decisions) => {
  const recording = ownRecordings().find((one) => one.name === name);
  expect(recording && resolvesOf(recording).map(({ decision }) => decision)).toEqual(decisions);
});

test('the answers to questions are those of the stream', () => {
  const recording = ownRecordings().find(({ name }) => name === 'claude/questions-two-multi');
  expect(recording && resolvesOf(recording)).toMatchObject([
    { decision: 'answer', by: 'unknown', answers: { 'Welche Farbe?': 'Blau', 'Which fruits?': 'Apple, Fig' } },
  ]);
});
