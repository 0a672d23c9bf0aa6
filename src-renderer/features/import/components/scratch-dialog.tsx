// A config.pbtxt that came alone: its text to look at and change, what the rules say of it, and a model folder made
// from it.

import { useState } from 'react';

import type { DropItem } from '../../../../src-shared/contract/repository-calls.ts';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextArea, TextInput } from '../../../ui/inputs.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { openTarget, targetRepository } from '../target-repository.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { freeName, wizardNameFault } from '../wizard-config.ts';
import { TargetLine } from './target-line.tsx';

/** For one file; nothing is made before its last button is pressed. */
export function ScratchDialog({ item, onClose }: { readonly item: DropItem; readonly onClose: () => void }) {
  const engine = useEngine();
  const client = useClient();
  const file = useCall('config/readScratch', { path: item.path });
  const [draft, setDraft] = useState<string>();
  const [typedName, setName] = useState<string>();
  const text = draft ?? file.data?.text;
  const repository = targetRepository(engine);
  const create = useAction(async (name: string) => {
    if (repository === undefined || text === undefined) return;
    await openTarget(engine, repository);
    await client.call('repository/createFromConfig', { repository, name, text });
    toastSuccess(t('scratch.created', { name }));
    onClose();
    open(modelAddress(name, 'config'));
  });
  const taken = useTakenNames(create.isRunning);
  const name = typedName ?? freeName(nameIn(text ?? '') ?? item.name, taken);
  const fault = wizardNameFault(name, taken);
  const obstacle =
    repository === undefined ? t('import.noRepository') : fault === undefined ? undefined : t(fault);
  return (
    <FormDialog
      isOpen
      width="md"
      testId="scratch-dialog"
      isLoading={text === undefined && file.error === undefined}
      isTyped={draft !== undefined && draft !== file.data?.text}
      onClose={onClose}
      title={t('scratch.title')}
      description={t('scratch.text')}
      act={{
        label: t('scratch.create'),
        testId: 'scratch-create',
        isRunning: create.isRunning,
        reason: text === undefined ? (file.error ?? t('common.loading')) : obstacle,
        run: () => create.run(name),
      }}
    >
      {file.error !== undefined && <Banner tone="bad">{file.error}</Banner>}
      {text === undefined ? (
        file.error === undefined && <Skeleton rows={6} />
      ) : (
        <>
          <TextArea
            aria-label={t('scratch.label')}
            value={text}
            rows={12}
            isMono
            data-testid="scratch-text"
            onChange={setDraft}
          />
          <Findings name={name} text={text} />
          <Field label={t('wizard.name')} error={fault === undefined ? undefined : t(fault)}>
            <TextInput value={name} onChange={setName} isMono data-testid="scratch-name" />
          </Field>
          <TargetLine repository={repository} />
        </>
      )}
    </FormDialog>
  );
}

/** The name that the text gives itself, where it can be a folder's. */
function nameIn(text: string): string | undefined {
  return /^\s*name\s*:\s*"([A-Za-z0-9_][\w.-]*)"/m.exec(text)?.[1];
}

function Findings({ name, text }: { readonly name: string; readonly text: string }) {
  const { data, error } = useCall('config/checkScratch', { name, text });
  if (error !== undefined) return <p className="text-sm text-bad">{error}</p>;
  const issues = data ?? [];
  if (data !== undefined && issues.length === 0) {
    return <p className="text-sm text-soft">{t('scratch.ok')}</p>;
  }
  return (
    <ul className="flex max-h-40 flex-col gap-1 overflow-auto" data-testid="scratch-problems">
      {issues.map(({ code, severity, message, line }) => (
        <li key={`${code} ${line} ${message}`} className="flex gap-2 text-sm" data-testid={`problem-${code}`}>
          <Badge tone={severity === 'error' ? 'bad' : severity === 'warning' ? 'warn' : 'neutral'}>
            {code}
          </Badge>
          <span className="min-w-0 flex-1 text-strong">{message}</span>
          {line > 0 && <span className="text-faint">{t('scratch.line', { line })}</span>}
        </li>
      ))}
    </ul>
  );
}
