// Said while a file of JSON is over the window: what letting go would do.

import { ChartGantt } from 'lucide-react';
import { useEffect } from 'react';

import { t } from '../../../texts/translate.ts';
import { announce } from '../../../ui/announcer.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** Lies over the window and takes no drop itself: what lies below goes on deciding who does. */
export function TraceDropHint() {
  useEffect(() => announce(t('traces.drop')), []);
  return (
    <div
      data-testid="trace-drop-hint"
      className="pointer-events-none fixed inset-0 z-50 bg-scrim p-8 backdrop-blur-[2px]"
    >
      <div className="flex h-full flex-col items-center justify-center gap-2 rounded-xl border-2 border-dashed border-accent bg-selected p-6 text-center">
        <Icon of={ChartGantt} size={24} className="text-accent" />
        <p className="text-lg font-semibold text-strong">{t('traces.drop')}</p>
        <p className="text-soft">{t('traces.dropText')}</p>
      </div>
    </div>
  );
}
