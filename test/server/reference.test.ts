/** The routes in `docs/server.md` are those of the OpenAPI document, by `npm run readme:update`. */
import { test } from 'vitest';
import { type ApiDocument, type DescribedOperation, type JsonSchema, operationsOf } from '../support/described.js';
import { expectSection, table } from '../support/section.js';
import { serve } from './serve.js';

test('the routes of the document are those of the server', async () => {
  const { send } = await serve();
  const document = (await (await send('/openapi.json')).json()) as ApiDocument;
  const rows = operationsOf(document).map((operation) => [
    `\`${operation.method.toUpperCase()} ${operation.path}\``,
    scopeOf(operation),
    askedOf(operation),
    replyOf(operation),
    operation.summary ?? '',
  ]);
  expectSection('docs/server.md', 'routes', table(['route', 'scope', 'takes', 'replies', ''], rows));
});

function scopeOf({ security = [] }: DescribedOperation): string {
  const [scope] = security.flatMap((way) => Object.values(way).flat());
  return scope === undefined ? '–' : `\`${scope}\``;
}

function askedOf({ parameters = [], requestBody }: DescribedOperation): string {
  const query = parameters
    .filter((one) => one.in === 'query')
    .map((one) => `\`${one.name}${one.required ? '' : '?'}\``);
  const body = requestBody?.content['application/json']?.schema;
  return [...(body ? [nameOf(body)] : []), ...query].join(' ');
}

function replyOf({ responses }: DescribedOperation): string {
  const [media = '', content] = Object.entries((responses[200] ?? responses[201])?.content ?? {})[0] ?? [];
  const name = nameOf(content?.schema ?? {});
  return media === 'text/event-stream' ? `stream of ${name}` : media === 'text/plain' ? 'text' : name;
}

function nameOf(schema: JsonSchema): string {
  const { $ref, items, properties } = schema as {
    $ref?: string;
    items?: JsonSchema;
    properties?: { items?: JsonSchema };
  };
  if ($ref !== undefined) return `\`${$ref.split('/').at(-1)}\``;
  if (items) return nameOf(items).replace(/`$/, '[]`');
  return properties?.items ? `page of ${nameOf(properties.items)}` : '`{}`';
}
