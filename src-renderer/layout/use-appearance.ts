// The settings of the look, applied to the page and to the native frame around it, and of how numbers are written.

import { useEffect } from 'react';
import { useStore } from 'zustand';

import { useSetting } from '../engine/engine-context.tsx';
import { nativeShell } from '../engine/native-shell.ts';
import { chooseLocale, shownLocale } from '../texts/number-locale.ts';
import { applyAppearance, keptAppearance } from '../ui/appearance.ts';

const KEPT = keptAppearance();

/** Mounted once; settings that change are applied at once. */
export function useAppearance(): void {
  const theme = useSetting('appearance.theme', KEPT.theme);
  const density = useSetting('appearance.density', KEPT.density);
  const fontSize = useSetting('appearance.fontSize', KEPT.fontSize);
  const motion = useSetting('appearance.motion', KEPT.motion);
  const chartPalette = useSetting('appearance.chartPalette', KEPT.chartPalette);
  useEffect(
    () => applyAppearance({ theme, density, fontSize, motion, chartPalette }),
    [theme, density, fontSize, motion, chartPalette],
  );
  useEffect(() => {
    const native =
      theme === 'high-contrast' ? 'dark' : theme === 'light' || theme === 'dark' ? theme : 'system';
    nativeShell()
      ?.call('shell/setTheme', { theme: native })
      .catch(() => undefined);
  }, [theme]);
}

/** Returns the locale of numbers and dates; whoever calls it is drawn again when that changes. */
export function useNumberLocale(): string {
  const chosen = useSetting('language.numbers', 'system');
  useEffect(() => chooseLocale(chosen), [chosen]);
  return useStore(shownLocale, ({ tag }) => tag);
}
