// Declarations of text, and functions that return it, whose docstring says that the empty text means "none". `undefined` says that, and then forgetting
// to look does not compile. Where the protocol, a file that is kept, or a field of a form has the empty text itself, the
// declaration is listed in empty-texts-known.ts. Pure.

import ts from '@typescript/typescript6';

/** `""` or `''` in a docstring, or "empty" as a word for a case. */
const SAYS_NONE = /""|''|\b[Ee]mpty (?:=|when|where|for|on|unless|until|while|without)(?=\s)|\belse empty\b/;

/** Names of members of type text and of functions that return text, in the order of the file. */
export function emptyForNone(fileName: string, text: string): readonly string[] {
  const kind = fileName.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && ts.getJSDocCommentsAndTags(node).some((doc) => SAYS_NONE.test(doc.getText())))
      found.push(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Declaration =
  | ts.PropertySignature
  | ts.PropertyDeclaration
  | ts.PropertyAssignment
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | ts.MethodSignature;

/** A member whose type is text, in TypeScript or as a schema, or a function with a name that returns one. */
function isText(node: ts.Node): node is Declaration & { readonly name: ts.PropertyName } {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node))
    return node.name !== undefined && /^(?:string|Promise<string>)$/.test(node.type?.getText() ?? '');
  if (ts.isPropertySignature(node) || ts.isPropertyDeclaration(node))
    return /^string(?: \| undefined)?$/.test(node.type?.getText() ?? '');
  return ts.isPropertyAssignment(node) && node.initializer.getText().startsWith('z.string()');
}

/** What is wrong with a file: members that are not in its list, and names of the list that it has no more. */
export function emptyTextFaults(found: readonly string[], known: readonly string[]): readonly string[] {
  const fresh = withoutEach(found, known).map(
    (name) => `${name}: say undefined where there is none, not an empty text`,
  );
  const gone = withoutEach(known, found).map(
    (name) => `${name} says no more that it may be empty: take it out of tools/docs/empty-texts-known.ts`,
  );
  return [...fresh, ...gone];
}

/** `names` without those of `taken`, each as often as it is there. */
function withoutEach(names: readonly string[], taken: readonly string[]): readonly string[] {
  const rest = [...taken];
  return names.filter((name) => {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
