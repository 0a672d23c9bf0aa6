// What lasts about an ensemble: its text cannot be read, a step keeps it from running, its newest request failed.

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { PLAIN_FAILURE_TITLE } from '../../../../src-shared/contract/model-view.ts';
import { loadModel } from '../../../actions/model-actions.ts';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';
import { useEngine, useModel } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import type { DagStep } from '../ensemble-dag.ts';
import type { Ensemble } from '../use-ensemble.ts';

/** `onSelect` gets the id of the node that a banner speaks of. */
export function EnsembleBanners({
  model,
  ensemble,
  draft,
  onSelect,
}: {
  readonly model: ModelView;
  readonly ensemble: Ensemble;
  readonly draft: DraftHead;
  readonly onSelect: (id: string) => void;
}) {
  const { dag, loads, textError, lastError } = ensemble;
  const toConfig = (
    <Button size="sm" onClick={() => open(modelAddress(model.name, 'config'))}>
      {t('graph.ensemble.openConfig')}
    </Button>
  );
  const blocking = dag.nodes.find(
    (node): node is DagStep =>
      node.kind === 'step' && model.state !== 'ready' && loads[node.index]?.state === 'failed',
  );
  return (
    <>
      {draft.conflict !== undefined && (
        <Banner isStrip tone="warn" testId="graph-conflict" actions={toConfig}>
          {t('graph.ensemble.conflict')}
        </Banner>
      )}
      {textError !== undefined && (
        <Banner isStrip tone="warn" testId="graph-unreadable" actions={toConfig}>
          {t('graph.ensemble.unreadable', { message: textError })}
        </Banner>
      )}
      {blocking !== undefined && (
        <Blocking name={model.name} step={blocking} ensemble={ensemble} onSelect={onSelect} />
      )}
      {model.state === 'ready' && lastError !== undefined && (
        <Banner isStrip tone="bad" testId="graph-last-error">
          {t('graph.ensemble.lastError', { message: lastError })}
        </Banner>
      )}
    </>
  );
}

/** The title of the failure, or the first line of the reason; all of it is in the details of the step. */
function inShort(reason: string | undefined, failure: ModelView['failure']): string | undefined {
  const isKnown = failure !== undefined && failure.title !== PLAIN_FAILURE_TITLE;
  return isKnown && reason === failure.original ? `${failure.title}.` : reason?.split('\n')[0];
}

function Blocking({
  name,
  step,
  ensemble,
  onSelect,
}: {
  readonly name: string;
  readonly step: DagStep;
  readonly ensemble: Ensemble;
  readonly onSelect: (id: string) => void;
}) {
  const engine = useEngine();
  const load = useAction(() => loadModel(engine, step.model));
  const view = useModel(step.model);
  const reason = inShort(ensemble.loads[step.index]?.reason, view?.failure);
  const values = { step: step.index + 1, model: step.model, name };
  return (
    <Banner
      isStrip
      tone="bad"
      testId="graph-blocked"
      actions={
        <>
          <Button size="sm" onClick={() => onSelect(step.id)}>
            {t('graph.panel')}
          </Button>
          <Button
            size="sm"
            data-testid="graph-load-blocking"
            isBusy={load.isRunning}
            onClick={() => load.run()}
          >
            {t('graph.ensemble.load', { model: step.model })}
          </Button>
        </>
      }
    >
      {reason === undefined || reason === 'unloaded'
        ? t('graph.ensemble.blocked', values)
        : t('graph.ensemble.blockedWhy', { ...values, reason })}
    </Banner>
  );
}
