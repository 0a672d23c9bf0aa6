// The batch doctor: one sentence with its evidence, and a change that can be tried at once without saving.

import { Stethoscope } from 'lucide-react';

import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';

export function DoctorCard({ name, tick }: { readonly name: string; readonly tick: number }) {
  const client = useClient();
  const verdict = useCall('observe/doctor', { model: name, version: '' }, tick);
  const attempt = useAction(async (configText: string) => {
    await client.call('repository/load', { model: name, configText });
    toastSuccess(t('statistics.doctor.tried'));
  }, toastError);
  const { data } = verdict;
  if (data === undefined) return null;
  return (
    <Card title={t('statistics.doctor')} testId="batch-doctor">
      <div className="flex items-start gap-3">
        <Icon of={Stethoscope} size={20} className="mt-0.5 text-soft" />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-strong" data-testid="doctor-sentence" data-state={data.code}>
            {data.sentence}
          </p>
          <p className="mt-1 text-soft">{data.advice}</p>
          {data.tryConfigText !== '' && (
            <div className="mt-2">
              <Button
                isBusy={attempt.isRunning}
                data-testid="doctor-try"
                onClick={() => attempt.run(data.tryConfigText)}
              >
                {data.tryTitle}
              </Button>
            </div>
          )}
        </div>
        {data.evidence.length > 0 && (
          <div className="w-80 max-w-[45%]" aria-label={t('statistics.doctor.evidence')} role="group">
            <Facts items={data.evidence.map(({ label, value }) => [label, value] as const)} />
          </div>
        )}
      </div>
    </Card>
  );
}
