// Which exported functions, classes, interfaces and types of a source file say nothing about themselves. In the rooms
// below each says itself what it is. Elsewhere types may be silent, an interface may speak through its members, and the
// lines at the top of a file speak for its components and their props. Pure.

import ts from '@typescript/typescript6';

/** What is read by people who use it without opening it: the engine, what it shares, and what all screens are made of. */
const SPEAKING = /^src-(?:main|shared|renderer\/(?:engine|layout|lib|texts|ui))\//;

/** Names of what a file exports without a word about it; `fileName` is relative to the project. */
export function undocumented(fileName: string, text: string): readonly string[] {
  const kind = fileName.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const mustSpeak = SPEAKING.test(fileName);
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind);
  return source.statements
    .filter((statement) => isExported(statement) && !speaks(statement))
    .flatMap((statement) => silentNames(statement, mustSpeak))
    .filter((name) => mustSpeak || !(fileName.endsWith('.tsx') && /^[A-Z]/.test(name)));
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function speaks(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}

function silentNames(statement: ts.Statement, mustSpeak: boolean): readonly string[] {
  if (ts.isFunctionDeclaration(statement)) {
    // Of an overloaded function the first signature speaks for all.
    return statement.body === undefined ? [] : [statement.name?.text ?? 'default'];
  }
  if (ts.isClassDeclaration(statement)) return [statement.name?.text ?? 'default'];
  if (ts.isInterfaceDeclaration(statement)) {
    return !mustSpeak && statement.members.some(speaks) ? [] : [statement.name.text];
  }
  if (ts.isTypeAliasDeclaration(statement)) return mustSpeak ? [statement.name.text] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer) ? [name.text] : [],
  );
}
