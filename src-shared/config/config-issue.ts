// ConfigIssue: one thing that is wrong with a configuration, or worth knowing. Messages are the reference's own words
// where it has any; the hint says in ours what to do. Codes are stable, for the UI and for documentation links.

import type { StatusCode } from '../errors.ts';
import type { TextEdit } from './text-format/ast.ts';
import type { Span } from './text-format/lexer.ts';

/** error: a server refuses the model; the others load. */
export type IssueSeverity = 'error' | 'warning' | 'info';

/** What each code stands for. */
export const ISSUE_CODES = {
  D01: 'text cannot be parsed',
  D02: 'unknown field',
  D03: 'value of the wrong type or out of range',
  D04: 'field given more than once',
  D05: 'name',
  D06: 'backend and platform',
  D07: 'maximum batch size',
  D10: 'tensor names and counts against the model file',
  D11: 'data type against the model file',
  D20: 'batching against the model file',
  D21: 'dims include the batch dimension',
  D22: 'model could be batched',
  D23: 'shape against the model file',
  D24: 'reshape',
  D25: 'tensor description',
  D26: 'batch inputs and outputs',
  D27: 'only for TensorRT',
  D30: 'dynamic batching',
  D31: 'preferred batch sizes',
  D32: 'priorities and queue policies',
  D35: 'sequence controls and batching',
  D36: 'sequence states',
  D40: 'devices of instance groups',
  D41: 'threads and cores',
  D42: 'instance groups',
  D43: 'values of parameters',
  D45: 'versions',
  D50: 'ensemble graph',
  D55: 'not allowed in an ensemble',
  D60: 'warmup',
  D65: 'response cache',
  D66: 'metrics',
  D70: 'no effect here',
  D71: 'more findings than are shown',
} as const;

/** The number of a rule; stays with the rule for ever. */
export type IssueCode = keyof typeof ISSUE_CODES;

/**
 * Repairs that are more than an edit of the text. `cpu-profile` writes the edited text as a profile of its own,
 * `rename-folder`, `create-version-folder` and `import-model` act on the repository, `serve-onnx` makes a model of the ONNX
 * file `target`, `open-model` leads to the model that has to change, `choose-python` to where a Python is chosen or set up, `ignore` puts the finding aside in this window.
 */
export type FixAction =
  | 'create-version-folder'
  | 'locate-external-data'
  | 'replace-model-file'
  | 'batch-probe'
  | 'rename-folder'
  | 'cpu-profile'
  | 'import-model'
  | 'serve-onnx'
  | 'open-model'
  | 'choose-python'
  | 'trust-repository'
  | 'ignore';

/** A change that takes a finding away. */
export interface ConfigFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  readonly action?: FixAction;
  /** What the action is about: a folder, a profile or a model by name. */
  readonly target?: string;
}

/** One field that gets a value, `undefined` to remove it; or one entry of a map that gets another key. */
export type FieldChange =
  | { readonly path: string; readonly value: unknown }
  | { readonly path: string; readonly newKey: string };

/** A repair by field paths; becomes text edits once there is a text. */
export interface ConfigChange {
  readonly title: string;
  readonly sets: readonly FieldChange[];
  readonly action?: FixAction;
  readonly target?: string;
}

/** One finding about a configuration. */
export interface ConfigIssue {
  readonly code: IssueCode;
  readonly severity: IssueSeverity;
  /** The reference's message where it has one. */
  readonly message: string;
  /** Field path in file names, such as `input[0].dims`; empty for the whole document. */
  readonly path: string;
  /** Place in the text; undefined when there is no text. */
  readonly span: Span | undefined;
  /** What to do about it; may be empty. */
  readonly hint: string;
  readonly fixes: readonly ConfigFix[];
  readonly changes: readonly ConfigChange[];
  /** Code of the error that a server gives with this message. */
  readonly statusCode: StatusCode;
}

/** What to do about a finding. */
export interface IssueAdvice {
  readonly hint?: string;
  readonly changes?: readonly ConfigChange[];
}

interface IssueOptions extends IssueAdvice {
  readonly path?: string;
  readonly span?: Span | undefined;
  readonly fixes?: readonly ConfigFix[];
  readonly severity?: IssueSeverity;
  readonly statusCode?: StatusCode;
}

/** An error unless told otherwise. */
export function configIssue(code: IssueCode, message: string, options: IssueOptions = {}): ConfigIssue {
  return {
    code,
    severity: options.severity ?? 'error',
    message: clip(message),
    path: options.path ?? '',
    span: options.span && copySpan(options.span),
    hint: options.hint ?? '',
    fixes: options.fixes ?? [],
    changes: options.changes ?? [],
    statusCode: options.statusCode ?? 'INVALID_ARG',
  };
}

/**
 * A finding whose advice takes more than a look at the place itself: it is made when somebody reads it, and once. Of the
 * findings of a rule that goes over a long list most are never read.
 */
export function explainedIssue(
  code: IssueCode,
  message: string,
  options: Omit<IssueOptions, keyof IssueAdvice>,
  advise: () => IssueAdvice,
): ConfigIssue {
  let advice: IssueAdvice | undefined;
  return {
    ...configIssue(code, message, options),
    get hint() {
      return (advice ??= advise()).hint ?? '';
    },
    get changes() {
      return (advice ??= advise()).changes ?? [];
    },
  };
}

/** The repair that sets `path` to `value`. */
export function setTo(path: string, value: unknown, title?: string): ConfigChange {
  const name = path.replace(/^.*\./, '');
  return {
    title: title ?? `Set ${name} to ${Array.isArray(value) ? `[ ${value.join(', ')} ]` : String(value)}`,
    sets: [{ path, value }],
  };
}

/** The repair that gives the entry of a map at `path` another key. */
export function renameEntry(path: string, newKey: string): ConfigChange {
  return { title: `Rename to ${newKey}`, sets: [{ path, newKey }] };
}

/** The repair that removes `path`. */
export function removeAt(path: string, title?: string): ConfigChange {
  return { title: title ?? `Remove ${path}`, sets: [{ path, value: undefined }] };
}

/** The repair that is no edit. */
export function actionFix(action: FixAction, title: string, target = ''): ConfigChange {
  return { title, sets: [], action, target };
}

/** The issue that the wire shows, if any. */
export function firstError(issues: readonly ConfigIssue[]): ConfigIssue | undefined {
  return issues.find((issue) => issue.severity === 'error');
}

/** More findings than anybody reads. */
const MAX_SHOWN = 100;

/** Findings to show: the first hundred and the first error, with a last one that tells how many there are beside. */
export function shownIssues(issues: readonly ConfigIssue[]): readonly ConfigIssue[] {
  if (issues.length <= MAX_SHOWN) return issues;
  const shown = issues.slice(0, MAX_SHOWN);
  const error = firstError(issues);
  if (error !== undefined && firstError(shown) === undefined) shown.push(error);
  const count = issues.length - shown.length;
  const hint = 'Settle those that are shown, then look again.';
  return [...shown, configIssue('D71', `${count} more findings are not shown`, { severity: 'info', hint })];
}

/** Names for a message: all of them, or the first ones and how many there are where the list would be long. */
export function nameList(names: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (length > MAX_NAMES_LENGTH) return `${kept.join(', ')}, ... (${names.length} in all)`;
    kept.push(name);
  }
  return kept.join(', ');
}

const MAX_NAMES_LENGTH = 800;

/** Quoted input can be as long as the file; a message stays readable. */
function clip(message: string): string {
  return message.length <= 1000 ? message : `${message.slice(0, 600)} ... ${message.slice(-100)}`;
}

/** Spans may be tokens, which know more than a finding should carry. */
function copySpan({ startOffset, endOffset, line, column }: Span): Span {
  return { startOffset, endOffset, line, column };
}
