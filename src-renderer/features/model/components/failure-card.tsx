// Why a model failed, or its last reload, pinned above every sub-tab: plain title, what still serves, the original text,
// the rule with actual values, and what to do about it.

import { CircleQuestionMark, FileCode, FileText, RefreshCw, ScrollText, Wrench } from 'lucide-react';
import { useState } from 'react';

import type { CodePlace, ModelView } from '../../../../src-shared/contract/model-view.ts';
import { loadModel, loadObstacle, reloadModel, reloadObstacle } from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';
import { applyFix } from '../model-fixes.ts';
import { ExplainDialog } from './explain-dialog.tsx';

/** Characters; all of it stands below, in what a client sees. */
const LONGEST_REASON = 2000;

/** For a model that has failed, or whose last reload has. */
export function FailureCard({ model }: { readonly model: ModelView }) {
  const { failure, name } = model;
  const original = failure?.original ?? model.reason ?? '';
  const why = failure?.why ?? '';
  const line = failure?.line ?? 0;
  const [isExplained, setIsExplained] = useState(false);
  // What mends it comes before trying again.
  const isInCode = failure?.place !== undefined && failure.command === undefined;
  const { changedSinceFailure: changed } = model;
  const isOld = changed.length > 0;
  const isMain = useMainAct((failure?.fixes.length ?? 0) > 0 || isInCode || isOld, 'mends');
  const mends = isMain && !isOld;
  return (
    <section
      data-testid={`failure-${name}`}
      className="mx-4 mt-3 mb-1 flex max-h-[45%] shrink-0 flex-col gap-2 overflow-auto rounded-md border border-bad/40 bg-bad-soft p-3"
    >
      {/* Said at once: what it is and why. The server's whole answer is for who asks for it. */}
      <div role="alert" aria-live="assertive" className="flex flex-col gap-2">
        <div className="flex items-center gap-2">
          <StateIcon state="failed" />
          {/* The code is no part of the heading: readers would say both, once with and once without a space between them. */}
          <h3 className="text-md font-semibold text-strong">
            {model.state === 'ready'
              ? t('model.failure.reload', { title: failure?.title ?? '' })
              : (failure?.title ?? t('state.failed'))}
          </h3>
          {failure?.code !== undefined && <Badge tone="bad">{failure.code}</Badge>}
        </div>
        {model.state === 'ready' && (
          <p className="font-medium text-strong" data-testid={`failure-serving-${name}`}>
            {t('model.failure.serves', {
              version: model.servedVersions.join(', '),
              time: formatDateTime(model.loadedAtMs),
            })}
          </p>
        )}
        {isOld && (
          <p className="font-medium text-strong" data-testid={`failure-changed-${name}`}>
            {changed.includes(name)
              ? t('model.failure.changed')
              : t('model.failure.stepChanged', { names: changed.join(', ') })}
          </p>
        )}
        {why !== '' && (
          <p className="break-words text-strong">
            {why.length > LONGEST_REASON ? `${why.slice(0, LONGEST_REASON)}…` : why}
          </p>
        )}
      </div>
      {failure?.command !== undefined && (
        <div>
          <p className="mb-1 text-sm text-soft" aria-hidden>
            {t('model.failure.command')}
          </p>
          <CodeBlock
            text={failure.command}
            label={t('model.failure.command')}
            isWrapped
            testId={`failure-command-${name}`}
            className="!bg-surface"
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {isOld && <TryAgain model={model} isMain={isMain} />}
        <Fixes model={model} isMain={mends} />
        {failure?.place !== undefined && (
          <ShowCode name={name} place={failure.place} isMain={mends && failure.fixes.length === 0} />
        )}
        {hasModelTab('config') && (
          <Button
            size="sm"
            icon={FileText}
            onClick={() => open(modelAddress(name, 'config', line > 0 ? { line: String(line) } : {}))}
          >
            {line > 0 ? t('model.failure.showLine', { line }) : t('model.failure.showConfig')}
          </Button>
        )}
        <Button size="sm" icon={ScrollText} onClick={() => open(modelAddress(name, 'logs'))}>
          {t('model.failure.log')}
        </Button>
        <Button
          size="sm"
          icon={CircleQuestionMark}
          data-testid={`failure-explain-${name}`}
          onClick={() => setIsExplained(true)}
        >
          {t('model.failure.explain')}
        </Button>
      </div>
      <div>
        {/* The text below has the same name. */}
        <p className="mb-1 text-sm text-soft" aria-hidden>
          {t('model.failure.original')}
        </p>
        <CodeBlock
          text={original}
          label={t('model.failure.original')}
          isWrapped
          testId={`failure-original-${name}`}
          className="!bg-surface"
        />
      </div>
      {isExplained && <ExplainDialog model={model} onClose={() => setIsExplained(false)} />}
    </section>
  );
}

/** What it failed with is not what lies there now. */
function TryAgain({ model, isMain }: { readonly model: ModelView; readonly isMain: boolean }) {
  const engine = useEngine();
  const { name } = model;
  const isServing = model.state === 'ready';
  const again = useAction(() => (isServing ? reloadModel(engine, name) : loadModel(engine, name)));
  return (
    <Button
      size="sm"
      variant={isMain ? 'primary' : 'secondary'}
      icon={RefreshCw}
      isBusy={again.isRunning}
      disabledReason={isServing ? reloadObstacle(model) : loadObstacle(model)}
      data-testid={`failure-again-${name}`}
      onClick={again.run}
    >
      {t(isServing ? 'models.reload' : 'models.load')}
    </Button>
  );
}

function ShowCode({
  name,
  place,
  isMain,
}: {
  readonly name: string;
  readonly place: CodePlace;
  readonly isMain: boolean;
}) {
  const { file, line } = place;
  return (
    <Button
      size="sm"
      variant={isMain ? 'primary' : 'secondary'}
      icon={FileCode}
      data-testid={`failure-code-${name}`}
      onClick={() => open(modelAddress(name, 'code', { file, line: String(line) }))}
    >
      {t('model.failure.showCode', { file, line })}
    </Button>
  );
}

function Fixes({ model, isMain }: { readonly model: ModelView; readonly isMain: boolean }) {
  const engine = useEngine();
  const [running, setRunning] = useState<number>();
  const fix = useAction((index: number) => {
    setRunning(index);
    const chosen = model.failure?.fixes[index];
    return chosen === undefined ? Promise.resolve() : applyFix(engine, model, chosen);
  });
  return (model.failure?.fixes ?? []).map(({ title }, index) => (
    <Button
      key={title}
      size="sm"
      variant={isMain && index === 0 ? 'primary' : 'secondary'}
      icon={Wrench}
      isBusy={fix.isRunning && running === index}
      data-testid={`failure-fix-${model.failure?.code ?? ''}`}
      onClick={() => fix.run(index)}
    >
      {title}
    </Button>
  ));
}
