/**
 * What each route takes, to the last bound, and the words for it: programs rely on these, so the list beside this file is read when it changes;
 * `npx vitest run test/server/asked.test.ts -u` writes it. What they reply is held by the types of the client.
 */
import { expect, test } from 'vitest';
import replies from '../../src/server/replies.json' with { type: 'json' };
import { type ApiDocument, type DescribedOperation, type JsonSchema, operationsOf } from '../support/described.js';
import { serve } from './serve.js';

test('every place, field and bound that a request may have', async () => {
  const { send } = await serve([], { version: '1.2.3' });
  const { paths, components, ...head } = (await (await send('/openapi.json')).json()) as ApiDocument;
  const { schemas, ...others } = components;
  const told = new Set(Object.keys(replies.schemas));
  const lines = [
    JSON.stringify(head),
    JSON.stringify(others),
    ...operationsOf({ paths, components, ...head }).flatMap(linesOf),
    ...Object.entries(schemas)
      .filter(([name]) => !told.has(name))
      .flatMap(([name, schema]) => [name, ...fieldsOf(schema)]),
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('asked.txt');
});

function linesOf(operation: DescribedOperation): string[] {
  const { operationId, method, path, summary = '', parameters = [], requestBody, responses } = operation;
  const media = Object.entries(responses).map(([status, { content = {} }]) => `${status} ${Object.keys(content)}`);
  return [
    `${method} ${path}: ${operationId}: ${summary}`,
    `  ${[...new Set(media.map((one) => one.replace(/ application\/json$/, '')))].join(', ')}`,
    ...parameters.map(
      ({ name, in: place, required, schema }) => `  ${place} ${name}${required ? '' : '?'}: ${JSON.stringify(schema)}`,
    ),
    ...(requestBody ? [`  body: ${JSON.stringify(requestBody.content)}`] : []),
  ];
}

function fieldsOf({ properties = {}, ...whole }: JsonSchema): string[] {
  return [
    `  ${JSON.stringify(whole)}`,
    ...Object.entries(properties as object).map(([name, schema]) => `  ${name}: ${JSON.stringify(schema)}`),
  ];
}
