// The graph of a model's ONNX file: an outline, a drawing of scopes or of one neighbourhood, and details of what is
// selected. Read-only.

import { FileQuestion, TriangleAlert } from 'lucide-react';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { modelAddress } from '../../lib/address.ts';
import { open as openAddress } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Progress } from '../../ui/progress.tsx';
import { OnnxDrawing } from './onnx-drawing.tsx';
import { useGraphSource } from './use-graph-source.ts';

/** Says how far reading is, or why there is no graph. */
export function OnnxGraph({ model, version }: { readonly model: ModelView; readonly version: string }) {
  const { source, key, retry } = useGraphSource(model, version);
  switch (source?.state) {
    case undefined:
    case 'reading': {
      const text = t('graph.reading', {
        file: source?.fileName === '' ? model.name : (source?.fileName ?? model.name),
      });
      return (
        <div className="flex flex-1 flex-col items-center justify-center gap-3" data-testid="graph-reading">
          <p role="status" aria-live="polite">
            {text}
          </p>
          <Progress value={source?.progress} label={text} className="w-64" />
        </div>
      );
    }
    case 'missing':
      return (
        <EmptyState
          icon={FileQuestion}
          testId="graph-missing"
          title={t('graph.missing.title')}
          text={t('graph.missing.text', { reason: capital(source.error ?? '') })}
          actions={
            <Button onClick={() => openAddress(modelAddress(model.name, 'versions'))}>
              {t('graph.missing.versions')}
            </Button>
          }
        />
      );
    case 'failed':
      return (
        <EmptyState
          icon={TriangleAlert}
          testId="graph-failed"
          title={t('graph.failed.title')}
          text={source.error}
          actions={<Button onClick={retry}>{t('common.retry')}</Button>}
        />
      );
    case 'ready':
      return source.index === undefined ? null : (
        <OnnxDrawing model={model} version={version} index={source.index} sourceKey={key} />
      );
  }
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
