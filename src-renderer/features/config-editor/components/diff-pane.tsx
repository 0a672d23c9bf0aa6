// The text in the editor against another one, which is chosen above.

import { Suspense } from 'react';
import { useStore } from 'zustand';

import { lazyView } from '../../../lib/lazy-view.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useDraftText } from '../../../config/drafts/use-draft.ts';
import { compareWith, configPanes } from '../config-panes.ts';
import { useDiffOptions, useOriginal } from '../use-original.ts';
import type { PaneProps } from './effective-pane.tsx';

const TextDiff = lazyView(async () => (await import('../../../config/editor/text-diff.tsx')).TextDiff);

/** Follows the text while it is typed; neither side is edited here. */
export function DiffPane(props: PaneProps) {
  const { document } = props;
  const text = useDraftText(document);
  const wanted = useStore(configPanes, (state) => state.compareWith);
  const options = useDiffOptions(props);
  const chosen = options.find(
    ({ value, disabledReason }) => value === wanted && disabledReason === undefined,
  );
  const target = chosen?.value ?? 'disk';
  const { text: original, error } = useOriginal(props, target);
  const left = chosen?.label ?? t('config.diff.disk');
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-2 py-1.5">
        <span className="text-sm text-soft">{t('config.diff.with')}</span>
        <Select
          aria-label={t('config.diff.with')}
          data-testid="diff-with"
          value={target}
          onChange={compareWith}
          options={options}
        />
        {original === text && <span className="text-sm text-faint">{t('config.diff.same')}</span>}
      </div>
      {error !== undefined && (
        <Banner tone="neutral" testId="diff-none">
          {error}
        </Banner>
      )}
      {original === undefined ? (
        error === undefined && <Skeleton />
      ) : (
        <Suspense fallback={<Skeleton rows={8} />}>
          <TextDiff
            document={document}
            text={text}
            original={original}
            label={t('config.diff.label', { left })}
          />
        </Suspense>
      )}
    </div>
  );
}
