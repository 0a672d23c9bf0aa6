// What the page asks the language worker, and how. Every question carries the whole text, so the worker keeps no
// document and can be replaced at any time; only the facts about a model are kept there, by document.

import type { Completion } from '../../../src-shared/config/editor-completion.ts';
import type { Hover, OutlineItem } from '../../../src-shared/config/editor-support.ts';
import type { TextEdit } from '../../../src-shared/config/text-format/ast.ts';
import type {
  ConfigContext,
  ConfigIssueView,
  OriginKind,
} from '../../../src-shared/contract/config-calls.ts';

/** Whether a composing model can be used, as the window knows it. */
export interface ModelReadiness {
  readonly readyVersions: readonly number[];
  /** Why its last load failed, undefined when it did not. */
  readonly loadError: string | undefined;
}

/** Everything the rules ask about beside the text. */
export interface LanguageContext extends ConfigContext {
  readonly gpuPolicy: 'strict' | 'fallback';
  /** By model name; a model without an entry counts as not loaded yet and loadable. */
  readonly readiness: Readonly<Record<string, ModelReadiness>>;
}

/** One line of a completed configuration, and where its value comes from. */
export interface EffectiveLine {
  readonly text: string;
  readonly path: string;
  readonly origin: OriginKind;
  /** Why the value is what it is; undefined for what is written. */
  readonly reason: string | undefined;
}

/** A configuration completed as the server would complete it. */
export interface EffectiveText {
  readonly lines: readonly EffectiveLine[];
  /** First error of the text: what is shown is then only as far as it could be completed. */
  readonly error: string | undefined;
}

/** The same in a few long texts: thousands of objects take long to copy from thread to thread, texts do not. */
export interface PackedEffective {
  readonly texts: string;
  readonly paths: string;
  readonly origins: string;
  readonly reasons: string;
  readonly error: string | undefined;
}

/** A field that completion added and that can be written into the file. */
export interface FillField {
  readonly path: string;
  /** Its lines as they would be written. */
  readonly text: string;
  readonly origin: OriginKind;
  readonly reason: string | undefined;
}

/** UTF-16 code units of the text; the end is not part of it. */
export interface OffsetRange {
  readonly startOffset: number;
  readonly endOffset: number;
}

/** Name of a question -> its arguments after the text, and its answer. */
export interface LanguageQuestions {
  check: { args: readonly []; answer: readonly ConfigIssueView[] };
  effective: { args: readonly []; answer: EffectiveText };
  complete: { args: readonly [offset: number]; answer: readonly Completion[] };
  hover: { args: readonly [offset: number]; answer: Hover | undefined };
  format: { args: readonly []; answer: readonly TextEdit[] };
  outline: { args: readonly []; answer: readonly OutlineItem[] };
  /** Range of the ensemble tensor at the offset; undefined where nothing can be renamed. */
  tensor: {
    args: readonly [offset: number];
    answer: { readonly name: string; readonly range: OffsetRange } | undefined;
  };
  rename: { args: readonly [offset: number, newName: string]; answer: readonly TextEdit[] };
  stepModel: { args: readonly [offset: number]; answer: string | undefined };
  fillable: { args: readonly []; answer: readonly FillField[] };
  /** The text with these fields written. */
  fill: { args: readonly [paths: readonly string[]]; answer: string };
}

/** What the worker can be asked. */
export type QuestionName = keyof LanguageQuestions;
/** The answer to a question. */
export type AnswerOf<Q extends QuestionName> = LanguageQuestions[Q]['answer'];
/** What goes with a question. */
export type ArgsOf<Q extends QuestionName> = LanguageQuestions[Q]['args'];

/** `id` comes back with the answer. Beside `text`, `args` are what the question takes: offsets, a new name. */
export interface AskMessage {
  readonly type: 'ask';
  readonly id: number;
  readonly document: string;
  readonly question: QuestionName;
  readonly text: string;
  readonly args: readonly unknown[];
}

/** Every message from the page to the worker. */
export type ToWorker =
  | AskMessage
  | { readonly type: 'context'; readonly document: string; readonly context: LanguageContext }
  | { readonly type: 'forget'; readonly document: string };

/** Every message from the worker to the page. `id` is that of the question. */
export type FromWorker =
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'effective'; readonly id: number; readonly packed: PackedEffective }
  /** A newer question of the same kind about the same document took its place. */
  | { readonly type: 'superseded'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
