// The Graph tab of a model: the steps of an ensemble, the graph of an ONNX file, or why there is nothing to draw.

import { Braces } from 'lucide-react';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { useModel } from '../../engine/engine-context.tsx';
import { modelAddress } from '../../lib/address.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnsembleGraph } from './ensemble-graph.tsx';
import { startGraphSession } from './graph-session.ts';
import { OnnxGraph } from './onnx-graph.tsx';

startGraphSession();

/** Which of the three it is follows from the model. */
export function GraphTab({ model: name, version, address }: ModelTabProps) {
  const model = useModel(name);
  if (model === undefined) return null;
  if (model.isEnsemble) return <EnsembleGraph key={name} model={model} query={address.query} />;
  if (model.format === 'onnx') return <OnnxGraph key={name} model={model} version={version} />;
  return <NoGraph model={model} />;
}

/** Why a model whose file is no ONNX graph has nothing to draw. */
const REASONS = { source: 'code', none: 'builtIn', binary: 'foreign', onnx: 'foreign' } as const;

function NoGraph({ model: { name, backend, format } }: { readonly model: ModelView }) {
  return (
    <EmptyState
      icon={Braces}
      testId="graph-none"
      title={t('graph.none.title', { backend: backend === '' ? name : backend })}
      text={t(`graph.none.${REASONS[format]}`)}
      actions={
        <Button onClick={() => open(modelAddress(name, 'overview'))}>{t('graph.none.overview')}</Button>
      }
    />
  );
}
