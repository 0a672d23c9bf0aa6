// What the editor offers for `triton-config`: completion, explanation, layout, outline, folding, renaming, the step's
// model, repairs. Every answer comes from the language worker. Registered once per window.

import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { Completion } from '../../../src-shared/config/editor-completion.ts';
import type { Hover, OutlineItem } from '../../../src-shared/config/editor-support.ts';
import type { TextEdit } from '../../../src-shared/config/text-format/ast.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { t } from '../../texts/translate.ts';
import { liveIssuesOf } from '../../lib/live-problems.ts';
import { modelAddress } from '../../lib/address.ts';
import { open } from '../../lib/workspace-store.ts';
import { documentOf, rangeOf, uriOf } from './config-documents.ts';
import { configLanguage } from '../language/config-language-client.ts';
import type { AnswerOf, ArgsOf, OffsetRange, QuestionName } from '../language/language-protocol.ts';
import type { IRange } from './monaco.ts';
import { editor, languages, Range } from './monaco.ts';
import { CONFIG_LANGUAGE, languageConfiguration, tokensProvider } from './triton-language.ts';

type TextModel = editor.ITextModel;

let isRegistered = false;

/** Teaches the editor the language. Safe to call again. */
export function registerConfigLanguage(): void {
  if (isRegistered) return;
  isRegistered = true;
  languages.register({ id: CONFIG_LANGUAGE, extensions: ['.pbtxt'] });
  languages.setMonarchTokensProvider(CONFIG_LANGUAGE, tokensProvider);
  languages.setLanguageConfiguration(CONFIG_LANGUAGE, languageConfiguration);
  languages.registerCompletionItemProvider(CONFIG_LANGUAGE, {
    triggerCharacters: [' ', '"'],
    provideCompletionItems: complete,
  });
  languages.registerHoverProvider(CONFIG_LANGUAGE, {
    provideHover: async (model, position) => {
      const hover = await ask('hover', model, model.getOffsetAt(position));
      return hover === undefined ? undefined : hoverView(model, hover);
    },
  });
  languages.registerDocumentFormattingEditProvider(CONFIG_LANGUAGE, {
    displayName: CONFIG_FILE,
    provideDocumentFormattingEdits: async (model) =>
      ((await ask('format', model)) ?? []).map((edit) => textEdit(model, edit)),
  });
  languages.registerDocumentSymbolProvider(CONFIG_LANGUAGE, {
    displayName: CONFIG_FILE,
    provideDocumentSymbols: async (model) =>
      ((await ask('outline', model)) ?? []).map((item) => symbolOf(model, item)),
  });
  languages.registerFoldingRangeProvider(CONFIG_LANGUAGE, {
    provideFoldingRanges: async (model) => ((await ask('outline', model)) ?? []).flatMap(foldsOf(model)),
  });
  languages.registerRenameProvider(CONFIG_LANGUAGE, { provideRenameEdits, resolveRenameLocation });
  languages.registerDefinitionProvider(CONFIG_LANGUAGE, {
    provideDefinition: async (model, position) => {
      const name = await ask('stepModel', model, model.getOffsetAt(position));
      return name === undefined || name === '' ? undefined : { uri: uriOf(name), range: START };
    },
  });
  languages.registerCodeActionProvider(
    CONFIG_LANGUAGE,
    { provideCodeActions },
    { providedCodeActionKinds: ['quickfix'] },
  );
  editor.registerEditorOpener({
    openCodeEditor: (_source, resource) => {
      const document = documentOf(resource);
      if (document === undefined) return false;
      open(modelAddress(document, 'config'));
      return true;
    },
  });
}

const START = new Range(1, 1, 1, 1);

async function ask<Q extends QuestionName>(
  question: Q,
  model: TextModel,
  ...args: ArgsOf<Q>
): Promise<AnswerOf<Q> | undefined> {
  const document = documentOf(model.uri);
  if (document === undefined) return undefined;
  return configLanguage.ask(question, document, model.getValue(), ...args);
}

/** What was typed can be seen. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

async function complete(
  model: TextModel,
  position: { readonly lineNumber: number; readonly column: number },
  context: languages.CompletionContext,
): Promise<languages.CompletionList> {
  const before = model.getLineContent(position.lineNumber).slice(0, position.column - 1);
  // A blank asks for values only behind a colon; anywhere else it is just a blank.
  if (context.triggerCharacter === ' ' && !/:\s+$/.test(before)) return { suggestions: [] };
  // The list is drawn after the key that asks for it: together they would be one late frame.
  await painted();
  if (model.isDisposed()) return { suggestions: [] };
  const offset = model.getOffsetAt(position);
  const items = (await ask('complete', model, offset)) ?? [];
  return { suggestions: items.map((item, index) => suggestionOf(model, item, index, offset)) };
}

const KINDS = {
  field: languages.CompletionItemKind.Field,
  value: languages.CompletionItemKind.EnumMember,
  snippet: languages.CompletionItemKind.Snippet,
} as const;

function suggestionOf(
  model: TextModel,
  item: Completion,
  index: number,
  offset: number,
): languages.CompletionItem {
  const { startOffset, endOffset } = item.replace;
  return {
    label: item.label,
    kind: KINDS[item.kind],
    detail: item.detail,
    documentation: item.documentation,
    insertText: item.insertText,
    ...(item.isSnippet ? { insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
    filterText: model.getValueInRange(rangeOf(model, startOffset, offset)).startsWith('"')
      ? `"${item.label}`
      : item.label,
    sortText: String(index).padStart(4, '0'),
    range: {
      insert: rangeOf(model, startOffset, offset),
      replace: rangeOf(model, startOffset, endOffset),
    },
  };
}

function hoverView(model: TextModel, { title, doc, facts, span }: Hover): languages.Hover {
  const rows = facts.map(({ label, text }) => `${label}: ${text}`).join('  \n');
  return {
    range: rangeOf(model, span.startOffset, span.endOffset),
    contents: [{ value: `\`${title}\`` }, { value: doc }, { value: rows }].filter(
      ({ value }) => value !== '',
    ),
  };
}

function textEdit(model: TextModel, { startOffset, endOffset, newText }: TextEdit): languages.TextEdit {
  return { range: rangeOf(model, startOffset, endOffset), text: newText };
}

function symbolOf(model: TextModel, item: OutlineItem): languages.DocumentSymbol {
  const isBlock = item.children.length > 0;
  return {
    name: item.name,
    detail: item.detail,
    kind: isBlock ? languages.SymbolKind.Struct : languages.SymbolKind.Property,
    tags: [],
    range: rangeOf(model, item.span.startOffset, item.span.endOffset),
    selectionRange: selectionOf(model, item),
    children: item.children.map((child) => symbolOf(model, child)),
  };
}

/** The name where it is part of the item; items of a list begin with their brace. */
function selectionOf(model: TextModel, { span, nameSpan }: OutlineItem): IRange {
  return nameSpan.startOffset >= span.startOffset
    ? rangeOf(model, nameSpan.startOffset, nameSpan.endOffset)
    : rangeOf(model, span.startOffset, span.startOffset + 1);
}

function foldsOf(model: TextModel): (item: OutlineItem) => languages.FoldingRange[] {
  const folds = (item: OutlineItem): languages.FoldingRange[] => {
    const start = model.getPositionAt(item.span.startOffset).lineNumber;
    const end = model.getPositionAt(item.span.endOffset).lineNumber;
    const inner = item.children.flatMap(folds);
    // The closing brace stays visible below the folded block.
    return end - start > 1 ? [{ start, end: end - 1 }, ...inner] : inner;
  };
  return folds;
}

async function provideRenameEdits(
  model: TextModel,
  position: { readonly lineNumber: number; readonly column: number },
  newName: string,
): Promise<languages.WorkspaceEdit & languages.Rejection> {
  if (newName.trim() === '') return { edits: [], rejectReason: t('config.rename.empty') };
  const edits = (await ask('rename', model, model.getOffsetAt(position), newName)) ?? [];
  if (edits.length === 0) return { edits: [], rejectReason: t('config.rename.onlyTensors') };
  return workspaceEdit(model, edits);
}

async function resolveRenameLocation(
  model: TextModel,
  position: { readonly lineNumber: number; readonly column: number },
): Promise<languages.RenameLocation & languages.Rejection> {
  const tensor = await ask('tensor', model, model.getOffsetAt(position));
  if (tensor === undefined) return { range: START, text: '', rejectReason: t('config.rename.onlyTensors') };
  return { range: insideQuotes(model, tensor.range), text: tensor.name };
}

function insideQuotes(model: TextModel, { startOffset, endOffset }: OffsetRange): IRange {
  return rangeOf(model, startOffset + 1, endOffset - 1);
}

function workspaceEdit(model: TextModel, edits: readonly TextEdit[]): languages.WorkspaceEdit {
  return {
    edits: edits.map((edit) => ({
      resource: model.uri,
      versionId: model.getVersionId(),
      textEdit: textEdit(model, edit),
    })),
  };
}

function provideCodeActions(
  model: TextModel,
  _range: Range,
  context: languages.CodeActionContext,
): languages.CodeActionList {
  const issues = liveIssuesOf(documentOf(model.uri) ?? '');
  const actions = context.markers.flatMap((marker) =>
    issues
      .filter((issue) => isMarkerOf(marker, issue))
      .flatMap((issue) => issue.fixes)
      .filter(({ edits, action }) => edits.length > 0 && action === undefined)
      .map((fix, index) => ({
        title: fix.title,
        kind: 'quickfix',
        diagnostics: [marker],
        isPreferred: index === 0,
        edit: workspaceEdit(model, fix.edits),
      })),
  );
  return { actions, dispose: () => undefined };
}

function isMarkerOf(marker: editor.IMarkerData, issue: ConfigIssueView): boolean {
  return (
    marker.code === issue.code &&
    marker.startLineNumber === issue.line &&
    marker.message.startsWith(issue.message)
  );
}
