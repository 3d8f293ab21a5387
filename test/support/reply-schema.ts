/** What the server replies, as JSON schemas that are read off the client's own types: one source for the compiler and for the OpenAPI document. */
import path from 'node:path';
import ts from 'typescript';
import { eventsIn } from './event-reference.js';
import { readSources } from './source.js';

type Schema = { [key: string]: unknown };

interface ReplySchemas {
  /** By the name of the route. */
  replies: Record<string, Schema>;
  /** What they refer to. */
  schemas: Record<string, Schema>;
}

const FILE = 'src/client/api.ts';

/** Never sent, whatever the type says. */
const UNSENT = new Set(['raw']);

function replySchemas(): ReplySchemas {
  const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, '.');
  const program = ts.createProgram([path.resolve(FILE)], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path.resolve(FILE));
  const door = source && checker.getSymbolAtLocation(source);
  const replies = door && checker.getExportsOfModule(door).find(({ name }) => name === 'Replies');
  if (!replies) throw new Error(`${FILE} does not say what the server replies.`);

  const events = readSources('src/event').flatMap(eventsIn);
  const eventComments = new Map(events.map(({ type, comment }) => [eventName(type), comment]));
  const schemas: Record<string, Schema> = {};
  const roots = propertiesOf(checker.getDeclaredTypeOfSymbol(replies));
  return { replies: Object.fromEntries(roots), schemas: sorted(schemas) };

  function propertiesOf(type: ts.Type): [name: string, schema: Schema][] {
    return checker
      .getPropertiesOfType(type)
      .filter(({ name }) => !UNSENT.has(name))
      .map((property) => {
        const description = commentOf(property);
        return [property.name, { ...schemaOf(typeOf(property)), ...(description !== '' && { description }) }];
      });
  }

  /** As it is written, because the name of an alias is lost where `undefined` is added to it. */
  function typeOf(property: ts.Symbol): ts.Type {
    const declaration = property.valueDeclaration;
    const isWritten = declaration && ts.isPropertySignature(declaration) && declaration.type;
    const written = isWritten && checker.getTypeFromTypeNode(isWritten);
    return written && !isGeneric(written) ? written : checker.getTypeOfSymbol(property);
  }

  function isGeneric(type: ts.Type): boolean {
    if (type.flags & ts.TypeFlags.TypeParameter) return true;
    return checker.isArrayType(type) && checker.getTypeArguments(type as ts.TypeReference).some(isGeneric);
  }

  function schemaOf(type: ts.Type): Schema {
    const name = nameOf(type);
    if (name === undefined) return shapeOf(type);
    if (!schemas[name]) {
      schemas[name] = {};
      const description = eventComments.get(name) ?? commentOf(type.aliasSymbol ?? type.symbol);
      schemas[name] = { ...shapeOf(type), ...(description !== '' && { description }) };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Events are named by their type; other things as their declaration is, unless it has parameters or is the language's own. */
  function nameOf(type: ts.Type): string | undefined {
    if (type.isIntersection() && type.types.some((part) => part.symbol?.name === 'Stamp')) {
      const property = checker.getPropertyOfType(type, 'type');
      const literal = property && checker.getTypeOfSymbol(property);
      return literal?.isStringLiteral() ? eventName(literal.value) : undefined;
    }
    const symbol = type.aliasSymbol ?? (type.isClassOrInterface() ? type.symbol : undefined);
    if (!symbol || type.aliasTypeArguments || isForeign(symbol)) return undefined;
    return (type as ts.TypeReference).typeArguments?.length ? undefined : symbol.name;
  }

  function shapeOf(type: ts.Type): Schema {
    const { flags } = type;
    if (flags & ts.TypeFlags.Unknown) return {};
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
    if (flags & ts.TypeFlags.String) return { type: 'string' };
    if (flags & ts.TypeFlags.Number) return { type: 'number' };
    if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
    if (type.isUnion()) return unionOf(type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined)));
    if (type.isIntersection()) return { allOf: type.types.map(schemaOf) };
    if (checker.isTupleType(type)) {
      const prefixItems = checker.getTypeArguments(type as ts.TypeReference).map(schemaOf);
      return { type: 'array', prefixItems, items: false, minItems: prefixItems.length };
    }
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? schemaOf(item) : {} };
    }
    return objectOf(type);
  }

  function unionOf(parts: readonly ts.Type[]): Schema {
    const [only] = parts;
    if (parts.length === 1 && only) return schemaOf(only);
    if (parts.every((part) => part.flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' };
    if (parts.every((part) => part.isStringLiteral())) {
      return { type: 'string', enum: parts.map((part) => (part as ts.StringLiteralType).value).sort() };
    }
    const merged = parts.filter((part) => !(part.flags & ts.TypeFlags.BooleanLiteral)).map(schemaOf);
    const isBoolean = merged.length < parts.length;
    // In an order of its own: the compiler's depends on what it saw first.
    const byText = new Map(merged.map((schema) => [JSON.stringify(schema), schema]));
    const anyOf = [...byText.keys()].sort().map((text) => byText.get(text));
    return { anyOf: isBoolean ? [...anyOf, { type: 'boolean' }] : anyOf };
  }

  function objectOf(type: ts.Type): Schema {
    const values = checker.getIndexInfosOfType(type)[0]?.type;
    const required = checker
      .getPropertiesOfType(type)
      .filter(({ name, flags }) => !UNSENT.has(name) && !(flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name);
    const properties = Object.fromEntries(propertiesOf(type));
    return {
      type: 'object',
      ...(!values && { properties }),
      ...(required.length > 0 && { required }),
      ...(values && { additionalProperties: values.flags & ts.TypeFlags.Never ? false : schemaOf(values) }),
    };
  }

  function isForeign(symbol: ts.Symbol): boolean {
    return !/\/src\/[^/]/.test(symbol.declarations?.[0]?.getSourceFile().fileName ?? '');
  }

  function commentOf(symbol: ts.Symbol | undefined): string {
    if (!symbol) return '';
    return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
  }
}

function eventName(type: string): string {
  const words = type.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** One line for each schema, so that a difference shows which one changed. */
export function replySchemasText(): string {
  const { replies, schemas } = replySchemas();
  const section = (entries: Record<string, Schema>): string =>
    Object.entries(entries)
      .map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`)
      .join(',\n');
  return `{\n  "replies": {\n${section(replies)}\n  },\n  "schemas": {\n${section(schemas)}\n  }\n}\n`;
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
