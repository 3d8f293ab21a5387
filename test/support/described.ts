/** What an OpenAPI document says of each reply, as a check: also that there is nothing in it that the document does not know. */
import { z } from 'zod';

interface Operation {
  operationId: string;
  summary?: string;
  security?: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

export interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export type JsonSchema = { [key: string]: unknown };

export interface DescribedOperation extends Operation {
  method: string;
  path: string;
}

export function operationsOf({ paths }: ApiDocument): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  );
}

/** Gives back what is wrong with a value, empty when it is what the schema says and nothing more. */
export function createCheck({ components }: ApiDocument): (schema: JsonSchema, value: unknown) => string[] {
  const $defs = Object.fromEntries(Object.entries(components.schemas).map(([name, schema]) => [name, strict(schema)]));
  const known = new Map<JsonSchema, z.ZodType>();
  return (general, value) => {
    const schema = variantOf(general, value);
    const type = known.get(schema) ?? z.fromJSONSchema({ ...strict(schema), $defs } as never);
    known.set(schema, type);
    const { error } = type.safeParse(value);
    return error ? error.issues.map((issue) => `${issue.path.join('.')}: ${JSON.stringify(issue).slice(0, 2000)}`) : [];
  };

  /** Of variants that are told apart by their `type` the one that a value says it is: to try all of them takes forty times as long. */
  function variantOf(schema: JsonSchema, value: unknown): JsonSchema {
    const { anyOf = [] } = schema as { anyOf?: JsonSchema[] };
    const isMeant = (variant: JsonSchema) => {
      const { properties } = $defs[nameIn(variant) ?? ''] as { properties?: { type?: { const?: unknown } } };
      return properties?.type?.const === (value as { type?: unknown } | null)?.type;
    };
    return anyOf.every((variant) => nameIn(variant) !== undefined) ? (anyOf.find(isMeant) ?? schema) : schema;
  }

  function nameIn({ $ref }: JsonSchema): string | undefined {
    return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
  }

  /** Without parts that would have to be joined, so that each object can be closed. */
  function strict(schema: unknown): JsonSchema {
    if (Array.isArray(schema)) return schema.map(strict) as unknown as JsonSchema;
    if (typeof schema !== 'object' || schema === null) return schema as unknown as JsonSchema;
    const { $ref, allOf, ...rest } = schema as { $ref?: string; allOf?: JsonSchema[] } & JsonSchema;
    if ($ref !== undefined) return { $ref: $ref.replace('#/components/schemas/', '#/$defs/') };
    if (allOf) return strict(joined(allOf));
    const entries = Object.entries(rest).map(([key, value]) => [key, key === 'required' ? value : strict(value)]);
    return { ...Object.fromEntries(entries), ...('properties' in rest && { additionalProperties: false }) };
  }

  function joined(parts: readonly JsonSchema[]): JsonSchema {
    const whole = parts.map((part) => {
      const name = nameIn(part);
      return name === undefined ? part : (components.schemas[name] ?? {});
    });
    return {
      type: 'object',
      properties: Object.assign({}, ...whole.map(({ properties }) => properties)),
      required: whole.flatMap(({ required }) => (required ?? []) as string[]),
    };
  }
}
