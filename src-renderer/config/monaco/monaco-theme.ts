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
/** What the system says of colours of the user's own, and whether they are dark ones. */
const FORCED = '(forced-colors: active)';
const DARK = '(prefers-color-scheme: dark)';

/** Themes of high contrast have one colour for it, black unless it is said; in others tokens keep their own. */
const SELECTED_TEXT = 'editor.selectionForeground';

/** Editor colour -> role, with the share of opacity in hex where it is not whole. */
const COLORS: Readonly<Record<string, readonly [role: string, alpha?: string]>> = {
  'editor.background': ['surface'],
  'editor.foreground': ['text'],
  'editorLineNumber.foreground': ['text-faint'],
  'editorLineNumber.activeForeground': ['text'],
  'editorCursor.foreground': ['text'],
  'editor.selectionBackground': ['selected'],
  [SELECTED_TEXT]: ['text'],
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

/** Follows the window's theme, and colours of the user's own, until the returned function is called. */
export function followTheme(): () => void {
  const apply = (): void => {
    const { theme } = appearance.getState();
    const base = forcedBase() ?? BASES[theme];
    const name = `conch-${theme}-${base}`;
    editor.defineTheme(name, themeOf(base, roleColors()));
    editor.setTheme(name);
  };
  apply();
  const stopTheme = appearance.subscribe(({ theme }, before) => {
    if (theme !== before.theme) apply();
  });
  const asked = [window.matchMedia(FORCED), window.matchMedia(DARK)];
  for (const media of asked) media.addEventListener('change', apply);
  return () => {
    stopTheme();
    for (const media of asked) media.removeEventListener('change', apply);
  };
}

/** The editor keeps its own colours where colours are forced, so it gets the user's; undefined when there are none. */
function forcedBase(): editor.BuiltinTheme | undefined {
  if (!window.matchMedia(FORCED).matches) return undefined;
  return window.matchMedia(DARK).matches ? 'hc-black' : 'hc-light';
}

/** Colour of a role as #rrggbb, however the style sheet writes it: the editor reads nothing else. */
function roleColors(): (role: string) => string {
  const styles = getComputedStyle(document.documentElement);
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1, 1];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return (role) => {
    if (context === null) return styles.getPropertyValue(`--${role}`).trim();
    // A colour that lets some of its ground through, as the system's own often do, is what it comes to there.
    for (const written of ['surface', role]) {
      context.fillStyle = styles.getPropertyValue(`--${written}`).trim();
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}

function themeOf(
  base: editor.BuiltinTheme,
  roleColor: (role: string) => string,
): editor.IStandaloneThemeData {
  const colors = Object.entries(COLORS)
    .filter(([name]) => name !== SELECTED_TEXT || base.startsWith('hc'))
    .map(([name, [role, alpha = '']]) => [name, roleColor(role) + alpha]);
  return {
    base,
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
