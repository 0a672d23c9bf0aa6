// The log of one model and, for an ensemble, of its steps; of a model whose instances are processes, by instance too.

import { isLoaded } from '../../actions/model-actions.ts';
import { useModel } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { LogView } from './log-view.tsx';

/** The lines are those of the bottom panel, with the models chosen already. */
export function ModelLogsTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  const target = model !== undefined && isLoaded(model) ? { model: name, version: '' } : undefined;
  const statistics = useCall('observe/statistics', target, model?.loadedAtMs);
  const instances = (statistics.data ?? []).flatMap((view) =>
    view.instances.filter(({ host }) => host !== undefined).map((instance) => instance.name),
  );
  return <LogView models={[name, ...(model?.uses ?? [])]} instances={[...new Set(instances)]} />;
}
