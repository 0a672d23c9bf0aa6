// Text of a config.pbtxt to ModelConfig: parser and decoder in one call, their findings merged in source order.

import { decodeModelConfig } from './config-decoder.ts';
import { CONFIG_FILE } from './config-file.ts';
import { configIssue, firstError, type ConfigIssue } from './config-issue.ts';
import type { ModelConfig } from './model-config.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { TextTree } from './text-format/ast.ts';
import { parseText } from './text-format/parser.ts';
import { pathAtOffset } from './config-path.ts';

/** What could be read of a config.pbtxt. */
export interface ParsedModelConfig {
  /** Everything that could be understood; usable only when no issue is an error. */
  readonly config: ModelConfig;
  /** Syntax and schema findings in source order; the first error is the one a server logs. */
  readonly issues: readonly ConfigIssue[];
  readonly tree: TextTree;
  readonly fileName: string;
}

/** Parses any text; never throws. */
export function parseModelConfig(
  text: string,
  { fileName = CONFIG_FILE }: { fileName?: string } = {},
): ParsedModelConfig {
  const tree = parseText(text);
  const syntax = tree.problems.map((problem) =>
    configIssue('D01', problem.message, {
      path: pathAtOffset(tree.root, MODEL_CONFIG, problem.span.startOffset).path,
      span: problem.span,
      hint: problem.hint,
      fixes: problem.fixes,
      statusCode: 'INTERNAL',
    }),
  );
  const { config, issues } = decodeModelConfig(tree);
  return { config, issues: mergeBySource(syntax, issues), tree, fileName };
}

/**
 * The line a server logs for text that cannot be read:
 * `Error parsing text-format inference.ModelConfig: LINE:COL: MESSAGE`. Undefined when there is no error.
 */
export function parseErrorLine(parsed: ParsedModelConfig): string | undefined {
  const error = firstError(parsed.issues);
  if (error === undefined) return undefined;
  const { line, column } = error.span ?? { line: 1, column: 1 };
  return `Error parsing text-format inference.ModelConfig: ${line}:${column}: ${error.message}`;
}

/** One finding per place: a decoder complaint about a place the parser already named is noise. */
function mergeBySource(syntax: readonly ConfigIssue[], decoded: readonly ConfigIssue[]): ConfigIssue[] {
  const taken = new Set(syntax.map((issue) => issue.span?.startOffset));
  return [...syntax, ...decoded.filter((issue) => !taken.has(issue.span?.startOffset))].toSorted(
    (a, b) => (a.span?.startOffset ?? 0) - (b.span?.startOffset ?? 0),
  );
}
