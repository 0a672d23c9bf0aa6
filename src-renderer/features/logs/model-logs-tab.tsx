// The log of one model and, for an ensemble, of its steps.

import { useModel } from '../../engine/engine-context.tsx';
import type { ModelTabProps } from '../../lib/feature.ts';
import { LogView } from './log-view.tsx';

export function ModelLogsTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  return <LogView models={[name, ...(model?.uses ?? [])]} />;
}
