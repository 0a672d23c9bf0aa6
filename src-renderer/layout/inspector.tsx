// The place at the right that views fill through InInspector. Empty, it says what would be shown.

import { setInspectorElement } from '../ui/inspector-slot.tsx';
import { t } from '../texts/translate.ts';

/** What is known of the chosen model, at the right. */
export function Inspector() {
  return (
    <aside
      data-region="inspector"
      data-testid="inspector"
      aria-label={t('region.inspector')}
      tabIndex={-1}
      className="relative flex min-h-0 flex-1 flex-col bg-canvas outline-none"
    >
      <div
        ref={setInspectorElement}
        className="peer flex min-h-0 flex-1 flex-col overflow-auto empty:hidden"
      />
      <p className="hidden p-4 text-faint peer-empty:block">{t('inspector.empty')}</p>
    </aside>
  );
}
