// The editor in the window's colours: themes are built from the colour roles of the style sheet, again whenever the
// window's theme changes.

import { appearance } from '../../ui/appearance.ts';
import { editor } from './monaco.ts';

type Theme = 'light' | 'dark' | 'high-contrast';

const BASES: Readonly<Record<Theme, editor.BuiltinTheme>> = {
  light: 'vs',
  dark: 'vs-dark',
  'high-contrast': 'hc-black',
};

/** Editor colour -> role, with the share of opacity in hex where it is not whole. */
const COLORS: Readonly<Record<string, readonly [role: string, alpha?: string]>> = {
  'editor.background': ['surface'],
  'editor.foreground': ['text'],
  'editorLineNumber.foreground': ['text-faint'],
  'editorLineNumber.activeForeground': ['text'],
  'editorCursor.foreground': ['text'],
  'editor.selectionBackground': ['selected'],
  'editor.inactiveSelectionBackground': ['hover'],
  'editor.lineHighlightBackground': ['sunken'],
  'editor.lineHighlightBorder': ['sunken'],
  'editor.wordHighlightBackground': ['hover'],
  'editor.wordHighlightStrongBackground': ['selected'],
  'editor.findMatchBackground': ['warn', '66'],
  'editor.findMatchHighlightBackground': ['warn', '33'],
  'editorBracketMatch.background': ['selected'],
  'editorBracketMatch.border': ['line-strong'],
  'editorIndentGuide.background1': ['line'],
  'editorIndentGuide.activeBackground1': ['line-strong'],
  'editorGutter.background': ['surface'],
  'editorWhitespace.foreground': ['line-strong'],
  'editorWidget.background': ['surface'],
  'editorWidget.foreground': ['text'],
  'editorWidget.border': ['line'],
  'editorHoverWidget.background': ['surface'],
  'editorHoverWidget.foreground': ['text'],
  'editorHoverWidget.border': ['line'],
  'editorSuggestWidget.background': ['surface'],
  'editorSuggestWidget.border': ['line'],
  'editorSuggestWidget.foreground': ['text'],
  'editorSuggestWidget.selectedBackground': ['selected'],
  'editorSuggestWidget.selectedForeground': ['text'],
  'editorSuggestWidget.highlightForeground': ['accent'],
  'editorSuggestWidget.focusHighlightForeground': ['accent'],
  'editorError.foreground': ['bad'],
  'editorWarning.foreground': ['warn'],
  'editorInfo.foreground': ['info'],
  'editorMarkerNavigation.background': ['surface'],
  'editorMarkerNavigationError.background': ['bad'],
  'editorMarkerNavigationWarning.background': ['warn'],
  'editorMarkerNavigationInfo.background': ['info'],
  'editorLightBulb.foreground': ['warn'],
  'editorOverviewRuler.border': ['line'],
  'diffEditor.insertedTextBackground': ['good', '33'],
  'diffEditor.insertedLineBackground': ['good', '1a'],
  'diffEditor.removedTextBackground': ['bad', '33'],
  'diffEditor.removedLineBackground': ['bad', '1a'],
  'diffEditor.border': ['line'],
  focusBorder: ['focus'],
  'input.background': ['surface'],
  'input.foreground': ['text'],
  'input.border': ['line-strong'],
  'inputOption.activeBorder': ['accent'],
  'list.hoverBackground': ['hover'],
  'list.activeSelectionBackground': ['selected'],
  'list.activeSelectionForeground': ['text'],
  'list.focusBackground': ['selected'],
  'list.focusForeground': ['text'],
  'list.highlightForeground': ['accent'],
  'menu.background': ['surface'],
  'menu.foreground': ['text'],
  'menu.selectionBackground': ['hover'],
  'menu.selectionForeground': ['text'],
  'menu.border': ['line'],
  'quickInput.background': ['surface'],
  'quickInput.foreground': ['text'],
  'quickInputList.focusBackground': ['selected'],
  'quickInputList.focusForeground': ['text'],
  'scrollbarSlider.background': ['line-strong', '55'],
  'scrollbarSlider.hoverBackground': ['line-strong', '88'],
  'scrollbarSlider.activeBackground': ['line-strong', 'aa'],
  'textLink.foreground': ['accent'],
  'textLink.activeForeground': ['accent-hover'],
  'textCodeBlock.background': ['sunken'],
  'widget.shadow': ['line', '00'],
};

const TOKENS: readonly (readonly [token: string, role: string, style?: string])[] = [
  ['', 'text'],
  ['comment', 'text-faint', 'italic'],
  ['key', 'c1'],
  ['string', 'c3'],
  ['string.escape', 'c2'],
  ['number', 'c2'],
  ['constant', 'c4'],
  ['keyword', 'c4'],
  ['identifier', 'text'],
  ['delimiter', 'text-soft'],
];

/** Follows the window's theme until the returned function is called. */
export function followTheme(): () => void {
  const apply = (theme: Theme): void => {
    const name = `conch-${theme}`;
    editor.defineTheme(name, themeOf(theme, roleColors()));
    editor.setTheme(name);
  };
  apply(appearance.getState().theme);
  return appearance.subscribe(({ theme }, before) => {
    if (theme !== before.theme) apply(theme);
  });
}

/** Colour of a role as #rrggbb, however the style sheet writes it: the editor reads nothing else. */
function roleColors(): (role: string) => string {
  const styles = getComputedStyle(document.documentElement);
  const context = document.createElement('canvas').getContext('2d');
  return (role) => {
    const written = styles.getPropertyValue(`--${role}`).trim();
    if (context === null) return written;
    context.fillStyle = written;
    return context.fillStyle;
  };
}

function themeOf(theme: Theme, roleColor: (role: string) => string): editor.IStandaloneThemeData {
  const colors = Object.entries(COLORS).map(([name, [role, alpha = '']]) => [name, roleColor(role) + alpha]);
  return {
    base: BASES[theme],
    inherit: true,
    colors: Object.fromEntries(colors) as Record<string, string>,
    rules: TOKENS.map(([token, role, fontStyle = '']) => ({
      token,
      foreground: roleColor(role).slice(1),
      fontStyle,
    })),
  };
}

/** Text of the editor in the window's monospace font and size. */
export function editorFont(): { readonly fontFamily: string; readonly fontSize: number } {
  const styles = getComputedStyle(document.documentElement);
  return {
    fontFamily: styles.getPropertyValue('--font-mono').trim() || 'monospace',
    fontSize: Math.round(Number.parseFloat(styles.fontSize) * 0.8125),
  };
}
