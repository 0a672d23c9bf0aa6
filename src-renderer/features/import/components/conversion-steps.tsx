// How far a conversion to ONNX is, step by step, and where and why it failed.

import { Circle, CircleCheck, CircleX, LoaderCircle } from 'lucide-react';

import type { ConversionStep } from '../../../../src-shared/contract/conversion-steps.ts';
import { CONVERSION_ORDER, CONVERSION_STEPS } from '../../../../src-shared/contract/conversion-steps.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { ConversionFailure } from '../import-store.ts';

const LOOKS = {
  done: { icon: CircleCheck, color: 'text-good' },
  running: { icon: LoaderCircle, color: 'text-info animate-turn' },
  failed: { icon: CircleX, color: 'text-bad' },
  waiting: { icon: Circle, color: 'text-faint' },
} as const;

/** `current`: where the work is, or where it ended when there is a failure. */
export function ConversionSteps({
  current,
  failure,
}: {
  readonly current: ConversionStep;
  readonly failure: ConversionFailure | undefined;
}) {
  const at = CONVERSION_ORDER.indexOf(current);
  const stateOf = (index: number): keyof typeof LOOKS => {
    if (index !== at) return index < at ? 'done' : 'waiting';
    return failure === undefined ? 'running' : 'failed';
  };
  return (
    <>
      <ol className="mt-3 mb-2 flex flex-col gap-1" aria-live="polite" data-testid="convert-steps">
        {CONVERSION_ORDER.map((step, index) => {
          const state = stateOf(index);
          return (
            <li
              key={step}
              data-testid={`convert-step-${step}`}
              data-state={state}
              aria-current={index === at ? 'step' : undefined}
              className="flex items-center gap-2"
            >
              <Icon of={LOOKS[state].icon} size={14} className={`shrink-0 ${LOOKS[state].color}`} />
              <span className={state === 'waiting' ? 'text-faint' : 'text-strong'}>
                {CONVERSION_STEPS[step]}
              </span>
            </li>
          );
        })}
      </ol>
      {failure !== undefined && (
        <Banner tone="bad" testId="convert-failure">
          {failure.message}
        </Banner>
      )}
      {failure?.output !== undefined && (
        <CodeBlock
          text={failure.output}
          isWrapped
          testId="convert-output"
          label={t('convert.output')}
          className="max-h-48 overflow-auto"
        />
      )}
    </>
  );
}

/** The step that a task is at; its first one before it has said anything. */
export function stepOfDetail(detail: string | undefined): ConversionStep {
  return CONVERSION_ORDER.find((step) => CONVERSION_STEPS[step] === detail) ?? 'starting';
}
