// The text in the editor against the file on disk, or against the last commit.

import { Suspense } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import type { Draft } from '../../../config/drafts/config-drafts.ts';
import { editableText } from '../../../config/drafts/config-drafts.ts';
import { useCall } from '../../../engine/use-call.ts';
import { lazyView } from '../../../lib/lazy-view.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { codePanes } from '../code-panes.ts';

const TextDiff = lazyView(async () => (await import('../../../config/editor/text-diff.tsx')).TextDiff);

/** Reads the committed text when that side is chosen, and says why where there is none. */
export function CodeDiff({
  model,
  document,
  file,
  draft,
}: {
  readonly model: ModelView;
  readonly document: string;
  readonly file: string;
  readonly draft: Draft;
}) {
  const original = useStore(codePanes, (state) => state.original);
  const git = useCall('code/gitHead', original === 'git' ? { model: model.name, file } : undefined);
  const committed = git.data?.text;
  const before =
    original === 'disk'
      ? (draft.conflict ?? draft.disk).text
      : committed === undefined
        ? undefined
        : editableText(committed);
  const error = original === 'git' ? (git.error ?? git.data?.reason) : undefined;
  const left = t(`code.compare.${original}`);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="code-diff">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-2 py-1.5">
        <span className="text-sm text-soft">{t('code.compare.with')}</span>
        <Select
          aria-label={t('code.compare.with')}
          data-testid="code-compare-with"
          value={original}
          onChange={(value) => codePanes.setState({ original: value === 'git' ? 'git' : 'disk' })}
          options={(['disk', 'git'] as const).map((value) => ({ value, label: t(`code.compare.${value}`) }))}
        />
        {before === draft.text && <span className="text-sm text-faint">{t('config.diff.same')}</span>}
      </div>
      {error !== undefined && <Banner tone="neutral">{error}</Banner>}
      {before === undefined ? (
        error === undefined && <Skeleton />
      ) : (
        <Suspense fallback={<Skeleton rows={8} />}>
          <TextDiff
            document={document}
            text={draft.text}
            original={before}
            label={t('config.diff.label', { left })}
          />
        </Suspense>
      )}
    </div>
  );
}
