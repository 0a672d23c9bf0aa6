// What to do while nothing has happened: one request, or a short load test, both from here.

import { Activity, Gauge, Send } from 'lucide-react';

import { snippetRequest } from '../../../actions/sample-request.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { address } from '../../../lib/address.ts';
import { hasScreen } from '../../../lib/areas.ts';
import { formatMillis } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';

/** The request is made up from the model's interface. */
export function FirstRequests({ model, version }: { readonly model: string; readonly version: string }) {
  const client = useClient();
  const send = useAction(async () => {
    const request = snippetRequest(model, version, await client.call('playground/interface', { model }));
    if (request === undefined) throw new Error(t('statistics.first.noInputs'));
    const { ok, error, totalMs } = await client.call('playground/send', request);
    if (ok) toastSuccess(t('statistics.first.sent', { time: formatMillis(totalMs) }));
    else toastError(error ?? '');
  });
  const test = useAction(async () => {
    const { presets, plan } = await client.call('perf/plan', { model });
    // The first preset is the quick one, made for a first look.
    const quick = presets[0]?.plan ?? plan;
    await client.call('perf/start', {
      plan: version === '' ? quick : { ...quick, version },
      name: t('statistics.first.testName'),
      configText: undefined,
    });
    const show = {
      label: t('statistics.first.show'),
      onClick: () => open(address('perf', { query: { model } })),
    };
    toastSuccess(t('statistics.first.testing'), hasScreen('perf') ? show : undefined);
  });
  return (
    <div className="flex rounded-md border border-line bg-surface">
      <EmptyState
        icon={Activity}
        testId="statistics-idle"
        title={t('statistics.first')}
        actions={
          <>
            <Button
              icon={Send}
              isBusy={send.isRunning}
              data-testid="statistics-send-one"
              onClick={() => send.run()}
            >
              {t('statistics.first.send')}
            </Button>
            <Button
              icon={Gauge}
              isBusy={test.isRunning}
              data-testid="statistics-run-test"
              onClick={() => test.run()}
            >
              {t('statistics.first.test')}
            </Button>
          </>
        }
      />
    </div>
  );
}
