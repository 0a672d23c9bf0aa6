// Which versions serve: the policy of config.pbtxt, changed here with an immediate look at what it would serve. Nothing
// is written before it is saved.

import { Save } from 'lucide-react';
import { useState } from 'react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { editConfig } from '../../../actions/edit-config.ts';
import { isLoaded } from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useEvent } from '../../../engine/use-event.ts';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import type { VersionPolicy } from '../../../lib/version-policy.ts';
import { POLICY_KINDS } from '../../../lib/version-policy.ts';
import { isSamePolicy, readPolicy, withPolicy, wouldServe } from '../../../lib/version-policy.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';

/** Saving goes through the configuration's file. */
export function PolicyCard({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const { name } = model;
  const file = useCall('config/read', { model: name });
  const [draft, setDraft] = useState<VersionPolicy>();
  const written = readPolicy(file.data?.text ?? '');
  const policy = draft ?? written;
  const available = model.versions.map(({ version }) => Number(version));
  const served = wouldServe(policy, available);
  const isChanged = !isSamePolicy(policy, written);
  const isMain = useMainAct(isChanged, 'keeps');
  const edit = (more: Partial<VersionPolicy>): void => setDraft({ ...policy, ...more });
  useEvent('config/changedOnDisk', (change) => {
    if (change.model === name) file.reload();
  });
  const save = useAction(async () => {
    await editConfig(engine, name, {
      title: t('model.policy.done'),
      apply: (text) => withPolicy(text, policy),
      load: false,
    });
    setDraft(undefined);
    file.reload();
  });
  return (
    <Card
      title={t('model.policy.title')}
      actions={
        <Button
          size="sm"
          variant={isMain ? 'primary' : 'secondary'}
          icon={Save}
          isBusy={save.isRunning}
          disabledReason={obstacle(file.data, { isChanged, served })}
          data-testid="policy-save"
          onClick={save.run}
        >
          {t(isLoaded(model) ? 'model.policy.saveReload' : 'model.policy.save')}
        </Button>
      }
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          label={t('model.policy.title')}
          testId="policy-kind"
          value={policy.kind}
          onChange={(kind) =>
            edit({ kind, versions: policy.versions.length === 0 ? [...served] : policy.versions })
          }
          options={POLICY_KINDS.map((kind) => ({ value: kind, label: t(`config.form.policy.${kind}`) }))}
        />
        <Choice policy={policy} available={available} onChange={edit} />
      </div>
      <p className="mt-3 flex flex-wrap items-center gap-2 text-soft" data-testid="policy-preview">
        {served.length === 0 ? (
          <span className="text-bad">{t('model.policy.nothing')}</span>
        ) : (
          <>
            {t(isChanged ? 'model.policy.would' : 'model.policy.serves')}
            {served.map((version) => (
              <Badge key={version} tone="info">
                {version}
              </Badge>
            ))}
          </>
        )}
      </p>
    </Card>
  );
}

function obstacle(
  file: { readonly readOnlyReason: string | undefined; readonly refusal: string | undefined } | undefined,
  { isChanged, served }: { readonly isChanged: boolean; readonly served: readonly number[] },
): string | undefined {
  if (file === undefined) return t('common.loading');
  if (file.readOnlyReason !== undefined) return file.readOnlyReason;
  if (file.refusal !== undefined) return t('config.refused.text');
  if (!isChanged) return t('model.policy.unchanged');
  return served.length === 0 ? t('model.policy.nothing') : undefined;
}

function Choice({
  policy,
  available,
  onChange,
}: {
  readonly policy: VersionPolicy;
  readonly available: readonly number[];
  readonly onChange: (change: Partial<VersionPolicy>) => void;
}) {
  if (policy.kind === 'latest') {
    return (
      <label className="flex items-center gap-2 text-soft">
        {t('config.form.latest')}
        <NumberInput
          value={policy.latestCount}
          min={1}
          className="w-24"
          data-testid="policy-latest"
          onChange={(latestCount) => onChange({ latestCount: latestCount ?? 1 })}
        />
      </label>
    );
  }
  if (policy.kind !== 'specific') return null;
  const shown = [...new Set([...available, ...policy.versions])].sort((a, b) => a - b);
  return (
    <div className="flex flex-wrap items-center gap-3" role="group" aria-label={t('config.form.specific')}>
      {shown.map((version) => (
        <Checkbox
          key={version}
          isOn={policy.versions.includes(version)}
          data-testid={`policy-version-${version}`}
          onChange={(isOn) =>
            onChange({
              versions: isOn
                ? [...policy.versions, version].sort((a, b) => a - b)
                : policy.versions.filter((other) => other !== version),
            })
          }
        >
          {available.includes(version) ? version : t('model.policy.missing', { version })}
        </Checkbox>
      ))}
    </div>
  );
}
