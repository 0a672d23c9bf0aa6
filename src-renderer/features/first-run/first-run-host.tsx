// Opens the welcome page when no repository is open, until one is, and shows the strip with the first steps after the samples.

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';

import { useModels } from '../../engine/engine-context.tsx';
import type { Address } from '../../lib/address.ts';
import { address, modelAddress } from '../../lib/address.ts';
import { hasModelTab, hasScreen } from '../../lib/areas.ts';
import { close, HOME_ID, open, workspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { coach } from './coach-store.ts';

type Repositories = 'unknown' | 'none' | 'some';

export function FirstRunHost() {
  const found = useModels(({ isLoaded, repositories }): Repositories => {
    if (!isLoaded) return 'unknown';
    return repositories.length === 0 ? 'none' : 'some';
  });
  const isOpenedByUs = useRef(false);
  useEffect(() => {
    if (found === 'none' && workspace.getState().activeId === HOME_ID) {
      open(address('first-run'));
      isOpenedByUs.current = true;
    }
    if (found === 'some' && isOpenedByUs.current) {
      close('first-run');
      isOpenedByUs.current = false;
    }
  }, [found]);
  const isShown = useStore(coach, (state) => state.isShown);
  return isShown ? <CoachStrip /> : null;
}

function CoachStrip() {
  const steps: readonly (readonly [text: string, target: Address])[] = [
    ...(hasModelTab('playground')
      ? [[t('coach.send'), modelAddress('batch_mlp', 'playground')] as const]
      : []),
    ...(hasModelTab('statistics')
      ? [[t('coach.stats'), modelAddress('batch_mlp', 'statistics')] as const]
      : []),
    ...(hasScreen('perf')
      ? [[t('coach.perf'), address('perf', { query: { model: 'batch_mlp' } })] as const]
      : []),
    [t('coach.fix'), modelAddress('broken_dims')],
  ];
  return (
    <section
      aria-label={t('coach.title')}
      data-testid="coach-strip"
      className="flex shrink-0 items-center gap-3 border-t border-line bg-info-soft px-3 py-1"
    >
      <span className="font-medium text-strong">{t('coach.title')}</span>
      <ol className="flex flex-1 flex-wrap items-center gap-1">
        {steps.map(([text, target], index) => (
          <li key={text}>
            <button
              type="button"
              className="flex h-7 items-center gap-2 rounded px-2 text-strong hover:bg-hover"
              onClick={() => open(target)}
            >
              <span className="flex size-4 items-center justify-center rounded-full bg-accent text-xs text-on-accent">
                {index + 1}
              </span>
              {text}
            </button>
          </li>
        ))}
      </ol>
      <IconButton label={t('coach.close')} icon={X} onClick={() => coach.setState({ isShown: false })} />
    </section>
  );
}
