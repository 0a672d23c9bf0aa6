// Two versions of a model beside each other: what differs in their inputs, outputs and operators, and whether they
// answer the same input alike.

import { Gauge } from 'lucide-react';
import { useState } from 'react';

import type { VersionComparison } from '../../../../src-shared/contract/folder-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { compareSpeed } from '../../../actions/compare-speed.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { hasScreen } from '../../../lib/areas.ts';
import { formatCount } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/select.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

type Pair = readonly [string, string];

/** `initial` are the two versions that are compared at first. */
export function CompareDialog({
  model,
  initial,
  onClose,
}: {
  readonly model: ModelView;
  readonly initial: Pair;
  readonly onClose: () => void;
}) {
  const [[a, b], setPair] = useState<Pair>(initial);
  const { data, error, isLoading } = useCall('repository/compareVersions', { model: model.name, a, b });
  const client = useClient();
  const speed = useAction(async () => {
    await compareSpeed(client, { model: model.name, versions: [a, b] });
    onClose();
  });
  const pick = (value: string, label: string, onChange: (next: string) => void, testId: string) => (
    <Select
      aria-label={label}
      data-testid={testId}
      value={value}
      onChange={onChange}
      options={model.versions.map(({ version }) => ({ value: version, label: `v${version}` }))}
    />
  );
  return (
    <Dialog
      isOpen
      width="md"
      testId="compare-dialog"
      onClose={onClose}
      title={t('model.compare.title', { name: model.name })}
      footer={
        <>
          {hasScreen('perf') && (
            <Button
              icon={Gauge}
              isBusy={speed.isRunning}
              disabledReason={speedProblem(model, [a, b])}
              title={t('model.compare.perfHelp')}
              data-testid="compare-speed"
              onClick={() => speed.run()}
            >
              {t('model.compare.perf')}
            </Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <div className="mb-3 flex items-center gap-2">
        {pick(a, t('model.compare.first'), (next) => setPair([next, b]), 'compare-a')}
        <span className="text-soft">{t('model.compare.with')}</span>
        {pick(b, t('model.compare.second'), (next) => setPair([a, next]), 'compare-b')}
      </div>
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {data === undefined || isLoading ? (
        error === undefined && <Skeleton rows={4} />
      ) : (
        <Comparison comparison={data} a={a} b={b} />
      )}
    </Dialog>
  );
}

/** Why the two cannot be measured; undefined = they can. */
function speedProblem({ servedVersions }: ModelView, [a, b]: Pair): string | undefined {
  if (a === b) return t('model.compare.perfSame');
  const missing = [a, b].find((version) => !servedVersions.includes(version));
  return missing === undefined ? undefined : t('model.compare.perfNotServed', { version: missing });
}

function Comparison({
  comparison: { tensors, operators, parameterCount, parity },
  a,
  b,
}: {
  readonly comparison: VersionComparison;
  readonly a: string;
  readonly b: string;
}) {
  const tone = { match: 'good', differ: 'warn', 'cannot-compare': 'neutral' } as const;
  const [first, second] = [`v${a}`, `v${b}`];
  return (
    <div className="flex flex-col gap-4">
      <Banner tone={tone[parity.verdict]} testId="compare-parity">
        {parity.message} <span className="text-soft">{t('model.compare.parityHelp')}</span>
      </Banner>
      <Part title={t('model.compare.tensors')} isSame={tensors.length === 0}>
        <SimpleTable
          label={t('model.compare.tensors')}
          testId="compare-tensors"
          rows={tensors}
          keyOf={({ side, name }) => `${side} ${name}`}
          columns={[
            { id: 'side', title: '', cell: ({ side }) => t(`wizard.tensor.${side}`) },
            { id: 'name', title: t('wizard.tensor.name'), isMono: true, cell: ({ name }) => name },
            { id: 'a', title: first, isMono: true, cell: (row) => row.a ?? '–' },
            { id: 'b', title: second, isMono: true, cell: (row) => row.b ?? '–' },
          ]}
        />
      </Part>
      <Part title={t('model.compare.operators')} isSame={operators.length === 0}>
        <SimpleTable
          label={t('model.compare.operators')}
          testId="compare-operators"
          rows={operators}
          keyOf={({ type }) => type}
          columns={[
            { id: 'type', title: t('model.compare.operator'), isMono: true, cell: ({ type }) => type },
            { id: 'a', title: first, align: 'end', cell: (row) => row.a },
            { id: 'b', title: second, align: 'end', cell: (row) => row.b },
          ]}
        />
      </Part>
      <p className="text-soft">
        {t('model.compare.parameters', {
          a: formatCount(parameterCount.a),
          b: formatCount(parameterCount.b),
        })}
      </p>
    </div>
  );
}

function Part({
  title,
  isSame,
  children,
}: {
  readonly title: string;
  readonly isSame: boolean;
  readonly children: React.ReactNode;
}) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-semibold text-soft">{title}</h3>
      {isSame ? <p className="text-strong">{t('model.compare.same')}</p> : children}
    </section>
  );
}
