// Captured requests as the data of a run: how many there are now, in which order they go out, and how to get some.

import type { PerfData } from '../../../../src-shared/contract/perf-plan.ts';
import { CaptureSwitch, captureSentence } from '../../../actions/capture-switch.tsx';
import { useCapture } from '../../../actions/use-capture.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/toggles.tsx';

type Order = Extract<PerfData['source'], { kind: 'captured' }>['order'];

/** Counts what would be sent if the run started now. A schedule has the order of its times. */
export function CapturedChoice({
  model,
  order,
  isScheduled,
  onChange,
}: {
  readonly model: string;
  readonly order: Order;
  readonly isScheduled: boolean;
  readonly onChange: (order: Order) => void;
}) {
  const capture = useCapture(model);
  const own = capture.rows.filter((row) => row.model === model);
  const sent = own.filter(
    ({ state, hasTensors, inputs }) => state === 'ok' && hasTensors && inputs.length > 0,
  );
  return (
    <>
      <p role="status" aria-live="polite" data-testid="perf-captured" data-count={sent.length}>
        {sent.length === 0
          ? t('perf.data.capturedNone', { model })
          : t('perf.data.capturedCount', { count: sent.length, left: own.length - sent.length })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <CaptureSwitch capture={capture} />
        <span className="text-sm text-soft">{captureSentence(capture)}</span>
      </div>
      {!isScheduled && (
        <Field label={t('perf.data.order')}>
          <Segmented
            label={t('perf.data.order')}
            testId="perf-captured-order"
            value={order}
            onChange={onChange}
            options={[
              { value: 'in-order', label: t('perf.data.order.in-order') },
              { value: 'random', label: t('perf.data.order.random') },
            ]}
          />
        </Field>
      )}
    </>
  );
}
