// The column beside an ensemble's drawing: all connections as a table while nothing is selected, else the selected step,
// tensor or line with its findings and what it is connected to. Everything that dragging does can be done here.

import { Pencil, Trash2 } from 'lucide-react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { loadModel } from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { formatMicros, formatPercent } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { placeOfEdge, placeOfTensor } from '../captured-run.ts';
import type { DagEdge, DagEnd, DagStep, DagTensor } from '../ensemble-dag.ts';
import type { Target } from '../ensemble-edits.ts';
import { targetOf } from '../ensemble-keys.ts';
import type { StepState } from '../ensemble-load.ts';
import { disconnect } from '../ensemble-edits.ts';
import type { Ensemble } from '../use-ensemble.ts';
import { CapturedTensor, RunStepAgain } from './captured-tensor.tsx';
import { IssueList } from './issue-list.tsx';
import { PanelSection, SidePanel } from './side-panel.tsx';
import { SourceSelect } from './source-select.tsx';

/** The ensemble, what is selected in it, and what a change in the panel calls. Ids are those of the drawing. */
export interface EnsemblePanelProps {
  readonly model: ModelView;
  readonly ensemble: Ensemble;
  readonly selected: string | undefined;
  /** Undefined = nothing is selected any more. */
  readonly onSelect: (id: string | undefined) => void;
  /** The whole text after a repair, which replaces the one that is there. */
  readonly onText: (text: string) => void;
  /** `sourceValue`: an entry of the list of sources; one that names no source takes the line away. */
  readonly onConnect: (sourceValue: string, target: Target) => void;
  /** Asks for another name of a tensor. */
  readonly onRename: (tensor: string) => void;
  /** `step`: its index in the list of steps, from 0. */
  readonly onRemoveStep: (step: number) => void;
}

/** Every change goes out as an edit of the text; the panel keeps nothing itself. */
export function EnsemblePanel(props: EnsemblePanelProps) {
  const { ensemble, selected, onSelect } = props;
  const { nodes, edges } = ensemble.dag;
  const onClose = (): void => onSelect(undefined);
  const edge = edges.find(({ id }) => selected === `edge:${id}`);
  if (edge !== undefined) {
    return (
      <SidePanel title={edge.tensor} kind={edge.value} onClose={onClose}>
        <LineDetails {...props} edge={edge} />
      </SidePanel>
    );
  }
  const node = nodes.find(({ id }) => id === selected);
  if (node === undefined) return <Connections {...props} />;
  if (node.kind === 'step') {
    return (
      <SidePanel
        title={t('graph.step.title', { step: node.index + 1, model: node.model })}
        kind={t(`graph.step.${ensemble.loads[node.index]?.state ?? 'unloaded'}`)}
        onClose={onClose}
      >
        <StepDetails {...props} step={node} />
      </SidePanel>
    );
  }
  const kind = node.kind === 'loose' ? t('graph.loose') : t(`graph.ensemble.${node.kind}`);
  return (
    <SidePanel title={node.tensor} kind={kind} onClose={onClose}>
      <TensorDetails {...props} tensor={node} />
    </SidePanel>
  );
}

function endText({ dag }: Ensemble, { node, port }: DagEnd): string {
  const found = dag.nodes.find(({ id }) => id === node);
  if (found === undefined) return '';
  return found.kind === 'step'
    ? t('graph.end.step', { step: found.index + 1, port })
    : t(`graph.end.${found.kind}`);
}

function Connections({ model, ensemble, onSelect, onText }: EnsemblePanelProps) {
  const { dag, text } = ensemble;
  return (
    <section
      id="graph-panel"
      aria-label={t('graph.connections')}
      tabIndex={-1}
      data-testid="graph-panel"
      className="focus-inset flex min-h-0 flex-1 flex-col gap-3 overflow-auto border-l border-line bg-surface p-3"
    >
      {dag.issues.length > 0 && (
        <PanelSection title={t('graph.issues')}>
          <IssueList model={model.name} text={text} issues={dag.issues} onText={onText} />
        </PanelSection>
      )}
      <PanelSection title={t('graph.connections')}>
        <SimpleTable<DagEdge>
          label={t('graph.connections')}
          testId="graph-connections"
          rows={dag.edges}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'tensor',
              title: t('graph.connections.tensor'),
              cell: (edge) => (
                <>
                  <button
                    type="button"
                    data-testid={`graph-connection-${edge.id}`}
                    onClick={() => onSelect(`edge:${edge.id}`)}
                    className="min-h-6 max-w-full text-left break-words text-accent underline"
                  >
                    {edge.tensor}
                  </button>
                  <span className="block font-mono text-xs text-soft">
                    {edge.value}{' '}
                    {[...new Set(edge.issues.map(({ code }) => code))].map((code) => (
                      <Badge key={code} tone="bad">
                        {code}
                      </Badge>
                    ))}
                  </span>
                </>
              ),
            },
            {
              id: 'ends',
              title: t('graph.connections.ends'),
              // Under each other: beside each other they do not fit the column in a narrow window.
              cell: ({ from, to }) => (
                <>
                  <span className="block break-words">{endText(ensemble, from)}</span>
                  <span className="block break-words">→ {endText(ensemble, to)}</span>
                </>
              ),
            },
          ]}
        />
      </PanelSection>
    </section>
  );
}

function LineDetails(props: EnsemblePanelProps & { readonly edge: DagEdge }) {
  const { model, ensemble, edge, onSelect, onText } = props;
  const target = targetOf(ensemble.dag, edge.to);
  const place = placeOfEdge(ensemble.dag, edge);
  return (
    <>
      <Facts
        items={[
          [t('graph.connections.from'), endText(ensemble, edge.from)],
          [t('graph.connections.to'), endText(ensemble, edge.to)],
        ]}
      />
      {edge.issues.length > 0 && (
        <IssueList model={model.name} text={ensemble.text} issues={edge.issues} onText={onText} />
      )}
      <RenameButton tensor={edge.tensor} onRename={props.onRename} />
      {place !== undefined && <CapturedTensor ensemble={model.name} place={place} />}
      {target !== undefined && (
        <PanelSection title={t('graph.line.source', { end: endText(ensemble, edge.to) })}>
          <SourceSelect {...props} target={target} edge={edge} label={edge.to.port || edge.tensor} />
          <div className="mt-2">
            <Button
              size="sm"
              data-testid="graph-disconnect"
              onClick={() => {
                onText(disconnect(ensemble.text, target));
                onSelect(undefined);
              }}
            >
              {t('graph.line.disconnect')}
            </Button>
          </div>
        </PanelSection>
      )}
    </>
  );
}

function StepDetails(props: EnsemblePanelProps & { readonly step: DagStep }) {
  const { model, ensemble, step, onText } = props;
  const load = ensemble.loads[step.index];
  const issues = [
    ...step.issues,
    ...step.inputs.flatMap((port) => port.issues),
    ...step.outputs.flatMap((port) => port.issues),
  ];
  return (
    <>
      {load?.reason !== undefined && <p className="text-bad select-text">{load.reason}</p>}
      <StepButtons key={step.model} ensemble={model.name} step={step} state={load?.state} />
      {issues.length > 0 && (
        <IssueList model={model.name} text={ensemble.text} issues={issues} onText={onText} />
      )}
      <Facts
        items={[
          [t('graph.step.version'), step.version === -1 ? t('graph.step.newest') : String(step.version)],
          ...(load?.meanUs === undefined
            ? []
            : [
                [t('graph.step.mean'), formatMicros(load.meanUs)] as const,
                [t('graph.step.share'), formatPercent(load.share)] as const,
              ]),
          ...(load === undefined || load.failureCount === 0
            ? []
            : [[t('graph.step.failures'), String(load.failureCount)] as const]),
        ]}
      />
      <PanelSection title={t('graph.step.inputs')}>
        <ul className="flex flex-col gap-2">
          {step.inputs.map((port) => {
            const target: Target = { kind: 'step', step: step.index, port: port.name };
            const edge = ensemble.dag.edges.find(({ to }) => to.node === step.id && to.port === port.name);
            return (
              <li key={port.name}>
                <div className="mb-1 flex flex-wrap items-baseline gap-x-2">
                  <code className="font-medium text-strong">{port.name}</code>
                  <span className="font-mono text-xs text-soft">{port.value}</span>
                  {port.isOptional && <Badge>{t('graph.step.optional')}</Badge>}
                </div>
                <SourceSelect {...props} target={target} edge={edge} label={port.name} />
              </li>
            );
          })}
        </ul>
      </PanelSection>
      <PanelSection title={t('graph.step.outputs')}>
        <Facts
          items={step.outputs.map(({ name, value, tensor }) => [
            name,
            <span key={name} className="flex flex-wrap items-center gap-x-1">
              {`${tensor ?? t('graph.step.unused')} ${value ?? ''}`}
              {tensor !== undefined && <RenameButton tensor={tensor} onRename={props.onRename} isSmall />}
            </span>,
          ])}
        />
      </PanelSection>
      <div>
        <Button
          size="sm"
          icon={Trash2}
          data-testid="graph-remove-step"
          onClick={() => props.onRemoveStep(step.index)}
        >
          {t('graph.step.remove')}
        </Button>
      </div>
    </>
  );
}

function RenameButton({
  tensor,
  onRename,
  isSmall = false,
}: Pick<EnsemblePanelProps, 'onRename'> & { readonly tensor: string; readonly isSmall?: boolean }) {
  const act = { 'data-testid': `graph-rename-${tensor}`, onClick: () => onRename(tensor) };
  const label = t('graph.rename.of', { tensor });
  if (isSmall) return <IconButton label={label} icon={Pencil} {...act} />;
  return (
    <div>
      <Button size="sm" icon={Pencil} aria-label={label} {...act}>
        {t('graph.rename.open')}
      </Button>
    </div>
  );
}

interface StepButtonsProps {
  readonly ensemble: string;
  readonly step: DagStep;
  readonly state: StepState | undefined;
}

function StepButtons({ ensemble, step, state }: StepButtonsProps) {
  const engine = useEngine();
  const load = useAction(() => loadModel(engine, step.model));
  const isMain = useMainAct(step.isMissing || state !== 'ready', 'mends');
  if (step.isMissing) {
    return (
      <div>
        <Button
          size="sm"
          variant={isMain ? 'primary' : 'secondary'}
          data-testid="graph-import"
          onClick={() => runCommand('repository.importOnnx', step.model)}
        >
          {t('graph.step.import')}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {state !== 'ready' && (
        <Button
          size="sm"
          variant={isMain ? 'primary' : 'secondary'}
          data-testid="graph-load-step"
          isBusy={load.isRunning || state === 'loading'}
          onClick={() => load.run()}
        >
          {t('graph.ensemble.load', { model: step.model })}
        </Button>
      )}
      <Button size="sm" onClick={() => open(modelAddress(step.model, 'overview'))}>
        {t('graph.step.openModel')}
      </Button>
      <RunStepAgain ensemble={ensemble} step={step.index} model={step.model} />
    </div>
  );
}

function TensorDetails(props: EnsemblePanelProps & { readonly tensor: DagTensor }) {
  const { model, ensemble, tensor, onText } = props;
  const place = placeOfTensor(tensor);
  return (
    <>
      {tensor.value !== undefined && <code>{tensor.value}</code>}
      <RenameButton tensor={tensor.tensor} onRename={props.onRename} />
      {tensor.issues.length > 0 && (
        <IssueList model={model.name} text={ensemble.text} issues={tensor.issues} onText={onText} />
      )}
      {place !== undefined && <CapturedTensor ensemble={model.name} place={place} />}
      {tensor.kind === 'output' && (
        <SourceSelect
          {...props}
          target={{ kind: 'output', tensor: tensor.tensor }}
          edge={undefined}
          label={tensor.tensor}
        />
      )}
    </>
  );
}
