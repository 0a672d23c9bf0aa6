// How every text editor of the window behaves and looks, apart from its colours.

import { editorFont } from './monaco-theme.ts';
import type { editor } from './monaco.ts';

/** Read anew for each editor, since the font follows the settings. */
export function editorOptions(): editor.IStandaloneEditorConstructionOptions {
  return {
    ...editorFont(),
    // The theme follows colours of the user's own by itself.
    autoDetectHighContrast: false,
    automaticLayout: true,
    bracketPairColorization: { enabled: false },
    detectIndentation: false,
    fixedOverflowWidgets: true,
    insertSpaces: true,
    lineNumbersMinChars: 3,
    links: false,
    minimap: { enabled: false },
    overviewRulerLanes: 2,
    padding: { top: 8, bottom: 8 },
    quickSuggestions: { strings: true, other: true, comments: false },
    renderLineHighlight: 'line',
    renderWhitespace: 'none',
    scrollBeyondLastLine: false,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    smoothScrolling: false,
    stickyScroll: { enabled: false },
    suggest: { showWords: false, insertMode: 'replace' },
    tabSize: 2,
    unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: true },
    wordBasedSuggestions: 'off',
  };
}
