import type { OpenAPIHono } from '@hono/zod-openapi';
import { SCHEME } from '../proof/index.js';
import replies from './replies.json' with { type: 'json' };
import type { Env } from './requires.js';

/** The server described for programs, at `/openapi.json`: its routes by themselves, what they reply by the types of the client. */
export function addDescription(app: OpenAPIHono<Env>, version: string): void {
  const { openAPIRegistry: described } = app;
  described.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' });
  described.registerComponent('securitySchemes', 'browser', { type: 'http', scheme: SCHEME });
  const schemas: Record<string, object> = replies.schemas;
  for (const [name, schema] of Object.entries(schemas)) described.registerComponent('schemas', name, schema);
  app.doc31('/openapi.json', { openapi: '3.1.0', info: { title: 'glassbox', version } });
}
