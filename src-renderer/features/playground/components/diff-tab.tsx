// Compares the outputs of an answer with those of the one before, of another version, or of a saved expectation, with a
// tolerance; the first element that differs is named.

import { useState } from 'react';
import { useStore } from 'zustand';

import type {
  PlaygroundRequest,
  PlaygroundResult,
  TensorDifference,
} from '../../../../src-shared/contract/inference-calls.ts';
import { useClient, useModel } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { compareOutputs, compareWithExpectation } from '../../../tensors/compare-answers.ts';
import { DifferenceTable } from '../../../tensors/difference-table.tsx';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import type { PlaygroundContext } from '../playground-context.ts';
import type { Outcome } from '../playground-store.ts';
import { previousOutcome } from '../playground-store.ts';
import { savedState } from '../saved-store.ts';

interface DiffProps {
  readonly context: PlaygroundContext;
  readonly outcome: Outcome;
}

const DEFAULT_TOLERANCE = 1e-5;

/** A result goes when another source or tolerance is chosen. */
export function DiffTab({ context, outcome }: DiffProps) {
  const [against, setAgainst] = useState('previous');
  const [tolerance, setTolerance] = useState<number | undefined>(DEFAULT_TOLERANCE);
  const [found, setFound] = useState<{ readonly of: string; readonly rows: readonly TensorDifference[] }>();
  const sources = useSources(context, outcome);
  const client = useClient();
  const chosen = sources.find(({ value }) => value === against) ?? sources[0];
  // An answer is shown for the question it answers: another source or tolerance needs another comparison.
  const question = `${chosen?.value ?? ''} ${tolerance ?? 0}`;
  const compare = useAction(async () => {
    const { result, request } = outcome;
    if (result === undefined || chosen === undefined) return;
    const rows = await chosen.compare(client, { result, request, tolerance: tolerance ?? 0 });
    setFound({ of: question, rows });
  });
  if (outcome.result?.ok !== true) return <Banner tone="neutral">{t('playground.diff.noOutputs')}</Banner>;
  if (chosen === undefined) return <Banner tone="neutral">{t('playground.diff.nothing')}</Banner>;
  return (
    <div className="flex flex-col gap-3" data-testid="pg-diff">
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('playground.diff.against')}>
          <Select
            aria-label={t('playground.diff.against')}
            data-testid="pg-diff-against"
            value={chosen.value}
            options={sources}
            onChange={setAgainst}
          />
        </Field>
        <Field label={t('playground.diff.tolerance')}>
          <NumberInput
            value={tolerance}
            min={0}
            step={0.00001}
            className="w-36"
            data-testid="pg-diff-tolerance"
            onChange={setTolerance}
          />
        </Field>
        <Button variant="primary" isBusy={compare.isRunning} data-testid="pg-diff-run" onClick={compare.run}>
          {t('playground.diff.compare')}
        </Button>
      </div>
      {found?.of === question && <Verdict rows={found.rows} />}
    </div>
  );
}

interface Source {
  readonly value: string;
  readonly label: string;
  readonly compare: (
    client: ReturnType<typeof useClient>,
    subject: ComparedAnswer,
  ) => Promise<readonly TensorDifference[]>;
}

interface ComparedAnswer {
  readonly result: PlaygroundResult;
  readonly request: PlaygroundRequest;
  readonly tolerance: number;
}

function compareResults(
  client: ReturnType<typeof useClient>,
  { result, tolerance }: ComparedAnswer,
  other: PlaygroundResult,
): Promise<readonly TensorDifference[]> {
  const [ours, theirs] = [result, other].map(({ responses }) => responses[0]?.outputs ?? []);
  return compareOutputs(client, ours ?? [], theirs ?? [], tolerance);
}

/** What there is to compare with. */
function useSources({ name, store }: PlaygroundContext, outcome: Outcome): readonly Source[] {
  const model = useModel(name);
  const revision = useStore(savedState, (state) => state.revision);
  const previous = useStore(store, previousOutcome);
  const saved = useCall('playground/savedList', { model: name }, revision);
  const ownVersion = outcome.result?.modelVersion ?? '';
  const before = previous?.result;
  return [
    ...(before === undefined
      ? []
      : [
          {
            value: 'previous',
            label: t('playground.diff.previous'),
            compare: (client, subject) => compareResults(client, subject, before),
          } satisfies Source,
        ]),
    ...(model?.servedVersions ?? [])
      .filter((version) => version !== ownVersion)
      .map((version): Source => ({
        value: `version ${version}`,
        label: t('playground.diff.version', { version }),
        compare: async (client, subject) => {
          const other = await client.call('playground/send', { ...subject.request, version });
          if (!other.ok) throw new Error(other.error);
          return compareResults(client, subject, other);
        },
      })),
    ...(saved.data ?? []).flatMap(({ id, name: title, expectation }) =>
      expectation === undefined
        ? []
        : [
            {
              value: `saved ${id}`,
              label: t('playground.diff.saved', { name: title }),
              compare: (_client, subject) =>
                Promise.resolve(
                  compareWithExpectation(subject.result, expectation.outputs, subject.tolerance),
                ),
            } satisfies Source,
          ],
    ),
  ];
}

function Verdict({ rows }: { readonly rows: readonly TensorDifference[] }) {
  const first = rows.find(({ firstDiffering }) => firstDiffering !== undefined);
  return (
    <>
      <Banner tone={first === undefined ? 'good' : 'warn'} testId="pg-diff-verdict">
        {first === undefined
          ? t('playground.diff.same')
          : t('playground.diff.differs', { where: first.firstDiffering ?? '' })}
      </Banner>
      <DifferenceTable rows={rows} />
    </>
  );
}
