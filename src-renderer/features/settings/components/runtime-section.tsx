// What models can run on: the execution providers of ONNX Runtime, each with a self-test, the GPUs of this machine and
// the libraries that make them usable.

import { useState } from 'react';

import type { ProviderView, RuntimeView, SelfTestResult } from '../../../../src-shared/contract/app-calls.ts';
import { useClient, useModels, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { isLoaded } from '../../../actions/model-actions.ts';
import { formatBytes } from '../../../lib/format.ts';
import { showBottom } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';

/** A self-test runs on a button. */
export function RuntimeSection() {
  const runtime = useCall('runtime/view', {});
  if (runtime.error !== undefined) return <Banner tone="bad">{runtime.error}</Banner>;
  if (runtime.data === undefined) return <Skeleton rows={4} />;
  return (
    <div className="flex flex-col gap-4">
      <Card title={t('runtime.providers')} testId="runtime-providers">
        <ul className="flex flex-col">
          {runtime.data.providers.map((provider) => (
            <Provider key={provider.name} provider={provider} />
          ))}
        </ul>
      </Card>
      <Gpus runtime={runtime.data} onChanged={runtime.reload} />
      <Versions />
    </div>
  );
}

function Provider({ provider: { name, isUsable } }: { readonly provider: ProviderView }) {
  const client = useClient();
  const [result, setResult] = useState<SelfTestResult>();
  const test = useAction(async () => setResult(await client.call('runtime/selfTest', { provider: name })));
  return (
    <li
      className="border-b border-line/70 py-2 last:border-b-0"
      data-testid={`provider-${name}`}
      data-state={result === undefined ? 'untested' : result.isOk ? 'ok' : 'failed'}
    >
      <div className="flex items-center gap-3">
        <span className="font-mono font-medium text-strong">{name}</span>
        {!isUsable && <Badge>{t('runtime.missing')}</Badge>}
        <Button
          size="sm"
          className="ml-auto"
          isBusy={test.isRunning}
          data-testid={`provider-test-${name}`}
          aria-label={t('runtime.testOf', { name })}
          onClick={() => test.run()}
        >
          {t('runtime.test')}
        </Button>
      </div>
      {result !== undefined && (
        <p className={result.isOk ? 'mt-1 text-good' : 'mt-1 break-words text-bad'}>{result.message}</p>
      )}
    </li>
  );
}

function Gpus({ runtime, onChanged }: { readonly runtime: RuntimeView; readonly onChanged: () => void }) {
  const client = useClient();
  const { gpus, cuda } = runtime;
  const install = useAction(async () => {
    showBottom('tasks');
    await client.call('runtime/installGpu', { taskId: crypto.randomUUID() });
    toastSuccess(t('runtime.cuda.done'));
    onChanged();
  });
  const onGpu = useModels(({ models }) =>
    models
      .filter((model) => isLoaded(model) && model.device?.includes('GPU') === true)
      .map(({ name }) => name)
      .join(', '),
  );
  const remove = useAction(async () => {
    const answer = await ask({
      title: t('runtime.cuda.removeTitle'),
      text: t('runtime.cuda.removeText', {
        folder: cuda.folder,
        size: formatBytes(cuda.installedBytes),
        models:
          onGpu === '' ? t('runtime.cuda.removeNoModels') : t('runtime.cuda.removeModels', { models: onGpu }),
      }),
      choices: [{ value: 'remove', label: t('runtime.cuda.removeDo'), isDanger: true }],
      testId: 'runtime-remove-dialog',
    });
    if (answer === undefined) return;
    await client.call('runtime/removeGpu', {});
    toastSuccess(t('runtime.cuda.removed'));
    onChanged();
  });
  return (
    <Card
      title={t('runtime.gpu')}
      testId="runtime-gpu"
      actions={
        cuda.isInstalled ? (
          <Button
            size="sm"
            isBusy={remove.isRunning}
            data-testid="runtime-remove-gpu"
            onClick={() => remove.run()}
          >
            {t('runtime.cuda.remove')}
          </Button>
        ) : (
          <Button
            size="sm"
            isBusy={install.isRunning}
            disabledReason={cuda.unavailable}
            data-testid="runtime-install-gpu"
            onClick={() => install.run()}
          >
            {t('runtime.cuda.install')}
          </Button>
        )
      }
    >
      <Facts
        items={[
          [t('runtime.gpu.found'), gpus.length === 0 ? t('server.about.noGpu') : gpus.join(', ')],
          [
            t('runtime.cuda'),
            cuda.isInstalled
              ? t('runtime.cuda.in', { folder: cuda.folder })
              : (cuda.unavailable ?? t('runtime.cuda.none', { download: cuda.download ?? '' })),
          ],
        ]}
      />
    </Card>
  );
}

function Versions() {
  const versions = useServer((view) => view?.runtimeVersions);
  return (
    <Card title={t('runtime.versions')}>
      <Facts items={Object.entries(versions ?? {})} />
    </Card>
  );
}
