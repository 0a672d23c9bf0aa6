// Nodes of an ensemble: a step with the tensors of its model and its live numbers; inputs, outputs, and tensors that
// nothing writes. Each tensor of a step is a place to start or end a line.

import type { Node, NodeProps } from '@xyflow/react';
import { Handle, Position } from '@xyflow/react';
import { CircleCheck, CircleDashed, CircleX, FileQuestion, LoaderCircle, TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import { useSamples } from '../../../engine/engine-context.tsx';
import { formatMicros, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { DagPort, DagStep, DagTensor } from '../ensemble-dag.ts';
import type { StepLoad, StepState } from '../ensemble-load.ts';

export const STEP_WIDTH = 208;
const HEADER_PX = 34;
const PORT_PX = 24;
const FOOTER_PX = 26;
export const TENSOR_SIZE = { width: 136, height: 44 } as const;

export function stepHeight({ inputs, outputs }: Pick<DagStep, 'inputs' | 'outputs'>): number {
  return HEADER_PX + Math.max(1, inputs.length, outputs.length) * PORT_PX + FOOTER_PX;
}

export type StepNodeData = { readonly step: DagStep; readonly load: StepLoad; readonly label: string };
export type TensorNodeData = { readonly tensor: DagTensor; readonly label: string };

const STATES = {
  ready: { icon: CircleCheck, color: 'text-good' },
  loading: { icon: LoaderCircle, color: 'text-info' },
  unloaded: { icon: CircleDashed, color: 'text-faint' },
  failed: { icon: CircleX, color: 'text-bad' },
  missing: { icon: FileQuestion, color: 'text-warn' },
} as const;

export const StepNode = memo(function StepNode({ data, selected }: NodeProps<Node<StepNodeData>>) {
  const { step, load } = data;
  const rows = Array.from({ length: Math.max(1, step.inputs.length, step.outputs.length) }, (_, row) => row);
  const codes = step.issues.map(({ code }) => code);
  return (
    <div
      style={{ width: STEP_WIDTH, height: stepHeight(step) }}
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
      <header
        style={{ height: HEADER_PX - 2 }}
        className="flex items-center gap-1.5 border-b border-line px-2"
      >
        <StateIcon state={load.state} />
        <span className="min-w-0 flex-1 truncate font-semibold text-strong">
          {load.state === 'missing'
            ? t('graph.step.missingText', { model: step.model })
            : t('graph.step.title', { step: step.index + 1, model: step.model })}
        </span>
        {codes.length > 0 && <Codes codes={codes} />}
      </header>
      {rows.map((row) => (
        <div key={row} style={{ height: PORT_PX }} className="flex items-center justify-between gap-2 px-2.5">
          <Port port={step.inputs[row]} side="input" row={row} />
          <Port port={step.outputs[row]} side="output" row={row} />
        </div>
      ))}
      <Footer step={step} load={load} />
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
    <span className="inline-flex shrink-0 items-center gap-0.5 text-xs font-semibold text-bad">
      <Icon of={TriangleAlert} size={12} />
      {[...new Set(codes)].join(' ')}
    </span>
  );
}

function Port({
  port,
  side,
  row,
}: {
  readonly port: DagPort | undefined;
  readonly side: 'input' | 'output';
  readonly row: number;
}) {
  if (port === undefined) return <span />;
  const isMarked = port.issues.length > 0;
  return (
    <span
      title={`${port.name} ${port.value}`}
      className={cx(
        'max-w-[48%] truncate font-mono text-xs',
        isMarked ? 'text-bad' : port.tensor === '' ? 'text-faint' : 'text-soft',
      )}
    >
      <Handle
        id={port.name}
        type={side === 'input' ? 'target' : 'source'}
        position={side === 'input' ? Position.Left : Position.Right}
        style={{ top: portY(row) }}
        data-testid={`graph-port-${side}-${port.name}`}
      />
      {isMarked && '! '}
      {port.name}
    </span>
  );
}

/** Middle of a row, from the top of the node. */
export function portY(row: number): number {
  return HEADER_PX + row * PORT_PX + PORT_PX / 2 - 1;
}

function Footer({ step, load }: { readonly step: DagStep; readonly load: StepLoad }) {
  const waiting = useSamples(({ byModel }) => byModel.get(step.model)?.waiting ?? 0);
  return (
    <footer className="mt-auto flex h-6 items-center gap-2 border-t border-line px-2 text-xs text-soft">
      <span className="flex-1 truncate">
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

export const TensorNode = memo(function TensorNode({ data, selected }: NodeProps<Node<TensorNodeData>>) {
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
        <Handle type="source" position={Position.Right} isConnectable={kind === 'input'} />
      )}
      <span className="flex max-w-full items-center gap-1 text-sm font-semibold text-strong">
        {(kind === 'loose' || issues.length > 0) && (
          <Icon of={TriangleAlert} size={12} className="shrink-0 text-bad" />
        )}
        <span className="truncate">{tensor}</span>
      </span>
      <span className="max-w-full truncate text-xs text-soft">
        {kind === 'loose' ? t('graph.loose') : value}
      </span>
      {kind === 'output' && <Handle type="target" position={Position.Left} />}
    </div>
  );
});
