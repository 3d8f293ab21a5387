/** No word of what agents really asked for is lost: every value of an input stands somewhere in the question, a command without its shell. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ApprovalRequest, consentFor, type Part } from '../../src/consent/index.js';
import { ownRecordings } from '../support/recordings.js';

const asked = ownRecordings().flatMap(({ name, folder }) =>
  readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"approval-request"'))
    .map((line): [string, ApprovalRequest] => [name, JSON.parse(line)])
    .filter(([, { kind }]) => kind === 'tool' || kind === 'other' || kind === 'hook'),
);

test.each(asked)('of %s, whatever the input says is to be read', (_, request) => {
  const { title, facts, parts } = consentFor(request);
  const { command = title } = request;
  const shown = [title, ...facts.map(({ text }) => text), ...parts.flatMap(textsOf)].join('\n');
  expect(valuesIn(request.input).filter((value) => !isShown(value, shown) && !value.includes(command))).toEqual([]);
});

test('there are questions of several agents', () => {
  expect(new Set(asked.map(([name]) => path.dirname(name))).size).toBeGreaterThan(5);
});

function textsOf(part: Part): string[] {
  if (part.kind !== 'difference') return [part.text];
  return [part.path ?? '', part.to ?? '', ...part.rows.map(({ text }) => text)];
}

function valuesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [String(value)];
  return Object.values(value).flatMap(valuesIn);
}

/** Line by line, and paths as the project names them. */
function isShown(value: string, shown: string): boolean {
  return value.split('\n').every((line) => shown.includes(line) || shown.includes(line.replace(/^\/repo\//, '')));
}
