// The drawing of a file's graph. "+" and "-" open and close scopes by key.

import { useMemo } from 'react';
import type { KeyboardEvent } from 'react';

import { t } from '../../../texts/translate.ts';
import type { GraphLayout } from '../graph-layout.ts';
import { closeScope } from '../graph-steps.ts';
import { changeView } from '../graph-views.ts';
import { onnxEdges, onnxNodes } from '../onnx-nodes.ts';
import type { StageProps } from '../onnx-stage.ts';
import { FlowCanvas } from './flow-canvas.tsx';
import { OperatorNode } from './operator-node.tsx';
import { focusPanel } from './side-panel.tsx';

const NODE_TYPES = { operator: OperatorNode };

/** Draws a finished layout; what is selected comes from the drawing's view. */
export function OnnxCanvas({
  model,
  index,
  drawing,
  actions,
  configured,
  layout,
}: StageProps & { readonly layout: GraphLayout }) {
  const { visible, view, tree, open, mode } = drawing;
  const nodes = useMemo(() => onnxNodes(visible, layout, configured), [visible, layout, configured]);
  const edges = useMemo(() => onnxEdges(visible, layout, index), [visible, layout, index]);
  const onKey = (event: KeyboardEvent, id: string | undefined): void => {
    // With a modifier they are the window's own zoom.
    if (id === undefined || mode !== 'scopes' || event.ctrlKey || event.metaKey || event.altKey) return;
    const isScope = id.startsWith('scope:');
    if (event.key === '+' && isScope) actions.open(id.slice('scope:'.length), false);
    else if (event.key === '-' && id.startsWith('op:')) {
      const scope = tree.scopeOf[Number(id.slice(3))] ?? '';
      if (scope === '') return;
      changeView(model.name, closeScope(open, scope));
    } else return;
    event.preventDefault();
  };
  return (
    <FlowCanvas
      testId="graph-canvas"
      label={t('graph.canvas', { name: model.name, count: nodes.length })}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      direction="TB"
      size={layout}
      drawing={drawing.key}
      selected={view.selected}
      onSelect={(id) => changeView(model.name, { selected: id })}
      onOpen={(id) => {
        changeView(model.name, { selected: id });
        focusPanel();
      }}
      onKey={onKey}
    />
  );
}
