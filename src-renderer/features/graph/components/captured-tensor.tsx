// The tensor of the last captured request at a place of the drawing, or how to get one.

import { useMemo } from 'react';

import type { CapturedRow } from '../../../../src-shared/contract/capture-calls.ts';
import { captureSentence, CaptureSwitch } from '../../../actions/capture-switch.tsx';
import { useCapture } from '../../../actions/use-capture.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { formatClock } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import type { AnswerSource } from '../../../tensors/class-names.ts';
import { OutputCard } from '../../../tensors/output-card.tsx';
import { OverPicture, useTensorPicture } from '../../../tensors/over-picture.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import type { TensorPlace } from '../captured-run.ts';
import { newestRun, rowAt, tensorAt } from '../captured-run.ts';
import { PanelSection } from './side-panel.tsx';

interface CapturedTensorProps {
  readonly ensemble: string;
  readonly place: TensorPlace;
}

/** The tensor at `place` of the newest captured request to `ensemble`, or why there is none to see. */
export function CapturedTensor({ ensemble, place }: CapturedTensorProps) {
  const capture = useCapture(ensemble);
  const run = newestRun(capture.rows, ensemble);
  const row = run === undefined ? undefined : rowAt(run, place);
  const canOpen = row !== undefined && row.state !== 'running' && row.hasTensors;
  const captured = useCall('capture/open', canOpen ? { id: row.id } : undefined);
  const tensor = captured.data === undefined ? undefined : tensorAt(captured.data, place);
  const outputs = useMemo(
    () => (tensor === undefined || place.side === 'inputs' ? [] : [tensor]),
    [tensor, place.side],
  );
  const picture = useTensorPicture(captured.data?.inputs ?? outputs);
  const source = sourceOf(row, place);
  const isOn = capture.state?.isOn === true;
  return (
    <PanelSection title={t('capture.tensor')}>
      <div className="flex min-w-0 flex-col items-start gap-2" data-testid="graph-captured">
        {run !== undefined && (
          <p className="text-sm text-soft">
            {t('capture.tensor.at', { time: formatClock(run.whole.atMs, true) })}
          </p>
        )}
        {run?.whole.error !== undefined && <p className="text-bad select-text">{run.whole.error}</p>}
        {tensor !== undefined && (
          <div className="flex w-full min-w-0 flex-col gap-2">
            {source !== undefined && <OverPicture outputs={outputs} picture={picture} source={source} />}
            <OutputCard output={tensor} isSummary={false} source={source} />
          </div>
        )}
        {captured.error !== undefined && <p className="text-bad select-text">{captured.error}</p>}
        {run !== undefined && tensor === undefined && !captured.isLoading && captured.error === undefined && (
          <p className="text-soft">{t(absence(row))}</p>
        )}
        {run === undefined && (
          <p className="text-soft">{t(isOn ? 'capture.tensor.waiting' : 'capture.tensor.none')}</p>
        )}
        {isOn && <p className="text-sm text-faint">{captureSentence(capture)}</p>}
        <CaptureSwitch capture={capture} />
      </div>
    </PanelSection>
  );
}

/** Whose labels name the classes of the tensor; inputs have none. */
function sourceOf(row: CapturedRow | undefined, { side }: TensorPlace): AnswerSource | undefined {
  return row === undefined || side === 'inputs' ? undefined : { model: row.model, version: row.version };
}

/** Why a request that was captured shows no tensor here. */
function absence(row: CapturedRow | undefined) {
  if (row?.state === 'running') return 'capture.tensor.running';
  return row?.hasTensors === false ? 'capture.onlyFacts' : 'capture.tensor.notReached';
}

/** Sends the captured inputs of a step to its model again, where they can be changed first. */
export function RunStepAgain({
  ensemble,
  step,
  model,
}: {
  readonly ensemble: string;
  readonly step: number;
  readonly model: string;
}) {
  const run = newestRun(useCapture(ensemble).rows, ensemble);
  const row = run?.steps.get(step);
  if (row === undefined || !row.hasTensors) return null;
  return (
    <>
      {row.error !== undefined && <p className="w-full text-bad select-text">{row.error}</p>}
      <Button
        size="sm"
        data-testid="graph-run-step"
        onClick={() => open(modelAddress(model, 'playground', { captured: String(row.id) }))}
      >
        {t('capture.step.open')}
      </Button>
    </>
  );
}
