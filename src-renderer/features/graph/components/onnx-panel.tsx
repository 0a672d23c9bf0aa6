// Details of what is selected in a file's graph.

import { t } from '../../../texts/translate.ts';
import type { GraphIndex } from '../graph-index.ts';
import { operatorName } from '../graph-index.ts';
import type { ScopeTree } from '../graph-scopes.ts';
import { closeScope } from '../graph-steps.ts';
import { changeView } from '../graph-views.ts';
import type { StageProps } from '../onnx-stage.ts';
import { OperatorPanel } from './operator-panel.tsx';
import { ScopePanel, TensorPanel } from './other-panels.tsx';
import { SidePanel } from './side-panel.tsx';

/** What is selected is in this file: another version, or a drawing without constants, may not have it. */
export function hasDetails(
  selected: string | undefined,
  { data }: GraphIndex,
  { byPath }: ScopeTree,
): boolean {
  const { kind, id } = partsOf(selected);
  if (kind === 'op') return data.operators[Number(id)] !== undefined;
  if (kind === 'scope') return byPath.has(id);
  const tensors = kind === 'in' ? data.inputs : kind === 'out' ? data.outputs : [];
  return tensors.some(({ name }) => name === id);
}

/** What an id of the drawing is of: "op:5" an operator, "scope:body" a scope, "in:x" and "out:y" tensors. */
function partsOf(selected: string | undefined): { readonly kind: string | undefined; readonly id: string } {
  const [kind, ...rest] = selected?.split(':') ?? [];
  return { kind, id: rest.join(':') };
}

/** An operator, a scope or a tensor, whichever is selected; nothing while none is. */
export function OnnxPanel({ model, version, index, drawing, actions, configured }: StageProps) {
  const { view, tree, mode, open } = drawing;
  const name = model.name;
  const onClose = (): void => changeView(name, { selected: undefined });
  const { kind, id } = partsOf(view.selected);
  if (kind === 'op') {
    const at = Number(id);
    const operator = index.data.operators[at];
    if (operator === undefined) return null;
    return (
      <SidePanel title={operator.opType} kind={operatorName(operator)} onClose={onClose}>
        <OperatorPanel
          model={name}
          version={version}
          index={index}
          at={at}
          scope={tree.scopeOf[at] ?? ''}
          onGo={actions.go}
          onCloseScope={mode === 'scopes' ? (path) => changeView(name, closeScope(open, path)) : undefined}
          onAround={
            mode === 'around' && drawing.center === at
              ? undefined
              : () => changeView(name, { mode: 'around', center: at })
          }
        />
      </SidePanel>
    );
  }
  const scope = kind === 'scope' ? tree.byPath.get(id) : undefined;
  if (scope !== undefined) {
    const isOpen = mode === 'scopes' && open.has(scope.path);
    return (
      <SidePanel
        title={scope.title}
        kind={scope.note === undefined ? t('graph.panel.scope') : scope.note}
        onClose={onClose}
      >
        <ScopePanel
          index={index}
          scope={scope}
          isOpen={isOpen}
          onClose={() => changeView(name, closeScope(open, scope.path))}
          onOpen={(withAll) => {
            if (mode !== 'scopes') changeView(name, { mode: 'scopes' });
            actions.open(scope.path, withAll);
          }}
        />
      </SidePanel>
    );
  }
  if (kind !== 'in' && kind !== 'out') return null;
  return (
    <SidePanel
      title={id}
      kind={t(kind === 'in' ? 'graph.panel.graphInput' : 'graph.panel.graphOutput')}
      onClose={onClose}
    >
      <TensorPanel
        index={index}
        tensor={id}
        isInput={kind === 'in'}
        configured={configured === undefined ? undefined : { text: configured.get(id) }}
        onGo={actions.go}
      />
    </SidePanel>
  );
}
