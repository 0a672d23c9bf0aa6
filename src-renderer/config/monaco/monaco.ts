// Monaco with the features this window uses and nothing else; imported only by views that load on demand. Its own
// worker computes differences; the language has a worker of its own.

import 'monaco-editor/features/bracketMatching/register.js';
import 'monaco-editor/features/caretOperations/register.js';
import 'monaco-editor/features/clipboard/register.js';
import 'monaco-editor/features/codeAction/register.js';
import 'monaco-editor/features/codeEditor/register.js';
import 'monaco-editor/features/codicon/register.js';
import 'monaco-editor/features/comment/register.js';
import 'monaco-editor/features/contextmenu/register.js';
import 'monaco-editor/features/cursorUndo/register.js';
import 'monaco-editor/features/diffEditor/register.js';
import 'monaco-editor/features/documentSymbols/register.js';
import 'monaco-editor/features/find/register.js';
import 'monaco-editor/features/folding/register.js';
import 'monaco-editor/features/format/register.js';
import 'monaco-editor/features/gotoError/register.js';
import 'monaco-editor/features/gotoSymbol/register.js';
import 'monaco-editor/features/hover/register.js';
import 'monaco-editor/features/indentation/register.js';
import 'monaco-editor/features/linesOperations/register.js';
import 'monaco-editor/features/multicursor/register.js';
import 'monaco-editor/features/quickOutline/register.js';
import 'monaco-editor/features/readOnlyMessage/register.js';
import 'monaco-editor/features/rename/register.js';
import 'monaco-editor/features/smartSelect/register.js';
import 'monaco-editor/features/snippet/register.js';
// The feature of this name brings only inline suggestions; the list comes with its controller.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js';
import 'monaco-editor/features/toggleTabFocusMode/register.js';
import 'monaco-editor/features/wordHighlighter/register.js';
import 'monaco-editor/features/wordOperations/register.js';
import 'monaco-editor/languages/definitions/javascript/register.js';
import 'monaco-editor/languages/definitions/python/register.js';
import { editor as monacoEditor, KeyCode, KeyMod } from 'monaco-editor/editor/editor.api.js';
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };

// Ctrl+I opens the inspector of the window, inside the editor too; the list of suggestions keeps Ctrl+Space.
monacoEditor.addKeybindingRule({
  keybinding: KeyMod.CtrlCmd | KeyCode.KeyI,
  command: '-editor.action.triggerSuggest',
});

export { editor, languages, MarkerSeverity, Range, Uri } from 'monaco-editor/editor/editor.api.js';
export type {
  CancellationToken,
  IDisposable,
  IPosition,
  IRange,
  Position,
} from 'monaco-editor/editor/editor.api.js';
