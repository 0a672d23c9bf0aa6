// Which members of exported classes and interfaces that can be called, and which exported tables and lists, have no
// docstring. An interface speaks for the classes that say they implement it, and a method for those that override it.
// Names of interfaces are taken as they are written, without looking where they come from. Pure.

import ts from '@typescript/typescript6';

/** Names of the members of each interface or object type; what it inherits stands as the name of its parent. */
export type PromisedMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** A method that overrides another one has its docstring from there. */
const HIDING: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PrivateKeyword,
  ts.SyntaxKind.ProtectedKeyword,
  ts.SyntaxKind.OverrideKeyword,
]);

type Members = ts.ClassDeclaration | ts.InterfaceDeclaration;

/**
 * Adds what the interfaces of a file declare; one of the same name in another file is added to. Of interfaces that are
 * not exported nobody asks for docstrings, so only members that have one count.
 */
export function addPromisedMembers(fileName: string, text: string, all: Map<string, Set<string>>): void {
  for (const statement of statementsOf(fileName, text)) {
    const declared = declaredMembers(statement);
    if (declared === undefined) continue;
    const members = all.get(declared.name) ?? new Set();
    const spoken = isExported(statement) ? declared.members : declared.members.filter(speaks);
    for (const member of spoken) members.add(nameOf(member));
    for (const parent of declared.parents) members.add(parentKey(parent));
    all.set(declared.name, members);
  }
}

/** What says nothing, in the order of the file: `Class.method`, `Interface.method`, `TABLE`. */
export function silentMembers(fileName: string, text: string, promised: PromisedMembers): readonly string[] {
  return statementsOf(fileName, text)
    .filter(isExported)
    .flatMap((statement) => {
      if (ts.isClassDeclaration(statement)) {
        const parents = parentsOf(statement);
        return silentOf(statement, (name) => !parents.some((parent) => isPromised(parent, name, promised)));
      }
      if (ts.isInterfaceDeclaration(statement)) return silentOf(statement, () => true);
      return ts.isVariableStatement(statement) && !speaks(statement) ? tablesOf(statement) : [];
    });
}

function statementsOf(fileName: string, text: string): readonly ts.Statement[] {
  const kind = fileName.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind).statements;
}

function silentOf(declaration: Members, isAsked: (name: string) => boolean): readonly string[] {
  const members: readonly (ts.ClassElement | ts.TypeElement)[] = [...declaration.members];
  const spoken = new Set(members.filter(speaks).map(nameOf));
  const silent = members.filter((member) => isCalled(member) && isPublic(member)).map(nameOf);
  return [...new Set(silent)]
    .filter((name) => !spoken.has(name) && isAsked(name))
    .map((name) => `${declaration.name?.text ?? 'default'}.${name}`);
}

function tablesOf(statement: ts.VariableStatement): readonly string[] {
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && isTable(initializer) && !isCatalogue(initializer)
      ? [name.text]
      : [],
  );
}

/**
 * Texts of the window by dotted names, all of them written out: nobody reads one but by its name, with `t`, and what
 * screen they are of stands at the top of the file.
 */
function isCatalogue(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node))
    return isCatalogue(node.expression);
  if (!ts.isObjectLiteralExpression(node) || node.properties.length === 0) return false;
  return node.properties.every(
    (property) =>
      ts.isPropertyAssignment(property) &&
      ts.isStringLiteral(property.name) &&
      property.name.text.includes('.') &&
      ts.isStringLiteralLike(property.initializer),
  );
}

function isTable(node: ts.Expression): boolean {
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node))
    return isTable(node.expression);
  return ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);
}

/** A method, an accessor, or a property that holds a function. A name such as `[Symbol.iterator]` says what it is. */
function isCalled(member: ts.ClassElement | ts.TypeElement): boolean {
  if (member.name === undefined || ts.isComputedPropertyName(member.name)) return false;
  if (ts.isPropertySignature(member)) return member.type !== undefined && isFunctionType(member.type);
  if (ts.isPropertyDeclaration(member))
    return member.initializer !== undefined && isFunction(member.initializer);
  return ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isAccessor(member);
}

function isFunctionType(node: ts.TypeNode): boolean {
  if (ts.isParenthesizedTypeNode(node)) return isFunctionType(node.type);
  if (ts.isUnionTypeNode(node)) return node.types.some(isFunctionType);
  return ts.isFunctionTypeNode(node);
}

function isFunction(node: ts.Expression): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function nameOf(member: ts.ClassElement | ts.TypeElement): string {
  return member.name?.getText() ?? '';
}

function isPublic(member: ts.ClassElement | ts.TypeElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  const isHidden = member.name !== undefined && ts.isPrivateIdentifier(member.name);
  return !isHidden && !modifiers.some(({ kind }) => HIDING.has(kind));
}

function isPromised(parent: string, member: string, promised: PromisedMembers): boolean {
  const members = promised.get(parent);
  if (members === undefined) return false;
  if (members.has(member)) return true;
  return [...members].some((key) => key.startsWith('<') && isPromised(key.slice(1), member, promised));
}

/** How an inherited interface stands among the members: no member is written so. */
function parentKey(parent: string): string {
  return `<${parent}`;
}

function parentsOf(declaration: Members): readonly string[] {
  return (declaration.heritageClauses ?? []).flatMap(({ types }) =>
    types.map(({ expression }) => expression.getText()),
  );
}

interface Declared {
  readonly name: string;
  readonly members: readonly ts.TypeElement[];
  readonly parents: readonly string[];
}

function declaredMembers(statement: ts.Statement): Declared | undefined {
  if (ts.isInterfaceDeclaration(statement)) {
    const { name, members } = statement;
    return { name: name.text, members: [...members], parents: parentsOf(statement) };
  }
  if (!ts.isTypeAliasDeclaration(statement) || !ts.isTypeLiteralNode(statement.type)) return undefined;
  return { name: statement.name.text, members: [...statement.type.members], parents: [] };
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function speaks(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).length > 0;
}
