// Why a model does not run as its configuration asks, with the facts of this machine: what was asked for, what there
// is, and what stays true in production.

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { useServer } from '../../../engine/engine-context.tsx';
import { useCall } from '../../../engine/use-call.ts';
import { address, modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface LimitsProps {
  readonly model: ModelView;
  readonly onClose: () => void;
}

/** A GPU was asked for and the CPU is used. */
export function DeviceDialog({ model, onClose }: LimitsProps) {
  const gpus = useServer((view) => view?.gpus) ?? [];
  const providers = useServer((view) => view?.providers) ?? [];
  return (
    <LimitsDialog
      model={model}
      onClose={onClose}
      find="instance_group"
      title={t('model.limits.device', { name: model.name })}
      text={t('model.limits.deviceText')}
      facts={[
        [t('model.limits.runsOn'), model.device],
        [t('model.limits.gpus'), gpus.length === 0 ? t('common.none') : gpus.join(', ')],
        [t('model.limits.providers'), providers.join(', ')],
        [
          t('model.limits.said'),
          <ul key="said" className="font-mono text-sm">
            {model.notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>,
        ],
      ]}
      extra={
        <Button onClick={() => open(address('settings', { tab: 'runtime' }))}>
          {t('model.limits.runtime')}
        </Button>
      }
    />
  );
}

/** No backend of that name is here. */
export function BackendDialog({ model, onClose }: LimitsProps) {
  const context = useCall('config/context', { model: model.name });
  const here = context.data?.backends.filter(({ needs }) => needs === undefined);
  return (
    <LimitsDialog
      model={model}
      onClose={onClose}
      find="backend"
      title={t('model.limits.backend', { name: model.name })}
      text={t('model.limits.backendText', { backend: model.backend })}
      facts={[
        [t('model.limits.asked'), <code key="asked">{model.backend}</code>],
        [t('model.limits.backends'), here?.map(({ title }) => title).join(', ') ?? '–'],
        [t('model.limits.instead'), model.needs ?? t('model.limits.export')],
      ]}
    />
  );
}

function LimitsDialog({
  model,
  onClose,
  find,
  title,
  text,
  facts,
  extra,
}: LimitsProps & {
  /** Field of the configuration that asks for it. */
  readonly find: string;
  readonly title: string;
  readonly text: string;
  readonly facts: Parameters<typeof Facts>[0]['items'];
  readonly extra?: React.ReactNode;
}) {
  return (
    <Dialog
      isOpen
      width="md"
      testId="limits-dialog"
      onClose={onClose}
      title={title}
      description={text}
      footer={
        <>
          {extra}
          {hasModelTab('config') && (
            <Button onClick={() => open(modelAddress(model.name, 'config', { find }))}>
              {t('model.failure.showConfig')}
            </Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <Facts items={facts} />
    </Dialog>
  );
}
