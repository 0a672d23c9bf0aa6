// Says once when a model becomes ready or fails, for people who do not see the list. What this window did itself is said
// by its report, as a toast or on the page of the model.

import { useEffect } from 'react';

import { isReportedHere } from '../actions/model-actions.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { t } from '../texts/translate.ts';
import { announce } from '../ui/announcer.tsx';

/** Mounted once. Models that are known from the start are not announced. */
export function useAnnouncements(): void {
  const { models } = useEngine().state;
  useEffect(
    () =>
      models.subscribe((next, previous) => {
        if (!previous.isLoaded) return;
        for (const model of next.models) {
          const before = previous.byName.get(model.name)?.state;
          if (before === undefined || before === model.state || isReportedHere(model.name)) continue;
          if (model.state === 'ready') announce(t('model.isReady', { name: model.name }));
          if (model.state === 'failed') announce(t('model.isFailed', { name: model.name }));
        }
      }),
    [models],
  );
}
