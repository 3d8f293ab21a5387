/** The source tree as plain data, so that a rule about it is a function that a test can feed with a deliberate violation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** From the repository root, with forward slashes: `src/event/event.ts`. */
  path: string;
  text: string;
}

export interface Import {
  /** As written: `../event/index.js`, `node:fs`, `hono`. */
  specifier: string;
  /** For relative imports the file that is meant: `src/event/index.ts`. */
  target?: string;
  typeOnly: boolean;
}

export function readSources(folder: string, pattern = /\.tsx?$/): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Static imports, re-exports and dynamic imports with a literal. */
export const importsOf = once((file): Import[] => {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, typeOnly: boolean) => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const specifier = node.text;
    const target = specifier.startsWith('.') ? resolveTarget(file.path, specifier) : undefined;
    found.push({ specifier, typeOnly, ...(target && { target }) });
  };
  walk(file, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
  });
  return found;
});

/** Every identifier and string of the code, without comments. `Math.random` comes as `Math.random` and as its two parts. */
export const tokensOf = once((file): { identifiers: string[]; strings: string[] } => {
  const identifiers: string[] = [];
  const strings: string[] = [];
  walk(file, (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) strings.push(node.text);
    else if (ts.isPropertyAccessExpression(node)) identifiers.push(node.getText().replace(/\s|\?/g, ''));
    else if (ts.isNewExpression(node)) identifiers.push(`new ${node.expression.getText()}`);
    else if (ts.isIdentifier(node)) identifiers.push(node.text);
  });
  return { identifiers, strings };
});

/** Every regular expression that is written as one. */
export function expressionsOf(file: SourceFile): { path: string; source: string; flags: string }[] {
  const found: { path: string; source: string; flags: string }[] = [];
  walk(file, (node) => {
    if (!ts.isRegularExpressionLiteral(node)) return;
    const end = node.text.lastIndexOf('/');
    found.push({ path: file.path, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
  });
  return found;
}

/** Identifiers that reach for something global: no member (`x.process`), no key (`{ process: 1 }`), nothing the file declares. */
export const freeNamesOf = once((file): string[] => {
  const names: string[] = [];
  const declared = new Set<string>();
  walk(file, (node) => {
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) declared.add(node.name.text);
    if (ts.isIdentifier(node) && !isMemberName(node)) names.push(node.text);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      names.push(`${node.expression.text}.${node.name.text}`);
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) names.push(`new ${node.expression.text}`);
  });
  return names.filter((name) => !declared.has(name.replace('new ', '').split('.')[0] ?? ''));
});

/** The string literals that a property signature of this name can have: `type: 'text-delta'`. */
export function literalTypesOf(file: SourceFile, property: string): string[] {
  const literals: string[] = [];
  walk(file, (node) => {
    if (!ts.isPropertySignature(node) || node.name.getText() !== property || !node.type) return;
    const members = ts.isUnionTypeNode(node.type) ? node.type.types : [node.type];
    for (const member of members) {
      if (ts.isLiteralTypeNode(member) && ts.isStringLiteral(member.literal)) literals.push(member.literal.text);
    }
  });
  return literals;
}

const parsed = once((file) => {
  const kind = file.path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, kind);
});

function walk(file: SourceFile, visit: (node: ts.Node) => void): void {
  const step = (node: ts.Node) => {
    visit(node);
    ts.forEachChild(node, step);
  };
  step(parsed(file));
}

/** Several rules ask the same of the same file. */
function once<Answer>(ask: (file: SourceFile) => Answer): (file: SourceFile) => Answer {
  const answers = new WeakMap<SourceFile, Answer>();
  return (file) => {
    const answer = answers.get(file) ?? ask(file);
    answers.set(file, answer);
    return answer;
  };
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return !clause.name && !!named && ts.isNamedImports(named) && named.elements.every((element) => element.isTypeOnly);
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node)
  );
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) return parent.name === node;
  if (ts.isMethodSignature(parent) || ts.isMethodDeclaration(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return ts.isPropertyDeclaration(parent) && parent.name === node;
}

function resolveTarget(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js(x?)$/, '.ts$1');
}
