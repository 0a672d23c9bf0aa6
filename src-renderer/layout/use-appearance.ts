// The appearance settings, applied to the page and to the native frame around it.

import { useEffect } from 'react';

import { useSetting } from '../engine/engine-context.tsx';
import { nativeShell } from '../engine/native-shell.ts';
import { applyAppearance } from '../ui/appearance.ts';

export function useAppearance(): void {
  const theme = useSetting('appearance.theme', 'system');
  const density = useSetting('appearance.density', 'comfortable');
  const fontSize = useSetting('appearance.fontSize', 13);
  const motion = useSetting('appearance.motion', 'system');
  useEffect(() => applyAppearance({ theme, density, fontSize, motion }), [theme, density, fontSize, motion]);
  useEffect(() => {
    const native =
      theme === 'high-contrast' ? 'dark' : theme === 'light' || theme === 'dark' ? theme : 'system';
    nativeShell()
      ?.call('shell/setTheme', { theme: native })
      .catch(() => undefined);
  }, [theme]);
}
