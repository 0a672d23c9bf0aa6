// Which exported functions, classes, interfaces, types and single values (a number, a text) of a source file say nothing
// about themselves; silent-members.ts looks at tables and at members. What stands at the top of a file or at a member does
// not count: an editor shows neither where the name is used. Pure.

import ts from '@typescript/typescript6';

/** Names of what a file exports without a word about it. */
export function undocumented(fileName: string, text: string): readonly string[] {
  const kind = fileName.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind);
  return source.statements
    .filter((statement) => isExported(statement) && !speaks(statement))
    .flatMap(silentNames);
}

const STACKED = /\*\/\s*\n\s*(\/\*\*(?:(?!\*\/)[^])*)/g;

/** Lines, from 1, of docstrings that stand below another one, which then belongs to no declaration. */
export function stacked(text: string): readonly number[] {
  return [...text.matchAll(STACKED)].map(
    (match) => text.slice(0, match.index + match[0].length - (match[1] ?? '').length).split('\n').length,
  );
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function speaks(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

function silentNames(statement: ts.Statement): readonly string[] {
  if (ts.isFunctionDeclaration(statement)) {
    // Of an overloaded function the first signature speaks for all.
    return statement.body === undefined ? [] : [statement.name?.text ?? 'default'];
  }
  if (ts.isClassDeclaration(statement)) return [statement.name?.text ?? 'default'];
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && isFunctionOrValue(initializer) ? [name.text] : [],
  );
}

/** An arrow function, one that another function wraps (`memo`, `createStore`), a number or a text. */
function isFunctionOrValue(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node))
    return isFunctionOrValue(node.expression);
  if (ts.isCallExpression(node)) return node.arguments.some(isFunction);
  return isFunction(node) || isValue(node);
}

function isFunction(node: ts.Expression): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function isValue(node: ts.Expression): boolean {
  return (
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    ts.isBinaryExpression(node)
  );
}
