// @ts-check
/** Small mistakes that could be made in a file of source: each is one replacement, made from its syntax tree. */
import ts from 'typescript';

/**
 * @typedef {{ file: string, line: number, start: number, end: number, to: string }} Mutant
 */

/** @type {Partial<Record<ts.SyntaxKind, string>>} */
const OPERATORS = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
};

const LARGE = 1000;

/** @type {Record<string, string>} */
const METHODS = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};

/**
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  /** @type {Mutant[]} */
  const mutants = [];

  /** @type {(node: ts.Node, to: string) => void} */
  const replace = (node, to) => {
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ file, line, start, end: node.getEnd(), to });
  };

  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isOnlyAType(node)) return;
    mutate(node, replace);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.filter(({ start, end, to }) => text.slice(start, end) !== to);
}

/**
 * @param {ts.Node} node
 * @param {(node: ts.Node, to: string) => void} replace
 */
function mutate(node, replace) {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) replace(node.expression, `!(${node.expression.getText()})`);
  else if (ts.isConditionalExpression(node)) replace(node.condition, `!(${node.condition.getText()})`);
  else if (ts.isBinaryExpression(node)) mutateBinary(node, replace);
  else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    replace(node, node.operand.getText());
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');
  else if (ts.isNumericLiteral(node)) {
    // A large bound that is one off is nothing that anybody could see.
    if (Number(node.text) < LARGE) replace(node, `(${node.getText()} + 1)`);
  } else if (ts.isStringLiteral(node) && isValue(node)) replace(node, node.text === '' ? `'x'` : `''`);
  else if (ts.isExpressionStatement(node)) {
    // Says something to the compiler alone.
    if (!ts.isSatisfiesExpression(node.expression)) replace(node, ';');
  } else if (ts.isReturnStatement(node) && node.expression) replace(node, 'return undefined;');
  else if (ts.isObjectLiteralElement(node) && ts.isObjectLiteralExpression(node.parent)) replace(node, '...{}');
  else if (ts.isPropertyAccessExpression(node)) {
    const other = Object.hasOwn(METHODS, node.name.text) ? METHODS[node.name.text] : undefined;
    if (other && ts.isCallExpression(node.parent)) replace(node.name, other);
  }
}

/**
 * @param {ts.BinaryExpression} node
 * @param {(node: ts.Node, to: string) => void} replace
 */
function mutateBinary({ left, right, operatorToken }, replace) {
  if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) replace(right, 'undefined');
  else if (operatorToken.kind === ts.SyntaxKind.PlusToken) {
    if (!isText(left) && !isText(right)) replace(operatorToken, '-');
  } else {
    const other = OPERATORS[operatorToken.kind];
    if (other) replace(operatorToken, other);
  }
}

/** @param {ts.Node} node */
function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isBinaryExpression(node);
}

/** Not a key, a module or a word of a type. @param {ts.StringLiteral} node */
function isValue(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  return !ts.isLiteralTypeNode(parent) && !ts.isExternalModuleReference(parent) && !ts.isExportDeclaration(parent);
}

/** @param {ts.Node} node */
function isOnlyAType(node) {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isExportDeclaration(node);
}
