// Outline, drawing and details of one file's graph that is here.

import { useMemo, useRef } from 'react';

import { useCommand } from '../../lib/command-registry.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Split } from '../../ui/split.tsx';
import { toastInfo } from '../../ui/toast.tsx';
import { GraphOutline } from './components/graph-outline.tsx';
import { LayoutCover } from './components/layout-cover.tsx';
import { OnnxCanvas } from './components/onnx-canvas.tsx';
import { hasDetails, OnnxPanel } from './components/onnx-panel.tsx';
import { OnnxToolbar } from './components/onnx-toolbar.tsx';
import { focusPanel } from './components/side-panel.tsx';
import { findOperators, searchTexts } from './graph-find.ts';
import { MAX_VISIBLE } from './graph-scopes.ts';
import type { Step } from './graph-steps.ts';
import { goToOperator, openAll, openScope } from './graph-steps.ts';
import { changeView } from './graph-views.ts';
import { drawnPicture } from './onnx-nodes.ts';
import type { OnnxDrawingProps, StageProps, OnnxActions } from './onnx-stage.ts';
import { outlineRows } from './outline-rows.ts';
import { savePicture } from './save-picture.ts';
import type { Drawing } from './use-drawing.ts';
import { LARGE_FROM, useDrawing } from './use-drawing.ts';
import { useConfiguredTensors } from './use-configured-tensors.ts';

/** Draws a graph that was read; how it is looked at is kept by model. */
export function OnnxDrawing(props: OnnxDrawingProps) {
  const { model, version, index, sourceKey } = props;
  const name = model.name;
  const drawing = useDrawing(name, sourceKey, index);
  const { view, tree, mode } = drawing;
  const finder = useRef<HTMLInputElement>(null);
  const sizes = useWorkspace((state) => state.sizes['graph']);
  const configured = useConfiguredTensors(name, `${model.loadedAtMs} ${String(model.changedOnDisk)}`);
  const isSearching = view.query.trim() !== '';
  const texts = useMemo(() => (isSearching ? searchTexts(index) : []), [index, isSearching]);
  const found = useMemo(() => findOperators(texts, view.query), [texts, view.query]);
  const rows = useMemo(
    () => outlineRows({ index, tree, open: view.listed, found }),
    [index, tree, view.listed, found],
  );
  const actions = onnxActions(name, drawing);
  useCommand('find.inView', () => finder.current?.select());
  const foundAt = found?.findIndex((at) => `op:${at}` === view.selected) ?? -1;
  const step = (by: 1 | -1): void => {
    if (found === undefined || found.length === 0) return;
    const next =
      foundAt < 0 ? (by === 1 ? 0 : found.length - 1) : (foundAt + by + found.length) % found.length;
    const at = found[next];
    if (at !== undefined) actions.go(at);
  };
  const outline = (
    <GraphOutline
      rows={rows}
      selected={view.selected}
      emptyText={found === undefined ? t('graph.empty') : t('graph.find.none')}
      onSelect={actions.select}
      onToggle={actions.toggleRow}
      onOpen={(row) => {
        if (row.isOpen !== undefined) actions.toggleRow(row, !row.isOpen);
        else focusPanel();
      }}
    />
  );
  const panels = [
    { id: 'outline', minSize: 160, defaultSize: '22%', content: outline },
    {
      id: 'canvas',
      minSize: 220,
      content: <Stage {...props} drawing={drawing} actions={actions} configured={configured} />,
    },
    ...(!hasDetails(view.selected, index, tree)
      ? []
      : [
          {
            id: 'details',
            minSize: 220,
            defaultSize: '28%',
            content: <OnnxPanel {...props} drawing={drawing} actions={actions} configured={configured} />,
          },
        ]),
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="graph-tab" data-mode={mode}>
      <OnnxToolbar
        finder={finder}
        query={view.query}
        onQuery={(query) => changeView(name, { query })}
        foundAt={foundAt + 1}
        foundCount={found?.length}
        onStep={step}
        mode={mode}
        onMode={actions.setMode}
        hasScopes={tree.byPath.size > 1}
        onOpenAll={() => actions.apply(openAll(tree), name)}
        onCloseAll={() => changeView(name, { open: new Set() })}
        constantCount={index.constants.size}
        withConstants={view.withConstants}
        onConstants={(withConstants) => changeView(name, { withConstants, open: undefined })}
        exportReason={drawing.job?.layout === undefined ? t('graph.export.wait') : undefined}
        onExport={(kind) => {
          const picture = drawnPicture(name, drawing, configured);
          if (picture !== undefined)
            void savePicture(`${name}${version === '' ? '' : `-${version}`}`, kind, picture);
        }}
      />
      <Notes
        count={index.data.operators.length}
        drawing={drawing}
        onScopes={() => actions.setMode('scopes')}
      />
      <Split
        id="graph-split"
        label={t('model.tab.graph')}
        panels={panels}
        sizes={sizes}
        onSizes={(next) => setSizes('graph', next)}
      />
    </div>
  );
}

function Notes({
  count,
  drawing,
  onScopes,
}: {
  readonly count: number;
  readonly drawing: Drawing;
  readonly onScopes: () => void;
}) {
  const { mode, tree, visible } = drawing;
  return (
    <>
      {count > LARGE_FROM && mode === 'around' && (
        <Banner
          isStrip
          tone="neutral"
          testId="graph-large"
          actions={
            <Button size="sm" data-testid="graph-draw-scopes" onClick={onScopes}>
              {t('graph.large.scopes')}
            </Button>
          }
        >
          {t('graph.large', { count })}
        </Banner>
      )}
      {tree.isCut && mode === 'scopes' && (
        <Banner isStrip tone="neutral" testId="graph-cut">
          {t('graph.cut')}
        </Banner>
      )}
      {visible.hiddenCount > 0 && (
        <Banner isStrip tone="neutral" testId="graph-hidden">
          {t('graph.hidden', { count: visible.hiddenCount })}
        </Banner>
      )}
    </>
  );
}

function Stage(props: StageProps) {
  const { drawing } = props;
  const { visible, job, mode } = drawing;
  if (visible.nodes.length === 0) {
    return <EmptyState title={t(mode === 'around' ? 'graph.pick' : 'graph.empty')} />;
  }
  if (job?.layout === undefined) {
    return <LayoutCover job={job} onCancel={drawing.cancel} onAgain={() => drawing.start(true)} />;
  }
  return <OnnxCanvas {...props} layout={job.layout} />;
}

/** Operators are gone to; everything else is selected only. */
function onnxActions(name: string, drawing: Drawing): OnnxActions {
  const { view, tree, open, mode, center, drawn } = drawing;
  const apply = ({ change, tooMany }: Step, scope: string): void => {
    if (change !== undefined) changeView(name, change);
    else toastInfo(t('graph.tooMany', { scope, count: tooMany, limit: MAX_VISIBLE }));
  };
  const go = (at: number): void => {
    // A constant that is folded away is drawn once somebody asks for it.
    if (drawn(at)) changeView(name, goToOperator(tree, open, mode, at));
    else changeView(name, { withConstants: true, mode: 'around', center: at, selected: `op:${at}` });
  };
  return {
    apply,
    go,
    select: ({ id }) => {
      if (id.startsWith('op:')) go(Number(id.slice(3)));
      else changeView(name, { selected: id });
    },
    toggleRow: ({ id }, isOpen) => {
      const path = id.slice('scope:'.length);
      const listed = new Set(view.listed);
      if (isOpen) listed.add(path);
      else listed.delete(path);
      changeView(name, { listed, selected: id });
    },
    open: (scope, withAll) => apply(openScope(tree, open, scope, withAll), scope),
    setMode: (next) => {
      const at = view.selected?.startsWith('op:') === true ? Number(view.selected.slice(3)) : undefined;
      changeView(name, next === 'around' ? { mode: next, center: at ?? center } : { mode: next });
    },
  };
}
