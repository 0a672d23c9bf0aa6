// The steps of an ensemble as a drawing that is edited: lines are dragged from outputs to inputs and become text, findings
// stand where they are about, live numbers on each step, the tensors of the last captured request at each line.

import type { Connection, Edge } from '@xyflow/react';
import { Workflow } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { startConfigSession } from '../../config/drafts/config-session.ts';
import { modelAddress } from '../../lib/address.ts';
import { isEditable } from '../../lib/keys.ts';
import { open, setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Split } from '../../ui/split.tsx';
import type { BoxSize } from '../../ui/use-box-size.ts';
import { useBoxSize } from '../../ui/use-box-size.ts';
import { AddStepDialog } from './components/add-step-dialog.tsx';
import { EnsembleBanners } from './components/ensemble-banners.tsx';
import { EnsemblePanel } from './components/ensemble-panel.tsx';
import { EnsembleToolbar } from './components/ensemble-toolbar.tsx';
import { FlowCanvas } from './components/flow-canvas.tsx';
import { LayoutCover } from './components/layout-cover.tsx';
import { RenameTensorDialog } from './components/rename-tensor-dialog.tsx';
import { focusPanel } from './components/side-panel.tsx';
import { StepNode, TensorNode } from './components/step-node.tsx';
import type { EnsembleDag } from './ensemble-dag.ts';
import { idAtPath } from './ensemble-dag.ts';
import type { Source, Target } from './ensemble-edits.ts';
import type { Asked, EnsembleEdits } from './ensemble-acts.ts';
import { ensembleEdits } from './ensemble-acts.ts';
import { refusalOf } from './ensemble-edits.ts';
import { onCanvasKey } from './ensemble-keys.ts';
import { ensembleEdges, ensembleNodes, ensemblePicture } from './ensemble-nodes.ts';
import type { Direction } from './ensemble-sizes.ts';
import { fittingDirection } from './fitting-direction.ts';
import type { GraphLayout } from './graph-layout.ts';
import { changeView, graphViews, viewOf } from './graph-views.ts';
import { savePicture } from './save-picture.ts';
import { redoText, undoText } from './text-undo.ts';
import type { Ensemble } from './use-ensemble.ts';
import { useEnsemble } from './use-ensemble.ts';

startConfigSession();

const NODE_TYPES = { step: StepNode, tensor: TensorNode };

/** Edits the same text as the Config tab. */
export function EnsembleGraph({
  model,
  query,
}: {
  readonly model: ModelView;
  /** `at` = field of the text that is to be shown. */
  readonly query: Readonly<Record<string, string>>;
}) {
  const ensemble = useEnsemble(model);
  const { draft, error, retry, dag } = ensemble;
  const { job } = ensemble.layouts.LR;
  const sizes = useWorkspace((state) => state.sizes['graph-ensemble']);
  const [asked, setAsked] = useState<Asked>();
  const { selected } = useStore(graphViews, (state) => viewOf(model.name, state));
  useShownPlace(model.name, dag, query);
  if (draft === undefined) {
    if (error === undefined) return <Skeleton rows={8} />;
    return (
      <EmptyState
        title={t('graph.ensemble.readFailed')}
        text={error}
        actions={<Button onClick={retry}>{t('common.retry')}</Button>}
      />
    );
  }
  const select = (id: string | undefined): void => changeView(model.name, { selected: id });
  const edits = ensembleEdits(ensemble, draft.disk.readOnlyReason, { select, ask: setAsked });
  const stage = {
    id: 'canvas',
    minSize: 260,
    content: <Stage {...{ model, ensemble, selected, select, edits }} />,
  };
  const panel = {
    id: 'details',
    minSize: 220,
    defaultSize: '29%',
    content: (
      <EnsemblePanel
        model={model}
        ensemble={ensemble}
        selected={selected}
        onSelect={select}
        onText={edits.setText}
        onConnect={edits.choose}
        onRename={edits.rename}
        onRemoveStep={edits.removeStep}
      />
    ),
  };
  return (
    <div
      className="flex min-h-0 flex-1 flex-col"
      data-testid="graph-tab"
      data-mode="ensemble"
      onKeyDown={(event) => onUndoKey(event, ensemble.document)}
    >
      <EnsembleToolbar
        model={model}
        document={ensemble.document}
        draft={draft}
        onAddStep={edits.addStep}
        exportReason={job?.layout === undefined ? t('graph.export.wait') : undefined}
        onExport={(kind) => {
          if (job?.layout !== undefined)
            void savePicture(model.name, kind, ensemblePicture(model.name, dag, job.layout));
        }}
      />
      <EnsembleBanners model={model} ensemble={ensemble} draft={draft} onSelect={select} />
      <Split
        id="graph-ensemble"
        label={t('model.tab.graph')}
        panels={[stage, panel]}
        sizes={sizes}
        onSizes={(next) => setSizes('graph-ensemble', next)}
      />
      {asked?.kind === 'step' && (
        <AddStepDialog
          ensemble={ensemble}
          own={model.name}
          onClose={() => setAsked(undefined)}
          onAdd={(text, step) => {
            edits.setText(text);
            setAsked(undefined);
            select(`step:${step}`);
          }}
        />
      )}
      {asked?.kind === 'rename' && (
        <RenameTensorDialog
          ensemble={ensemble}
          tensor={asked.tensor}
          onText={(text) => {
            edits.setText(text);
            select(undefined);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

const shownQueries = new WeakSet<object>();

/** Selects what the address points at, once per address: coming back to the tab must not jump again. */
function useShownPlace(model: string, dag: EnsembleDag, query: Readonly<Record<string, string>>): void {
  useEffect(() => {
    const { at } = query;
    if (at === undefined || shownQueries.has(query)) return;
    const selected = idAtPath(dag, at);
    if (selected === undefined) return;
    shownQueries.add(query);
    changeView(model, { selected });
  }, [model, dag, query]);
}

function onUndoKey(event: KeyboardEvent, document: string): void {
  const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
  if (!isUndo || isEditable(event.target)) return;
  event.preventDefault();
  if (event.shiftKey) redoText(document);
  else undoText(document);
}

/** The ends of a dragged line; undefined when one of them is no place for it. */
function endsOf(
  { nodes }: EnsembleDag,
  { source, sourceHandle, target, targetHandle }: Connection | Edge,
): { readonly source: Source; readonly target: Target } | undefined {
  const from = nodes.find(({ id }) => id === source);
  const to = nodes.find(({ id }) => id === target);
  const writer: Source | undefined =
    from?.kind === 'input'
      ? { kind: 'input', tensor: from.tensor }
      : from?.kind === 'step'
        ? { kind: 'step', step: from.index, port: sourceHandle ?? '' }
        : undefined;
  const reader: Target | undefined =
    to?.kind === 'output'
      ? { kind: 'output', tensor: to.tensor }
      : to?.kind === 'step'
        ? { kind: 'step', step: to.index, port: targetHandle ?? '' }
        : undefined;
  return writer === undefined || reader === undefined ? undefined : { source: writer, target: reader };
}

interface StageProps {
  readonly model: ModelView;
  readonly ensemble: Ensemble;
  readonly selected: string | undefined;
  readonly select: (id: string | undefined) => void;
  readonly edits: EnsembleEdits;
}

function Stage(props: StageProps) {
  const { model, ensemble } = props;
  const { dag, layouts } = ensemble;
  const [box, pane] = useBoxSize();
  if (dag.nodes.length === 0) {
    return (
      <EmptyState
        icon={Workflow}
        title={t('graph.ensemble.empty.title')}
        text={t('graph.ensemble.empty.text')}
        actions={
          <>
            <Button variant="primary" onClick={props.edits.addStep}>
              {t('graph.addStep.open')}
            </Button>
            <Button onClick={() => open(modelAddress(model.name, 'config'))}>
              {t('graph.ensemble.openConfig')}
            </Button>
          </>
        }
      />
    );
  }
  const all = [layouts.LR, layouts.TB];
  const [right, down] = all.map(({ job }) => job?.layout);
  return (
    <div ref={box} className="flex min-h-0 min-w-0 flex-1 flex-col">
      {right === undefined || down === undefined ? (
        <LayoutCover
          job={all.find(({ job }) => job?.layout === undefined)?.job}
          onCancel={() => all.forEach(({ cancel }) => cancel())}
          onAgain={() => all.forEach(({ start }) => start(true))}
        />
      ) : (
        pane !== undefined && <EnsembleCanvas {...props} drawings={{ LR: right, TB: down }} pane={pane} />
      )}
    </div>
  );
}

function EnsembleCanvas({
  model,
  ensemble,
  selected,
  select,
  edits,
  drawings,
  pane,
}: StageProps & { readonly drawings: Readonly<Record<Direction, GraphLayout>>; readonly pane: BoxSize }) {
  const { dag, loads, text } = ensemble;
  const [shown, setShown] = useState<Direction>();
  const direction = fittingDirection(drawings, pane, shown);
  if (direction !== shown) setShown(direction);
  const layout = drawings[direction];
  const nodes = useMemo(() => ensembleNodes(dag, loads, layout, direction), [dag, loads, layout, direction]);
  const edges = useMemo(() => ensembleEdges(dag, loads, selected, layout), [dag, loads, selected, layout]);
  return (
    <FlowCanvas
      testId="graph-canvas"
      label={t('graph.ensemble.canvas', { name: model.name, count: nodes.length })}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      direction={direction}
      size={layout}
      drawing={ensemble.layouts[direction].key}
      selected={selected}
      onSelect={select}
      onSelectEdge={(id) => select(`edge:${id}`)}
      onOpen={(id) => {
        select(id);
        focusPanel();
      }}
      onKey={(event) =>
        onCanvasKey(event, dag, selected, {
          disconnect: (target) => {
            edits.disconnect(target);
            select(undefined);
          },
          removeStep: edits.removeStep,
          rename: edits.rename,
        })
      }
      {...(edits.isLocked
        ? {}
        : {
            onConnect: (connection: Connection) => {
              const ends = endsOf(dag, connection);
              if (ends !== undefined) edits.connect(ends.source, ends.target);
            },
            isValidConnection: (connection: Connection | Edge) => {
              const ends = endsOf(dag, connection);
              return ends !== undefined && refusalOf(text, ends.source, ends.target) === undefined;
            },
          })}
    />
  );
}
