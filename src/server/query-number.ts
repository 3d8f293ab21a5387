/** Numbers of a query, where everything is text: the document says of them only what it is told. */
import { z } from '@hono/zod-openapi';

export const count = z.coerce.number().int().nonnegative().openapi({ type: 'integer', minimum: 0 });

export const money = z.coerce.number().nonnegative().openapi({ type: 'number', minimum: 0 });

export const within = (minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).openapi({ type: 'integer', minimum, maximum });
