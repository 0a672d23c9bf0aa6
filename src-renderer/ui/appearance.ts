// How the window looks as a whole: theme, density, font size, motion, written to the root element where the style sheet
// reads them. Row height is kept here too, because virtual lists need it in pixels.

import { createStore } from 'zustand/vanilla';

/** The user's choices, as the settings have them. */
export interface AppearanceSettings {
  readonly theme: string;
  readonly density: string;
  /** Pixels; 13 is the design's base. */
  readonly fontSize: number;
  readonly motion: string;
  /** Which set of chart colours; the style sheet has them. */
  readonly chartPalette: string;
}

/** What the choices come to on this machine. */
export interface Appearance {
  readonly theme: 'light' | 'dark' | 'high-contrast';
  readonly rowHeightPx: number;
  /** Of the root's font: what widths in rem are of. */
  readonly remPx: number;
}

const BASE_FONT_PX = 13;
/** Of the root's font at that size. */
export const BASE_REM_PX = 16;
const ROW_PX: Readonly<Record<string, number>> = { comfortable: 34, compact: 28 };

/** The look that is applied now: what the settings say, with the theme of the system where they follow it. Pixels of CSS. */
export const appearance = createStore<Appearance>(() => ({
  theme: 'light',
  rowHeightPx: 34,
  remPx: BASE_REM_PX,
}));

const KEPT = 'conch.appearance';
const USUAL: AppearanceSettings = {
  theme: 'system',
  density: 'comfortable',
  fontSize: BASE_FONT_PX,
  motion: 'system',
  chartPalette: 'okabe-ito',
};

/** As the window looked last in this browser, until the settings are there: a dark window must not begin with a white one. */
export function keptAppearance(): AppearanceSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Readonly<Record<string, unknown>>;
    const known = Object.entries(USUAL).map(([key, usual]) => {
      const value = kept[key];
      return [key, typeof value === typeof usual ? value : usual];
    });
    return Object.fromEntries(known) as unknown as AppearanceSettings;
  } catch {
    return USUAL;
  }
}

/** Before anything is drawn. */
export function showKeptAppearance(): void {
  applyAppearance(keptAppearance())();
}

function keep(settings: AppearanceSettings): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing begins with the usual look.
  }
}

/** Returns a function that stops following the system's theme. */
export function applyAppearance(settings: AppearanceSettings): () => void {
  const root = document.documentElement;
  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const theme = resolveTheme(settings.theme, prefersDark.matches);
    root.dataset['theme'] = theme;
    appearance.setState({
      theme,
      remPx: (BASE_REM_PX * settings.fontSize) / BASE_FONT_PX,
      rowHeightPx: Math.round(((ROW_PX[settings.density] ?? 34) * settings.fontSize) / BASE_FONT_PX),
    });
  };
  keep(settings);
  root.dataset['density'] = settings.density;
  root.dataset['motion'] = settings.motion;
  root.dataset['palette'] = settings.chartPalette;
  root.style.setProperty('--font-size', String(settings.fontSize));
  apply();
  prefersDark.addEventListener('change', apply);
  return () => prefersDark.removeEventListener('change', apply);
}

function resolveTheme(setting: string, isSystemDark: boolean): Appearance['theme'] {
  if (setting === 'light' || setting === 'dark' || setting === 'high-contrast') return setting;
  return isSystemDark ? 'dark' : 'light';
}
