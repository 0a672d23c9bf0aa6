// Answers every question about a configuration text with the same rules as the server. Total: any text and any offset
// have an answer. Keeps nothing but the facts per document and the last check, which several questions share.

import type { CheckedConfig } from '../../../src-shared/config/check-config.ts';
import { checkConfigText } from '../../../src-shared/config/check-config.ts';
import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { modelConfigToLines } from '../../../src-shared/config/config-encoder.ts';
import type { ConfigIssue } from '../../../src-shared/config/config-issue.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import { originOf } from '../../../src-shared/config/config-origins.ts';
import { pathsAround } from '../../../src-shared/config/config-path.ts';
import { configValueAt } from '../../../src-shared/config/config-value.ts';
import { completionsAt } from '../../../src-shared/config/editor-completion.ts';
import {
  ensembleTensorAt,
  formatEdits,
  hoverAt,
  outlineOf,
  renameTensorEdits,
  stepModelAt,
} from '../../../src-shared/config/editor-support.ts';
import type { TextTree } from '../../../src-shared/config/text-format/ast.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ContextFacts } from './context-facts.ts';
import { bareFacts, contextFacts } from './context-facts.ts';
import type {
  AnswerOf,
  AskMessage,
  EffectiveLine,
  EffectiveText,
  FillField,
  LanguageContext,
  LanguageQuestions,
  OffsetRange,
  QuestionName,
} from './language-protocol.ts';

type Answers = {
  readonly [Q in QuestionName]: (
    document: string,
    text: string,
    ...args: LanguageQuestions[Q]['args']
  ) => AnswerOf<Q>;
};

interface KeptCheck {
  readonly document: string;
  readonly text: string;
  readonly checked: CheckedConfig;
}

/** Offsets count UTF-16 code units. Without facts about a document, rules that need them are silent. */
export class ConfigLanguage {
  readonly #facts = new Map<string, ContextFacts>();
  #tree: TextTree = parseText('');
  #check: KeptCheck | undefined;

  readonly answers: Answers = {
    check: (document, text) => this.#checked(document, text).issues.map(issueView),
    effective: (document, text) => effectiveOf(this.#checked(document, text)),
    complete: (document, text, offset) =>
      completionsAt(this.#parsed(text), offset, this.#factsOf(document).editor),
    hover: (_document, text, offset) => hoverAt(this.#parsed(text), offset),
    format: (_document, text) => formatEdits(this.#parsed(text)),
    outline: (_document, text) => outlineOf(this.#parsed(text)),
    tensor: (_document, text, offset) => tensorAt(this.#parsed(text), offset),
    rename: (_document, text, offset, newName) => renameTensorEdits(this.#parsed(text), offset, newName),
    stepModel: (_document, text, offset) => stepModelAt(this.#parsed(text), offset),
    fillable: (document, text) => fillableFields(this.#checked(document, text)),
    fill: (document, text, paths) => filled(text, this.#checked(document, text), paths),
  };

  /** Replaces what was known about the document. */
  setContext(document: string, context: LanguageContext): void {
    this.#facts.set(document, contextFacts(context));
    this.#check = undefined;
  }

  /** For a document that is shown no more; it may be asked about again. */
  forget(document: string): void {
    this.#facts.delete(document);
    if (this.#check?.document === document) this.#check = undefined;
  }

  /** For messages: the arguments were typed where the question was asked. */
  answer({ question, document, text, args }: Omit<AskMessage, 'type' | 'id'>): unknown {
    const answer = this.answers[question] as (
      document: string,
      text: string,
      ...rest: readonly unknown[]
    ) => unknown;
    return answer(document, text, ...args);
  }

  #factsOf(document: string): ContextFacts {
    return this.#facts.get(document) ?? bareFacts(document);
  }

  #checked(document: string, text: string): CheckedConfig {
    const kept = this.#check;
    if (kept?.document === document && kept.text === text) return kept.checked;
    const checked = checkConfigText(text, this.#factsOf(document).check);
    this.#check = { document, text, checked };
    this.#tree = checked.parsed.tree;
    return checked;
  }

  #parsed(text: string): TextTree {
    if (this.#tree.text !== text) this.#tree = parseText(text);
    return this.#tree;
  }
}

/** A finding without a place is about the whole document and stands at its start. */
export function issueView(issue: ConfigIssue): ConfigIssueView {
  const { code, severity, message, hint, path, span, fixes } = issue;
  return {
    code,
    severity,
    message,
    hint,
    path,
    startOffset: span?.startOffset ?? 0,
    endOffset: span?.endOffset ?? 0,
    line: span?.line ?? 1,
    column: span?.column ?? 1,
    fixes,
  };
}

function effectiveOf(checked: CheckedConfig): EffectiveText {
  return { lines: effectiveLines(checked), error: firstError(checked.issues)?.message };
}

function effectiveLines({ config, origins }: CheckedConfig): readonly EffectiveLine[] {
  return modelConfigToLines(config).map(({ text, path }) => {
    const { kind, reason } = originOf(origins, path);
    return { text, path, origin: kind, reason };
  });
}

function tensorAt(
  tree: TextTree,
  offset: number,
): { readonly name: string; readonly range: OffsetRange } | undefined {
  const tensor = ensembleTensorAt(tree, offset);
  const range = tensor?.spans.find((span) => span.startOffset <= offset && offset <= span.endOffset);
  return tensor === undefined || range === undefined ? undefined : { name: tensor.name, range };
}

/** More fields than anybody ticks one by one. */
const MAX_FILLABLE = 200;

/** Outermost fields that nobody wrote and that the effective text shows. */
function fillableFields(checked: CheckedConfig): readonly FillField[] {
  const { origins } = checked;
  const isAdded = (path: string): boolean => {
    const kind = origins.get(path)?.kind;
    return kind !== undefined && kind !== 'file' && kind !== 'override';
  };
  const texts = new Map<string, string[]>();
  for (const { text, path } of modelConfigToLines(checked.config)) {
    const added = pathsAround(path).find(isAdded);
    if (added === undefined) continue;
    const own = texts.get(added);
    if (own !== undefined) own.push(text);
    else if (texts.size < MAX_FILLABLE) texts.set(added, [text]);
  }
  return [...origins].flatMap(([path, { kind, reason }]) => {
    const own = texts.get(path);
    return own === undefined ? [] : [{ path, text: dedented(own), origin: kind, reason }];
  });
}

function dedented(lines: readonly string[]): string {
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  return lines.map((line) => line.slice(indent)).join('\n');
}

function filled(text: string, { config }: CheckedConfig, paths: readonly string[]): string {
  return paths.reduce(
    (current, path) =>
      applyTextEdits(current, editConfigValue(parseText(current), path, configValueAt(config, path))),
    text,
  );
}
