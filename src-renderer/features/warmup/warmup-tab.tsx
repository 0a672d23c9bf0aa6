// The warm-up runner: samples of the file, suggested ones and own ones, run on the loaded instances without a reload.

import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';

import type { WarmupSample } from '../../../src-shared/contract/inference-calls.ts';
import { useModel } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { ListedSample } from './components/sample-row.tsx';
import { SampleRow } from './components/sample-row.tsx';
import { draftIssue, draftOf, freeName } from './warmup-draft.ts';
import type { WarmupState } from './warmup-store.ts';
import { addSample, warmupOf } from './warmup-store.ts';

const FOLDER = 'warmup/';

/** Running needs a model that serves; editing does not. */
export function WarmupTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  const refresh = `${model?.loadedAtMs ?? 0} ${String(model?.changedOnDisk ?? false)}`;
  const samples = useCall('warmup/samples', { model: name }, refresh);
  const io = useCall('playground/interface', { model: name }, refresh);
  const files = useCall('repository/files', { model: name }, refresh);
  const store = warmupOf(name);
  const { drafts, added } = useStore(store);
  const listed = useMemo(
    () => listSamples(samples.data ?? [], { drafts, added }),
    [samples.data, drafts, added],
  );
  const isLoaded = (model?.servedVersions.length ?? 0) > 0;
  useRunCommands(isLoaded ? issueOfAll(listed) : t('warmup.notLoaded'));
  if (model === undefined) return null;
  const add = (): void => {
    const names = listed.map(({ draft }) => draft.name);
    const [like] = listed;
    const blank = { name: '', batchSize: 1, count: 1, inputs: [] };
    addSample(store, { ...(like?.draft ?? blank), name: freeName(names) });
  };
  const reload = (): void => {
    samples.reload();
    files.reload();
  };
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-4"
      data-testid="model-warmup"
    >
      {!isLoaded && <Banner tone="info">{t('warmup.notLoaded')}</Banner>}
      <Card
        title={t('warmup.title')}
        actions={
          <Button
            size="sm"
            icon={Plus}
            data-testid="warmup-add"
            disabledReason={listed.length === 0 ? t('warmup.none') : undefined}
            onClick={add}
          >
            {t('warmup.add')}
          </Button>
        }
      >
        <p className="mb-1 text-sm text-faint">{t('warmup.help')}</p>
        {samples.error !== undefined && <p className="text-bad">{samples.error}</p>}
        {samples.data?.length === 0 && <p className="text-soft">{t('warmup.none')}</p>}
        <ul className="-mb-3 divide-y divide-line">
          {listed.map((sample) => (
            <SampleRow
              key={sample.key}
              model={name}
              store={store}
              sample={sample}
              maxBatchSize={io.data?.maxBatchSize ?? 1}
              files={warmupFiles(files.data ?? [])}
              isLoaded={isLoaded}
              onChanged={reload}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function warmupFiles(files: readonly { readonly path: string }[]): readonly string[] {
  return files.filter(({ path }) => path.startsWith(FOLDER)).map(({ path }) => path.slice(FOLDER.length));
}

function listSamples(
  samples: readonly WarmupSample[],
  { drafts, added }: Pick<WarmupState, 'drafts' | 'added'>,
): readonly ListedSample[] {
  const known = samples.map(({ name, isSuggested, configText }): ListedSample => {
    const key = `${isSuggested ? 'suggested' : 'file'} ${name}`;
    const original = draftOf(configText);
    return { key, origin: isSuggested ? 'suggested' : 'file', original, draft: drafts[key] ?? original };
  });
  const own = added.flatMap((key): readonly ListedSample[] => {
    const { [key]: draft } = drafts;
    return draft === undefined ? [] : [{ key, origin: 'added', original: undefined, draft }];
  });
  return [...known, ...own];
}

/** Why no sample can run; undefined = one can. */
function issueOfAll(listed: readonly ListedSample[]): string | undefined {
  const issues = listed.map(({ draft }) => draftIssue(draft));
  return issues.includes(undefined) ? undefined : (issues[0] ?? t('warmup.none'));
}

const RUN_BUTTON = '[data-testid^="warmup-run-"]:not([aria-disabled])';

/** The main action runs the first sample that can run and does not already. */
function useRunCommands(reason: string | undefined): void {
  const run = (): void => document.querySelector<HTMLElement>(RUN_BUTTON)?.click();
  useCommand('warmup.run', run, () => reason);
  useCommand('screen.main', run, () => reason);
}
