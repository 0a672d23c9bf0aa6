// The batch doctor: one sentence with its evidence, and changes that can be tried at once without saving.

import { Stethoscope } from 'lucide-react';

import type { DoctorVerdict } from '../../../../src-shared/contract/observe-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { useLookTick } from '../use-look-tick.ts';

/** `isHeld` = the time is held, so that nothing changes under the reader. */
export interface DoctorCardProps {
  readonly name: string;
  readonly version: string;
  readonly isHeld: boolean;
}

/** Looks again from time to time unless it is held. */
export function DoctorCard({ name, version, isHeld }: DoctorCardProps) {
  const client = useClient();
  const tick = useLookTick(isHeld);
  const { data, error } = useCall('observe/doctor', { model: name, version }, tick);
  const attempt = useAction(async (configText: string) => {
    await client.call('repository/load', { model: name, configText });
    toastSuccess(t('statistics.doctor.tried'));
  });
  if (data === undefined) return error === undefined ? null : <p className="text-bad">{error}</p>;
  return (
    <Card title={t('statistics.doctor')} testId="batch-doctor">
      <div className="flex items-start gap-3">
        <Icon of={Stethoscope} size={20} className="mt-0.5 shrink-0 text-soft" />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
            <div className="min-w-64 flex-1">
              <p className="font-medium text-strong" data-testid="doctor-sentence" data-state={data.code}>
                {data.sentence}
              </p>
              <p className="mt-1 text-soft">{data.advice}</p>
            </div>
            {data.tries.length > 0 && (
              <div className="flex flex-wrap gap-2">
                {data.tries.map(({ title, configText }) => (
                  <Tooltip key={title} text={t('statistics.doctor.tryHelp')}>
                    <Button
                      isBusy={attempt.isRunning}
                      data-testid="doctor-try"
                      onClick={() => attempt.run(configText)}
                    >
                      {title}
                    </Button>
                  </Tooltip>
                ))}
              </div>
            )}
          </div>
          <Evidence items={data.evidence} />
        </div>
      </div>
    </Card>
  );
}

function Evidence({ items }: { readonly items: DoctorVerdict['evidence'] }) {
  if (items.length === 0) return null;
  return (
    <dl
      aria-label={t('statistics.doctor.evidence')}
      data-testid="doctor-evidence"
      className="mt-2 flex flex-wrap gap-x-6 gap-y-1 border-t border-line pt-2 text-sm"
    >
      {items.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap gap-x-1.5">
          <dt className="text-faint">{label}</dt>
          <dd className="text-strong">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
