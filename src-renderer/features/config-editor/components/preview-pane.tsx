// What a reload with the text would do, before it is done.

import { CircleCheck, RefreshCw, RotateCw } from 'lucide-react';
import { useStore } from 'zustand';

import { useCall } from '../../../engine/use-call.ts';
import { liveIssuesOf, liveProblems } from '../../../lib/live-problems.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useDraftText } from '../../../config/drafts/use-draft.ts';
import { useSettled } from '../use-settled.ts';
import type { PaneProps } from './effective-pane.tsx';

const ICONS = { none: CircleCheck, instances: RefreshCw, full: RotateCw } as const;
const TITLES = {
  none: 'config.preview.none',
  instances: 'config.preview.instances',
  full: 'config.preview.full',
} as const;

const PAUSE_MS = 250;

/** Asks the engine a moment after the last key. Looking loads nothing. */
export function PreviewPane({ model, document }: PaneProps) {
  const text = useSettled(useDraftText(document), PAUSE_MS);
  const preview = useCall('config/previewReload', { model: model.name, text }, model.loadedAtMs);
  const hasErrors = useStore(liveProblems, (state) =>
    liveIssuesOf(document, state).some(({ severity }) => severity === 'error'),
  );
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-4"
      data-testid="config-preview"
      data-kind={preview.data?.kind}
    >
      {hasErrors && <Banner tone="warn">{t('config.preview.invalid')}</Banner>}
      {preview.error !== undefined && <Banner tone="bad">{preview.error}</Banner>}
      {preview.data === undefined ? (
        preview.error === undefined && <Skeleton />
      ) : (
        <>
          <h3 className="flex items-center gap-2 text-md font-semibold text-strong">
            <Icon of={ICONS[preview.data.kind]} />
            {t(TITLES[preview.data.kind])}
          </h3>
          <p className="text-strong">{preview.data.sentence}</p>
          {model.state === 'ready' && (
            <div>
              <p className="text-soft">
                {t('config.preview.changed', { count: preview.data.changedPaths.length })}
              </p>
              <ul className="mt-1 list-inside list-disc font-mono text-sm text-strong">
                {preview.data.changedPaths.map((path) => (
                  <li key={path}>{path}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </div>
  );
}
