// The palette: one list for commands, models and screens. Ranking is ours and only the best fifty are drawn, so a
// thousand models do not slow typing. Its content is fetched when the window has nothing else to do.

import { useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { FeatureDefinition } from '../lib/feature.ts';
import { afterStart } from '../lib/when-idle.ts';
import { loadTexts } from '../texts/load-texts.ts';
import { t } from '../texts/translate.ts';
import { PlainDialog } from '../ui/plain-dialog.tsx';
import type { PaletteContent } from './palette-content.tsx';
import { closePalette, palette } from './palette-store.ts';
import { catchTyping } from './type-ahead.ts';

type Content = typeof PaletteContent;

/** The palette, while it is open. */
export function CommandPalette({ features }: { readonly features: readonly FeatureDefinition[] }) {
  const isOpen = useStore(palette, (state) => state.isOpen);
  const [Content, setContent] = useState<Content>();
  useEffect(() => {
    if (Content !== undefined) return;
    // Asked for again when it is opened, should it not have come the first time.
    const fetchContent = (): void =>
      void Promise.all([import('./palette-content.tsx'), loadTexts()]).then(
        ([content]) => setContent(() => content.PaletteContent),
        () => undefined,
      );
    if (isOpen) fetchContent();
    else afterStart(fetchContent);
  }, [Content, isOpen]);
  useLayoutEffect(() => (isOpen ? catchTyping() : undefined), [isOpen]);
  // Opened only with its content: the field in it is what gets the focus.
  return (
    <PlainDialog
      isOpen={isOpen && Content !== undefined}
      onClose={() => closePalette()}
      label={t('palette.title')}
      testId="palette"
      focusAfter={focusAfter}
    >
      {Content !== undefined && <Content features={features} />}
    </PlainDialog>
  );
}

/** Where the palette was opened from; unless its entry led elsewhere, then into that. */
function focusAfter(): HTMLElement | false | undefined {
  const { hasLedElsewhere } = palette.getState();
  const main = document.querySelector<HTMLElement>('main[data-region="main"]');
  if (!hasLedElsewhere || main === null) return undefined;
  return main.contains(document.activeElement) ? false : main;
}
