// What the inspector says of the selected model: state and reason, how it was loaded, what it uses and who uses it.

import { SquareArrowOutUpRight } from 'lucide-react';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { listedAddress } from '../lib/address.ts';
import { formatMillis } from '../lib/format.ts';
import { toldPhases } from '../lib/load-phases.ts';
import { loadSummary } from '../lib/load-summary.ts';
import { memoryShort } from '../lib/model-memory.ts';
import { shownState, stateDetail } from '../lib/model-state.ts';
import { open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { StateChip } from '../ui/state-chip.tsx';

/** One model in full, or counts and common actions where several are selected. */
export function ModelInspector({
  models,
  isOpened = false,
}: {
  readonly models: readonly ModelView[];
  /** Its own page is what is looked at. */
  readonly isOpened?: boolean;
}) {
  const [model] = models;
  if (model === undefined) return null;
  if (models.length > 1) {
    return (
      <div className="p-4">
        <p className="font-medium text-strong">{t('models.inspector.many', { count: models.length })}</p>
        <ul className="mt-2 flex flex-col gap-1 text-soft">
          {models.map(({ name, repository }) => (
            <li key={`${repository} ${name}`}>{name}</li>
          ))}
        </ul>
      </div>
    );
  }
  return <OneModel model={model} isOpened={isOpened} />;
}

function OneModel({ model, isOpened }: { readonly model: ModelView; readonly isOpened: boolean }) {
  const { name, failure, timings } = model;
  return (
    <div className="flex flex-col gap-4 p-4" data-testid="inspector-model">
      <header className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 truncate text-lg font-semibold text-strong">{name}</h2>
          {model.kind !== undefined && <Badge>{model.kind}</Badge>}
        </div>
        <StateChip
          state={shownState(model)}
          detail={stateDetail(model)}
          className="[&_span]:whitespace-normal"
        />
        {!isOpened && (
          <Button
            icon={SquareArrowOutUpRight}
            className="self-start"
            onClick={() => open(listedAddress(model))}
          >
            {t('common.open')}
          </Button>
        )}
      </header>
      {failure !== undefined && <Banner tone="bad">{failure.why}</Banner>}
      {model.notices.map((notice) => (
        <Banner key={notice} tone="warn">
          {notice}
        </Banner>
      ))}
      <Facts
        items={[
          [
            t('models.col.versions'),
            model.versions
              .map(({ version, state }) => `${version}${state === 'READY' ? ' ✓' : ''}`)
              .join(', ') || '–',
          ],
          [t('models.col.device'), model.device === undefined ? '–' : model.device],
          [t('models.col.batching'), model.batching],
          [t('models.col.instances'), model.instanceCount],
          [t('models.col.memory'), memoryShort(model)],
          [
            t('models.inspector.path'),
            <span key="path" className="font-mono text-sm break-all">
              {model.path}
            </span>,
          ],
          ...relations(model),
        ]}
      />
      {timings !== undefined && (
        <section>
          <h3 className="mb-2 text-sm font-semibold text-soft">{loadSummary(timings)}</h3>
          <Phases model={model} />
        </section>
      )}
    </div>
  );
}

function relations(model: ModelView): readonly (readonly [string, string])[] {
  return [
    ...(model.usedBy.length > 0 ? [[t('models.inspector.usedBy'), model.usedBy.join(', ')] as const] : []),
    ...(model.uses.length > 0 ? [[t('models.inspector.uses'), model.uses.join(', ')] as const] : []),
  ];
}

/** Bars in the proportion of their time. */
function Phases({ model: { timings } }: { readonly model: ModelView }) {
  if (timings === undefined) return null;
  return (
    <ul className="flex flex-col gap-1.5">
      {toldPhases(timings.phases, timings.totalMs).map(({ text, ms }) => (
        <li key={text} className="grid grid-cols-[minmax(0,1fr)_4rem] items-center gap-x-2 text-sm">
          <span className="truncate text-soft">{text}</span>
          <span className="text-right text-strong">{formatMillis(ms)}</span>
          <span className="col-span-2 h-1 rounded-full bg-hover forced-color-adjust-none">
            <span
              className="block h-full rounded-full bg-c1"
              style={{ width: `${timings.totalMs > 0 ? (ms / timings.totalMs) * 100 : 0}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}
