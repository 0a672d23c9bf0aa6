// Which exported functions, classes and interfaces of a source file say nothing about themselves, and how many a room
// still may have. Components and their props are left out: the lines at the top of their file speak for them. Pure.

import ts from '@typescript/typescript6';

/** Names of what a file exports without a word about it. An interface may speak through its members instead. */
export function undocumented(fileName: string, text: string): readonly string[] {
  const kind = fileName.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind);
  return source.statements
    .filter((statement) => isExported(statement) && !speaks(statement))
    .flatMap(silentNames)
    .filter((name) => !(fileName.endsWith('.tsx') && /^[A-Z]/.test(name)));
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
  if (ts.isInterfaceDeclaration(statement)) {
    return statement.members.some(speaks) ? [] : [statement.name.text];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer) ? [name.text] : [],
  );
}

/** The room of a file as the budget counts: its first two folders, "" for a file in the root. */
export function docRoomOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/');
}

const SHOWN = 12;

/** One sentence for each room that has more than it may; a room that the budget does not name may have none. */
export function overBudget(
  found: ReadonlyMap<string, readonly string[]>,
  budget: Readonly<Record<string, number>>,
): readonly string[] {
  return [...found].flatMap(([room, names]) => {
    const allowed = budget[room] ?? 0;
    if (names.length <= allowed) return [];
    const list = names.length > SHOWN ? [...names.slice(0, SHOWN), '…'] : names;
    return [
      `${room}: ${names.length} exports without a docstring, where there were ${allowed}; say what a caller needs to know: ${list.join(', ')}`,
    ];
  });
}

/** Rooms that have become better than their budget says, with the number that holds now. */
export function underBudget(
  found: ReadonlyMap<string, readonly string[]>,
  budget: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(budget).flatMap(([room, allowed]) => {
    const count = found.get(room)?.length ?? 0;
    return count < allowed ? [`'${room}': ${count}`] : [];
  });
}
