// The language `triton-config` as the editor sees it without our rules: colours of tokens, brackets, comments. What a
// text means is answered by the language worker.

import type { languages as Languages } from 'monaco-editor/editor/editor.api.js';

/** The id under which the text editor knows the language of config.pbtxt. */
export const CONFIG_LANGUAGE = 'triton-config';

/** For `setMonarchTokensProvider`. */
export const tokensProvider: Languages.IMonarchLanguage = {
  defaultToken: '',
  brackets: [
    { open: '{', close: '}', token: 'delimiter.curly' },
    { open: '[', close: ']', token: 'delimiter.square' },
    { open: '<', close: '>', token: 'delimiter.angle' },
  ],
  tokenizer: {
    root: [
      [/#.*$/, 'comment'],
      [/[A-Za-z_]\w*(?=\s*[:{[<])/, 'key'],
      [/\b(?:true|false|inf|nan)\b/, 'keyword'],
      [/[A-Z][A-Z0-9_]*\b/, 'constant'],
      [/[A-Za-z_]\w*/, 'identifier'],
      [/[-+]?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?f?|\.\d+(?:[eE][-+]?\d+)?)/, 'number'],
      [/"/, 'string', '@doubleQuoted'],
      [/'/, 'string', '@singleQuoted'],
      [/[{}[\]<>]/, '@brackets'],
      [/[:,;]/, 'delimiter'],
    ],
    doubleQuoted: [
      [/[^"\\]+/, 'string'],
      [/\\./, 'string.escape'],
      [/"/, 'string', '@pop'],
      // A string ends with its line: an open quote must not colour the rest of the file.
      [/$/, 'string', '@pop'],
    ],
    singleQuoted: [
      [/[^'\\]+/, 'string'],
      [/\\./, 'string.escape'],
      [/'/, 'string', '@pop'],
      [/$/, 'string', '@pop'],
    ],
  },
};

/** For `setLanguageConfiguration`. */
export const languageConfiguration: Languages.LanguageConfiguration = {
  comments: { lineComment: '#' },
  // Colours mean kinds of tokens here; brackets are matched, not coloured by depth.
  colorizedBracketPairs: [],
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"' },
  ],
  indentationRules: {
    increaseIndentPattern: /[{[]\s*(?:#.*)?$/,
    decreaseIndentPattern: /^\s*[}\]]/,
  },
  wordPattern: /[A-Za-z_]\w*|[-+]?\d[\w.]*/,
};
