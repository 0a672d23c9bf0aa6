// One request: what it was, where its time went compared with what is usual, and the steps that were run for it.

import { useMemo } from 'react';

import type { TraceRow } from '../../../../src-shared/contract/trace-row.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { hasOutcome, partsOf, rangeOf, totalNs, usualParts } from '../trace-parts.ts';
import { stepsOf } from '../trace-steps.ts';
import { choose, useTraces } from '../trace-store.ts';
import type { TraceViewData } from '../use-trace-view.ts';
import { CapturedLink } from './captured-link.tsx';
import { StepTree } from './step-tree.tsx';
import { Waterfall } from './waterfall.tsx';

/** What is usual is worked out over so many rows of the model at most: the latest. */
const USUAL_ROWS = 2000;

/** Works out the usual parts of the model, once per choice. */
export function RequestDetails({ view, row }: { readonly view: TraceViewData; readonly row: TraceRow }) {
  const { rows, children, byId } = view;
  const steps = useMemo(() => stepsOf(row, children), [row, children]);
  const hasSteps = steps.length > 0;
  const usual = useMemo(
    () => usualParts(rows.filter(({ model }) => model === row.model).slice(-USUAL_ROWS), hasSteps),
    [rows, row.model, hasSteps],
  );
  const range = rangeOf(row);
  const wholeNs = totalNs(row);
  const isFile = useTraces(({ file }) => file !== undefined);
  return (
    <div className="flex flex-col gap-3" data-testid="trace-request">
      <Card title={t('traces.request', { id: row.requestId ?? String(row.id) })}>
        <RequestFacts row={row} parent={byId.get(row.parentId)} hasSteps={hasSteps} />
        {row.isFailed && (
          <div className="mt-2">
            <Banner tone="bad">
              {row.error === undefined || row.error === '' ? t('traces.failed') : row.error}
            </Banner>
          </div>
        )}
        {!hasOutcome(row) && <p className="mt-2 text-sm text-soft">{t('traces.noEndText')}</p>}
        {row.runCount > 1 && (
          <p className="mt-2 text-sm text-soft">{t('traces.request.runs', { count: row.runCount })}</p>
        )}
        {!isFile && <CapturedLink row={row} />}
      </Card>
      {range !== undefined && wholeNs !== undefined && (
        <Card title={t('traces.waterfall')}>
          <Waterfall parts={partsOf(row, hasSteps)} startNs={range[0]} totalNs={wholeNs} usual={usual} />
          <p className="mt-2 text-sm text-faint">
            {usual.count < 2
              ? t('traces.waterfall.alone', { model: row.model })
              : t('traces.waterfall.usual', { model: row.model, count: usual.count })}
          </p>
        </Card>
      )}
      {hasSteps && range !== undefined && (
        <Card title={t('traces.steps')}>
          <StepTree steps={steps} startNs={range[0]} endNs={range[1]} />
        </Card>
      )}
    </div>
  );
}

function RequestFacts({
  row,
  parent,
  hasSteps,
}: {
  readonly row: TraceRow;
  readonly parent: TraceRow | undefined;
  readonly hasSteps: boolean;
}) {
  const { execution, version, protocol } = row;
  const model = version === undefined ? row.model : `${row.model} ${version}`;
  return (
    <Facts
      items={[
        [t('traces.col.model'), model],
        ...(protocol === undefined
          ? []
          : [[t('traces.col.protocol'), t(`traces.protocol.${protocol}`)] as const]),
        [
          t('traces.request.execution'),
          execution === undefined ? (
            <span key="none" className="text-faint">
              {t(hasSteps ? 'traces.request.inSteps' : 'traces.request.nowhere')}
            </span>
          ) : (
            <Link
              key="execution"
              testId="trace-show-execution"
              text={t('traces.request.show', { id: String(execution.id) })}
              onClick={() => choose({ kind: 'execution', id: execution.id })}
            />
          ),
        ],
        ...(parent === undefined
          ? []
          : [
              [
                t('traces.request.parent'),
                <Link
                  key="parent"
                  testId="trace-show-parent"
                  text={t('traces.request.showParent', { id: parent.requestId ?? String(parent.id) })}
                  onClick={() => choose({ kind: 'request', id: parent.id })}
                />,
              ] as const,
            ]),
      ]}
    />
  );
}

function Link({
  text,
  onClick,
  testId,
}: {
  readonly text: string;
  readonly onClick: () => void;
  readonly testId: string;
}) {
  return (
    <button
      type="button"
      data-testid={testId}
      className="max-w-full truncate text-left text-accent hover:underline"
      onClick={onClick}
    >
      {text}
    </button>
  );
}
