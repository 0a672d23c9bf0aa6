// What one source file takes from elsewhere, read from its syntax tree: imports and re-exports (types too), dynamic
// imports, `import('x')` as a type, `require` in its forms, `process.getBuiltinModule`, `new URL('x', import.meta.url)`,
// `import.meta.glob`, worker threads, and `/// <reference>` lines. Text in other comments and in strings is no import. Nothing is resolved here.

import ts from '@typescript/typescript6';

/** One thing that a file takes from elsewhere. */
export interface FileImport {
  /** As written, or the name of a worker. Undefined: the address is computed, so nobody can say what is imported. */
  readonly specifier: string | undefined;
  readonly isWorkerName: boolean;
  /** From 1. */
  readonly line: number;
}

/** The function of src-main/base that turns a worker's name into the address of its file. */
const WORKER_ADDRESS = 'workerEntryUrl';
const MAKES_REQUIRE = 'createRequire';
const BUILT_IN = 'getBuiltinModule';

const SCRIPT_KINDS: Readonly<Record<string, ts.ScriptKind>> = {
  tsx: ts.ScriptKind.TSX,
  jsx: ts.ScriptKind.JSX,
  js: ts.ScriptKind.JS,
  mjs: ts.ScriptKind.JS,
  cjs: ts.ScriptKind.JS,
};

/** Those of types, dynamic ones and worker threads included. */
export function importsOf(fileName: string, text: string): readonly FileImport[] {
  const kind = SCRIPT_KINDS[fileName.slice(fileName.lastIndexOf('.') + 1)] ?? ts.ScriptKind.TS;
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, false, kind);
  const reader = new ImportReader(source);
  reader.readReferences();
  reader.read(source);
  return reader.found;
}

class ImportReader {
  readonly found: FileImport[] = [];
  readonly #source: ts.SourceFile;
  /** Names that work like `require` in this file. */
  readonly #requires = new Set(['require']);
  /** Names that `createRequire` has in this file. */
  readonly #makers = new Set([MAKES_REQUIRE]);

  constructor(source: ts.SourceFile) {
    this.#source = source;
  }

  read(node: ts.Node): void {
    if (ts.isImportDeclaration(node)) this.#add(node, node.moduleSpecifier);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined)
      this.#add(node, node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) this.#add(node, node.expression);
    else if (ts.isImportTypeNode(node)) {
      this.#add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    } else if (ts.isVariableDeclaration(node)) this.#noteRequire(node.name, node.initializer);
    else if (ts.isBinaryExpression(node)) this.#noteRequire(node.left, node.right);
    else if (ts.isImportSpecifier(node)) this.#noteMaker(node);
    else if (ts.isCallExpression(node)) this.#readCall(node);
    else if (ts.isNewExpression(node)) this.#readNew(node);
    ts.forEachChild(node, (child) => this.read(child));
  }

  readReferences(): void {
    for (const { fileName, pos } of this.#source.referencedFiles)
      this.#note(pos, fileName.startsWith('.') ? fileName : `./${fileName}`);
    for (const { fileName, pos } of this.#source.typeReferenceDirectives) this.#note(pos, fileName);
  }

  #add(at: ts.Node, address: ts.Node | undefined, isWorkerName = false): void {
    const specifier = address !== undefined && ts.isStringLiteralLike(address) ? address.text : undefined;
    this.#note(at.getStart(this.#source), specifier, isWorkerName);
  }

  #note(position: number, specifier: string | undefined, isWorkerName = false): void {
    const { line } = this.#source.getLineAndCharacterOfPosition(position);
    this.found.push({ specifier, isWorkerName, line: line + 1 });
  }

  #noteRequire(name: ts.Node, value: ts.Expression | undefined): void {
    if (value !== undefined && ts.isIdentifier(name) && this.#isMade(value)) this.#requires.add(name.text);
  }

  #noteMaker({ name, propertyName }: ts.ImportSpecifier): void {
    if (propertyName?.text === MAKES_REQUIRE) this.#makers.add(name.text);
  }

  #readCall(call: ts.CallExpression): void {
    const [first] = call.arguments;
    const callee = call.expression;
    if (isCallOf(call, WORKER_ADDRESS)) this.#add(call, first, true);
    else if (isCallOf(call, BUILT_IN)) this.#add(call, first);
    else if (callee.kind === ts.SyntaxKind.ImportKeyword || this.#isRequire(callee)) this.#add(call, first);
    else if (ts.isPropertyAccessExpression(callee)) this.#readMemberCall(call, callee);
  }

  #readMemberCall(call: ts.CallExpression, { name, expression }: ts.PropertyAccessExpression): void {
    // The pattern of a glob says no file by its name.
    if (name.text === 'glob' && isImportMeta(expression)) this.#add(call, undefined);
    if (name.text === BUILT_IN) this.#add(call, call.arguments[0]);
    const isResolving = name.text === 'resolve' && (this.#isRequire(expression) || isImportMeta(expression));
    if (isResolving) this.#add(call, call.arguments[0]);
  }

  #isRequire(node: ts.Node): boolean {
    return (ts.isIdentifier(node) && this.#requires.has(node.text)) || this.#isMade(node);
  }

  /** `createRequire(...)`, by the name it was imported under or as a member of its module. */
  #isMade(node: ts.Node): boolean {
    if (!ts.isCallExpression(node)) return false;
    const maker = node.expression;
    if (ts.isPropertyAccessExpression(maker)) return maker.name.text === MAKES_REQUIRE;
    return ts.isIdentifier(maker) && this.#makers.has(maker.text);
  }

  #readNew(node: ts.NewExpression): void {
    const [first, base] = node.arguments ?? [];
    if (!ts.isIdentifier(node.expression) || first === undefined) return;
    const name = node.expression.text;
    const isOwnAddress =
      base !== undefined && ts.isPropertyAccessExpression(base) && isImportMeta(base.expression);
    if (name === 'URL' && isOwnAddress && ts.isStringLiteralLike(first)) this.#add(node, first);
    // A name holds an address that was made elsewhere, where it was seen.
    if ((name === 'Worker' || name === 'SharedWorker') && !isAddress(first)) this.#add(node, first);
  }
}

/** True for an address that is read where it is made. */
function isAddress(node: ts.Node): boolean {
  const isName = ts.isIdentifier(node) || ts.isPropertyAccessExpression(node);
  return isName || isCallOf(node, WORKER_ADDRESS) || (ts.isNewExpression(node) && isLiteralUrl(node));
}

function isLiteralUrl({ expression, arguments: given }: ts.NewExpression): boolean {
  const [first] = given ?? [];
  const isUrl = ts.isIdentifier(expression) && expression.text === 'URL';
  return isUrl && first !== undefined && ts.isStringLiteralLike(first);
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
}

function isImportMeta(node: ts.Node): boolean {
  return ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
}
