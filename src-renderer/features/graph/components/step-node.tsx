// Nodes of an ensemble: a step with the tensors of its model and its live numbers; inputs, outputs, and tensors that
// nothing writes. Each tensor of a step is a place to start or end a line.

import type { Node, NodeProps } from '@xyflow/react';
import { Handle } from '@xyflow/react';
import { CircleCheck, CircleDashed, CircleX, FileQuestion, LoaderCircle, TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import { useSamples } from '../../../engine/engine-context.tsx';
import { formatMicros, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { DagStep, DagTensor } from '../ensemble-dag.ts';
import type { StepLoad, StepState } from '../ensemble-load.ts';
import type { Direction } from '../ensemble-sizes.ts';
import { HEADER_PX, PORT_PX, SIDES, TENSOR_SIZE, portPlace, stepSize } from '../ensemble-sizes.ts';

/** A step with its live numbers; `label` is what screen readers say. */
export type StepNodeData = {
  readonly step: DagStep;
  readonly load: StepLoad;
  readonly direction: Direction;
  readonly label: string;
};
/** An input, an output or a loose tensor; `label` is what screen readers say. */
export type TensorNodeData = {
  readonly tensor: DagTensor;
  readonly direction: Direction;
  readonly label: string;
};

const STATES = {
  ready: { icon: CircleCheck, color: 'text-good' },
  loading: { icon: LoaderCircle, color: 'text-info' },
  unloaded: { icon: CircleDashed, color: 'text-faint' },
  failed: { icon: CircleX, color: 'text-bad' },
  missing: { icon: FileQuestion, color: 'text-warn' },
} as const;

/** Its handles are named by the tensors of the model. */
export const StepNode = memo(function StepNode({ data, selected }: NodeProps<Node<StepNodeData>>) {
  const { step, load, direction } = data;
  const codes = step.issues.map(({ code }) => code);
  return (
    <div
      style={stepSize(step, direction)}
      data-testid={`graph-step-${step.index}`}
      data-state={load.state}
      data-critical={load.isCritical}
      data-codes={codes.join(' ')}
      className={cx(
        'flex flex-col rounded-md border-2 bg-surface',
        frameOf(load, codes.length > 0),
        selected && 'outline-2 outline-offset-2 outline-focus',
      )}
    >
      {direction === 'TB' && <PortRow step={step} side="input" />}
      <header
        style={{ height: HEADER_PX - 2 }}
        className={cx(
          'flex shrink-0 items-center gap-1.5 border-line px-2',
          direction === 'TB' ? 'border-t' : 'border-b',
        )}
      >
        <StateIcon state={load.state} />
        <span className="min-w-0 flex-1 truncate font-semibold text-strong">
          {load.state === 'missing'
            ? t('graph.step.missingText', { model: step.model })
            : t('graph.step.title', { step: step.index + 1, model: step.model })}
        </span>
        {codes.length > 0 && <Codes codes={codes} />}
      </header>
      {direction === 'LR' && <PortColumns step={step} />}
      <Footer step={step} load={load} direction={direction} />
      {direction === 'TB' && <PortRow step={step} side="output" />}
    </div>
  );
});

function frameOf({ state, isCritical }: StepLoad, isMarked: boolean): string {
  if (state === 'failed') return 'border-bad';
  if (state === 'missing') return 'border-dashed border-warn';
  if (isMarked) return 'border-bad';
  return isCritical ? 'border-c2' : 'border-line-strong';
}

function StateIcon({ state }: { readonly state: StepState }) {
  const { icon, color } = STATES[state];
  return (
    <span title={t(`graph.step.${state}`)} className={cx('shrink-0', color)}>
      <Icon of={icon} size={14} className={state === 'loading' ? 'animate-turn' : undefined} />
    </span>
  );
}

function Codes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-0.5 text-sm font-semibold text-bad">
      <Icon of={TriangleAlert} size={12} />
      {[...new Set(codes)].join(' ')}
    </span>
  );
}

/** Inputs at the left, outputs at the right. */
function PortColumns({ step }: { readonly step: DagStep }) {
  const rows = Array.from({ length: Math.max(1, step.inputs.length, step.outputs.length) }, (_, row) => row);
  return rows.map((row) => (
    <div key={row} style={{ height: PORT_PX }} className="flex items-center justify-between gap-2 px-2.5">
      {(['input', 'output'] as const).map((side) => (
        <span key={side} className="max-w-[48%] min-w-0">
          <Port step={step} side={side} at={row} direction="LR" />
        </span>
      ))}
    </div>
  ));
}

/** The tensors of one side in columns of one width, each under or over its line. */
function PortRow({ step, side }: { readonly step: DagStep; readonly side: 'input' | 'output' }) {
  const ports = side === 'input' ? step.inputs : step.outputs;
  return (
    <div style={{ height: PORT_PX }} className="flex shrink-0 items-center">
      {ports.map(({ name }, at) => (
        <span key={name} className="min-w-0 flex-1 px-1 text-center">
          <Port step={step} side={side} at={at} direction="TB" />
        </span>
      ))}
    </div>
  );
}

function Port({
  step,
  side,
  at,
  direction,
}: {
  readonly step: DagStep;
  readonly side: 'input' | 'output';
  readonly at: number;
  readonly direction: Direction;
}) {
  const port = (side === 'input' ? step.inputs : step.outputs)[at];
  if (port === undefined) return null;
  const isMarked = port.issues.length > 0;
  const { x, y } = portPlace(step, side, at, direction);
  return (
    <span
      title={`${port.name} ${port.value ?? ''}`}
      className={cx(
        'block truncate font-mono text-sm',
        isMarked ? 'text-bad' : port.tensor === undefined ? 'text-faint' : 'text-soft',
      )}
    >
      <Handle
        id={port.name}
        type={side === 'input' ? 'target' : 'source'}
        position={SIDES[direction][side]}
        style={direction === 'LR' ? { top: y } : { left: x }}
        data-testid={`graph-port-${side}-${port.name}`}
      />
      {isMarked && '! '}
      {port.name}
    </span>
  );
}

function Footer({ step, load, direction }: Pick<StepNodeData, 'step' | 'load' | 'direction'>) {
  const waiting = useSamples(({ byModel }) => byModel.get(step.model)?.waiting ?? 0);
  return (
    <footer
      className={cx(
        'flex h-6 shrink-0 items-center gap-2 border-line px-2 text-sm text-soft',
        direction === 'TB' ? 'border-b' : 'mt-auto border-t',
      )}
    >
      <span
        title={load.meanUs === undefined ? undefined : t('graph.step.timingOf', { count: load.runCount })}
        className="flex-1 truncate"
      >
        {load.meanUs === undefined
          ? load.state === 'ready'
            ? t('graph.step.untimed')
            : t(`graph.step.${load.state}`)
          : t('graph.step.timing', { mean: formatMicros(load.meanUs), share: formatPercent(load.share) })}
      </span>
      {load.isCritical && (
        <span title={t('graph.step.critical')} className="font-semibold text-c2">
          ◆
        </span>
      )}
      {waiting > 0 && <span className="text-c2">{t('graph.step.waiting', { count: waiting })}</span>}
    </footer>
  );
}

const KINDS = {
  input: 'border-accent',
  output: 'border-accent',
  loose: 'border-dashed border-bad',
} as const;

/** A tensor of the ensemble itself, or one that no step writes. */
export const TensorNode = memo(function TensorNode({ data, selected }: NodeProps<Node<TensorNodeData>>) {
  const { direction } = data;
  const { kind, tensor, value, issues } = data.tensor;
  return (
    <div
      style={TENSOR_SIZE}
      data-testid={`graph-${kind}-${tensor}`}
      data-codes={issues.map(({ code }) => code).join(' ')}
      className={cx(
        'flex flex-col items-center justify-center rounded-full border-2 bg-surface px-3 leading-4',
        issues.length > 0 ? 'border-bad' : KINDS[kind],
        selected && 'outline-2 outline-offset-2 outline-focus',
      )}
    >
      {kind !== 'output' && (
        <Handle type="source" position={SIDES[direction].output} isConnectable={kind === 'input'} />
      )}
      <span className="flex max-w-full items-center gap-1 text-sm font-semibold text-strong">
        {(kind === 'loose' || issues.length > 0) && (
          <Icon of={TriangleAlert} size={12} className="shrink-0 text-bad" />
        )}
        <span className="truncate">{tensor}</span>
      </span>
      <span className="max-w-full truncate text-sm text-soft">
        {kind === 'loose' ? t('graph.loose') : value}
      </span>
      {kind === 'output' && <Handle type="target" position={SIDES[direction].input} />}
    </div>
  );
});
