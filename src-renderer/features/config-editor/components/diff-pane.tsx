// The text in the editor against the file on disk, what it completes to, what runs now, or another profile.

import { lazy, Suspense, useMemo } from 'react';
import { useStore } from 'zustand';

import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { editableText } from '../../../config/config-drafts.ts';
import { compareWith, configPanes } from '../config-panes.ts';
import { useLanguageAnswer } from '../../../config/use-config-document.ts';
import type { PaneProps } from './effective-pane.tsx';

const TextDiff = lazy(async () => ({ default: (await import('./text-diff.tsx')).TextDiff }));

const PROFILE = 'profile:';

export function DiffPane(props: PaneProps) {
  const { model, document, draft } = props;
  const wanted = useStore(configPanes, (state) => state.compareWith);
  const profiles = useCall('config/profiles', { model: model.name }, draft.disk.hash).data?.profiles ?? [];
  const options = [
    { value: 'disk', label: t('config.diff.disk') },
    { value: 'effective', label: t('config.diff.effective') },
    {
      value: 'running',
      label: t('config.diff.running'),
      disabledReason: model.state === 'ready' ? '' : t('config.effective.notRunning'),
    },
    ...profiles
      .filter((profile) => profile !== draft.profile)
      .map((profile) => ({ value: PROFILE + profile, label: t('config.diff.profile', { profile }) })),
  ];
  const chosen = options.find(({ value, disabledReason = '' }) => value === wanted && disabledReason === '');
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
        {original === draft.text && <span className="text-sm text-faint">{t('config.diff.same')}</span>}
      </div>
      {error !== '' && <Banner tone="bad">{error}</Banner>}
      {original === undefined ? (
        error === '' && <Skeleton />
      ) : (
        <Suspense fallback={<Skeleton rows={8} />}>
          <TextDiff
            document={document}
            text={draft.text}
            original={original}
            label={t('config.diff.label', { left })}
          />
        </Suspense>
      )}
    </div>
  );
}

function useOriginal(
  { model, document, draft, facts }: PaneProps,
  target: string,
): { readonly text: string | undefined; readonly error: string } {
  const running = useCall(
    'config/effective',
    target === 'running' ? { model: model.name } : undefined,
    `${model.loadedAtMs} ${String(model.hasOverride)}`,
  );
  const profile = useCall(
    'config/readProfile',
    target.startsWith(PROFILE) ? { model: model.name, profile: target.slice(PROFILE.length) } : undefined,
  );
  const effective = useLanguageAnswer(
    'effective',
    document,
    target === 'effective' ? draft.text : undefined,
    facts,
  );
  const effectiveText = useMemo(
    () => effective.answer?.lines.map(({ text }) => `${text}\n`).join(''),
    [effective.answer],
  );
  switch (target) {
    case 'effective':
      return { text: effectiveText, error: effective.error };
    case 'running':
      return { text: running.data && withLineEnd(running.data.text), error: running.error };
    case 'disk':
      return { text: (draft.conflict ?? draft.disk).text, error: '' };
    default:
      return { text: profile.data && editableText(profile.data.text), error: profile.error };
  }
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
