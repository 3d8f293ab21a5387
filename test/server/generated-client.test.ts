/** A client that others generate from the OpenAPI document compiles, and knows the same types as `glassbox/client`. */
import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from './serve.js';

const TSC = path.resolve('node_modules/@typescript/native/bin/tsc');

/** As a stranger would write it: nothing but what was generated. */
const STRANGER = `
import type { components, paths } from './generated.js';

type Reply<Route> = Route extends { get: { responses: { 200: { content: { 'application/json': infer Body } } } } } ? Body : never;

export async function get<Path extends keyof paths>(url: string, path: Path): Promise<Reply<paths[Path]>> {
  return (await fetch(url + path)).json() as Promise<Reply<paths[Path]>>;
}

export async function spent(url: string): Promise<number> {
  const { items } = await get(url, '/api/sessions');
  return items.reduce((sum, session) => sum + (session.spent?.usd ?? 0) + session.runs.length, 0);
}

export function describe(event: components['schemas']['AgentEvent']): string {
  if (event.type === 'tool-end') return event.output ?? event.status;
  if (event.type === 'approval-request') return (event.paths ?? []).join(', ');
  return event.runId;
}

export async function wrong(url: string): Promise<unknown> {
  const health = await get(url, '/api/health');
  // @ts-expect-error: the document knows that there is no such field.
  return health.colour;
}
`;

/** Every reply, body and query, in both directions. */
const COMPARED = (client: string) => `
import type { CostQuery, FindQuery, LoginRequest, Replies, SayRequest, SessionQuery, StartRequest } from '${client}';
import type { AnswerOf } from '${client}';
import type { operations } from './generated.js';

type Plain<Value> = Value extends object ? { -readonly [Key in keyof Value]: Plain<Value[Key]> } : Value;
type Same<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : 'the document has less') : 'the document has more';

type Done<Operation> = Operation extends { responses: { 200: { content: infer Content } } }
  ? Content[keyof Content]
  : Operation extends { responses: { 201: { content: infer Content } } } ? Content[keyof Content] : never;
type Body<Name extends keyof operations> = operations[Name] extends { requestBody: { content: { 'application/json': infer Content } } } ? Content : never;
type Query<Name extends keyof operations> = operations[Name] extends { parameters: { query?: infer Content } } ? Content : never;

export const replies: { [Name in keyof Replies]: Same<Done<operations[Name]>, Replies[Name]> } = {
REPLIES
};
export const noRouteMore: Exclude<keyof operations, keyof Replies> extends never ? true : false = true;
export const asked: [
  Same<Body<'start'>, StartRequest>,
  Same<Body<'say'>, SayRequest>,
  Same<Body<'approve'>, AnswerOf<'approve'>>,
  Same<Body<'deny'>, AnswerOf<'deny'>>,
  Same<Body<'answer'>, AnswerOf<'answer'>>,
  Same<Body<'login'>, LoginRequest>,
  Same<Query<'listSessions'>, SessionQuery>,
  Same<Query<'search'>, FindQuery>,
  Same<Query<'cost'>, CostQuery>,
] = [true, true, true, true, true, true, true, true, true];
`;

test('it compiles, and its types are those of the client, in both directions', async () => {
  const document = (await (await (await serve()).send('/openapi.json')).json()) as OpenAPI3;
  const folder = temporaryDirectory();
  const names = Object.values(document.paths ?? {})
    .flatMap((methods) => Object.values(methods as Record<string, { operationId: string }>))
    .map(({ operationId }) => `  ${operationId}: true,`);
  expect(names.length).toBeGreaterThan(20);
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'generated.ts'), await openapiTS(document));
  writeFileSync(path.join(folder, 'stranger.ts'), STRANGER);
  const compared = COMPARED(path.resolve('src/client/index.js')).replace('REPLIES', names.join('\n'));
  writeFileSync(path.join(folder, 'compared.ts'), compared);
  expect(await compile(folder, ['stranger.ts', 'compared.ts'])).toBe('');
});

function compile(folder: string, files: readonly string[]): Promise<string> {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'NodeNext', '--target', 'ES2023'];
  const args = [TSC, ...options, '--resolveJsonModule', '--types', 'node', ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1e8 }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
}
