// Opens the welcome page when no repository is open, until one is, and shows the strip with the first steps after the samples.

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';

import { useEngine, useModels, useSamples } from '../../engine/engine-context.tsx';
import type { Address } from '../../lib/address.ts';
import { address, modelAddress } from '../../lib/address.ts';
import { hasModelTab, hasScreen } from '../../lib/areas.ts';
import { activeTab, close, HOME_ID, open, useWorkspace, workspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { StateIcon } from '../../ui/state-chip.tsx';
import { useBottomStrip } from '../../ui/use-bottom-strip.ts';
import type { CoachStep } from '../../actions/coach-store.ts';
import { coach, tick } from '../../actions/coach-store.ts';

type Repositories = 'unknown' | 'none' | 'some';

/** Stands once in the window, whatever screen is shown. */
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
  const areSamples = useModels(({ byName }) => SAMPLES.some((name) => byName.has(name)));
  // The steps lead to the samples, and another repository may be open by now.
  return isShown && areSamples ? <CoachStrip /> : null;
}

/** Ticks each step when what it asks for has happened, however it was done. */
function useTicks(): void {
  const wasAsked = useSamples(({ byModel }) =>
    [FIRST_MODEL, BATCHED_MODEL].some((name) => (byModel.get(name)?.lastRequestAtMs ?? 0) > 0),
  );
  const isFixed = useModels(({ byName }) => byName.get(BROKEN_MODEL)?.state === 'ready');
  const shown = useWorkspace((state) => {
    const at = activeTab(state)?.address;
    return at?.tab === 'statistics' ? 'stats' : '';
  });
  const hasMeasured = useStore(useEngine().state.tasks, ({ tasks }) =>
    tasks.some(({ title, state }) => state === 'done' && /^Measure /.test(title)),
  );
  useEffect(() => {
    if (wasAsked) tick('send');
    if (shown === 'stats' && wasAsked) tick('stats');
    if (hasMeasured) tick('perf');
    if (isFixed) tick('fix');
  }, [wasAsked, shown, hasMeasured, isFixed]);
}

/** Of the samples: the first answer is about a picture, load is measured on a model that batches. */
const FIRST_MODEL = 'image_tiny';
const BATCHED_MODEL = 'batch_mlp';
const BROKEN_MODEL = 'broken_dims';
const SAMPLES = [FIRST_MODEL, BATCHED_MODEL, BROKEN_MODEL];

function CoachStrip() {
  useTicks();
  const done = useStore(coach, (state) => state.done);
  const strip = useBottomStrip();
  const steps: readonly (readonly [id: CoachStep, text: string, target: Address])[] = [
    ...(hasModelTab('playground')
      ? [['send', t('coach.send'), modelAddress(FIRST_MODEL, 'playground')] as const]
      : []),
    ...(hasModelTab('statistics')
      ? [['stats', t('coach.stats'), modelAddress(FIRST_MODEL, 'statistics')] as const]
      : []),
    ...(hasScreen('perf')
      ? [
          [
            'perf',
            t('coach.perf'),
            address('perf', { query: { model: BATCHED_MODEL, preset: 'quick look' } }),
          ] as const,
        ]
      : []),
    ['fix', t('coach.fix'), modelAddress(BROKEN_MODEL)],
  ];
  return (
    <section
      ref={strip}
      aria-label={t('coach.title')}
      data-testid="coach-strip"
      className="flex shrink-0 items-center gap-3 border-t border-line bg-info-soft px-3 py-1"
    >
      <span className="font-medium text-strong">{t('coach.title')}</span>
      <ol className="flex flex-1 flex-wrap items-center gap-1">
        {steps.map(([id, text, target], index) => (
          <li key={id}>
            <button
              type="button"
              className="flex h-7 items-center gap-2 rounded px-2 text-strong hover:bg-hover"
              data-testid={`coach-${id}`}
              data-done={done.has(id)}
              onClick={() => open(target)}
            >
              {done.has(id) ? (
                <StateIcon state="ready" />
              ) : (
                <span className="flex size-4 items-center justify-center rounded-full bg-accent text-xs text-on-accent">
                  {index + 1}
                </span>
              )}
              <span className={done.has(id) ? 'text-soft' : ''}>{text}</span>
              {done.has(id) && <span className="sr-only">{t('coach.done')}</span>}
            </button>
          </li>
        ))}
      </ol>
      <IconButton label={t('coach.close')} icon={X} onClick={() => coach.setState({ isShown: false })} />
    </section>
  );
}
