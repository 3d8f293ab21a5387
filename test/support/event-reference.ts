/** The union of events as data, read from its source: every member with its comment and its fields. */
import ts from 'typescript';
import type { SourceFile } from './source.js';

export interface EventEntry {
  type: string;
  /** What stands above it; empty when nothing does. */
  comment: string;
  /** Names of types whose fields it has too. */
  includes: string[];
  fields: Field[];
}

export interface Field {
  name: string;
  optional: boolean;
  type: string;
  comment: string;
}

export interface Shape {
  name: string;
  comment: string;
  /** Of an interface. */
  fields: Field[];
  /** Of an alias. */
  text?: string;
}

/** The members of the unions that one file exports, in their order. */
export function eventsIn({ path, text }: SourceFile): EventEntry[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isTypeAliasDeclaration).flatMap(({ type, name }) => {
    if (!/(Draft|RunEnd)$/.test(name.text)) return [];
    const members = ts.isUnionTypeNode(type) ? [...type.types] : [type];
    return members.flatMap((member) =>
      entryOf(member, commentAbove(text, ts.isUnionTypeNode(type) ? member : type.parent)),
    );
  });
}

/** The other types that one file exports, for who reads the fields. */
export function shapesIn({ path, text }: SourceFile): Shape[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) => {
    const comment = commentAbove(text, statement);
    if (ts.isInterfaceDeclaration(statement)) {
      return [{ name: statement.name.text, comment, fields: fieldsOf(statement.members, text) }];
    }
    if (!ts.isTypeAliasDeclaration(statement) || /(Draft|RunEnd)$/.test(statement.name.text)) return [];
    return [{ name: statement.name.text, comment, fields: [], text: oneLine(statement.type.getText()) }];
  });
}

function entryOf(member: ts.TypeNode, comment: string): EventEntry[] {
  const includes: string[] = [];
  const fields: Field[] = [];
  let type = '';
  const visit = (node: ts.TypeNode): void => {
    if (ts.isParenthesizedTypeNode(node)) visit(node.type);
    else if (ts.isIntersectionTypeNode(node)) node.types.forEach(visit);
    else if (ts.isTypeReferenceNode(node)) includes.push(node.typeName.getText());
    else if (ts.isTypeLiteralNode(node)) fields.push(...fieldsOf(node.members, node.getSourceFile().text));
  };
  visit(member);
  const own = fields.filter((field) => {
    if (field.name === 'type') type = field.type.replaceAll("'", '');
    return field.name !== 'type';
  });
  return type === '' ? [] : [{ type, comment, includes, fields: own }];
}

function fieldsOf(members: ts.NodeArray<ts.TypeElement>, text: string): Field[] {
  return members.filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(),
    optional: member.questionToken !== undefined,
    type: oneLine(member.type?.getText() ?? 'unknown'),
    comment: commentAbove(text, member),
  }));
}

/** The comment of a union's member stands before its bar. */
function commentAbove(text: string, node: ts.Node): string {
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? barComments(text, node);
  const last = ranges?.at(-1);
  if (!last || !text.startsWith('/**', last.pos)) return '';
  const inner = text.slice(last.pos + 3, last.end - 2);
  return inner
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function barComments(text: string, node: ts.Node): ts.CommentRange[] | undefined {
  const bar = text.lastIndexOf('|', node.getStart());
  const before = /\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*$/.exec(text.slice(0, bar));
  if (bar < node.getFullStart() - 2 || !before) return undefined;
  return [
    { pos: before.index, end: before.index + before[0].trimEnd().length, kind: ts.SyntaxKind.MultiLineCommentTrivia },
  ];
}

function oneLine(type: string): string {
  return type
    .replace(/\/\*\*(?:[^*]|\*(?!\/))*\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim();
}
