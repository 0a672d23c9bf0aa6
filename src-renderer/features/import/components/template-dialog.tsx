// A model that begins as code: which template, its name, where. It loads at once and opens with its code.

import { useRef, useState } from 'react';

import type { CodeTemplateId } from '../../../../src-shared/contract/code-calls.ts';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { openTarget, targetRepository } from '../target-repository.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { freeName, wizardNameFault } from '../wizard-config.ts';
import { TargetLine } from './target-line.tsx';

const NAMES: Readonly<Record<CodeTemplateId, string>> = {
  model: 'python_model',
  preprocess: 'preprocess',
  postprocess: 'postprocess',
};

/** In the order of the list. Not the contract's own: its schemas would be part of what the page loads first. */
const TEMPLATES = ['model', 'preprocess', 'postprocess'] as const satisfies readonly CodeTemplateId[];

/** `first` is the template that is chosen at first. */
export function TemplateDialog({
  first,
  onClose,
}: {
  readonly first: CodeTemplateId;
  readonly onClose: () => void;
}) {
  const engine = useEngine();
  const client = useClient();
  const [template, setTemplate] = useState(first);
  const [typed, setName] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const repository = targetRepository(engine);
  const create = useAction(async (name: string) => {
    if (repository === undefined) return;
    await openTarget(engine, repository);
    const { file } = await client.call('code/createFromTemplate', { template, repository, name });
    onClose();
    toastSuccess(t('code.new.created', { name }));
    open(modelAddress(name, 'code', { file }));
  });
  const taken = useTakenNames(create.isRunning);
  const name = typed ?? freeName(NAMES[template], taken);
  const fault = wizardNameFault(name, taken);
  const obstacle =
    repository === undefined ? t('import.noRepository') : fault === undefined ? undefined : t(fault);
  return (
    <FormDialog
      isOpen
      width="md"
      testId="template-dialog"
      onClose={onClose}
      initialFocus={input}
      title={t(`code.new.title.${template}`)}
      act={{
        label: t('code.new.create'),
        testId: 'template-create',
        isRunning: create.isRunning,
        reason: obstacle,
        run: () => create.run(name),
      }}
    >
      <Field label={t('code.new.kind')} help={t(`code.new.about.${template}`)}>
        <Select
          aria-label={t('code.new.kind')}
          data-testid="template-kind"
          value={template}
          onChange={(value) => setTemplate(TEMPLATES.find((known) => known === value) ?? first)}
          options={TEMPLATES.map((id) => ({ value: id, label: t(`code.new.kind.${id}`) }))}
        />
      </Field>
      <Field label={t('wizard.name')} error={fault === undefined ? undefined : t(fault)}>
        <TextInput
          ref={input}
          value={name}
          onChange={setName}
          isMono
          data-testid="template-name"
          className="w-full"
        />
      </Field>
      <TargetLine repository={repository} />
    </FormDialog>
  );
}
