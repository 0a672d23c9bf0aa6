// Asks for a new name: renaming a model or duplicating it. The name is checked while it is typed.

import { useRef, useState } from 'react';
import { useStore } from 'zustand';

import { naming } from '../../../actions/folder-actions.ts';
import { useClient, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { freeName, wizardNameFault } from '../wizard-config.ts';

export function NameDialog() {
  const { asked } = useStore(naming);
  return asked === undefined ? null : <OpenNameDialog key={`${asked.verb} ${asked.model}`} {...asked} />;
}

function OpenNameDialog({ model, verb }: { readonly model: string; readonly verb: 'rename' | 'duplicate' }) {
  const client = useClient();
  const taken = useModels(({ byName }) => byName);
  const [name, setName] = useState(() => (verb === 'rename' ? model : freeName(model, taken)));
  const input = useRef<HTMLInputElement>(null);
  const close = (): void => naming.setState({ asked: undefined });
  const isUnchanged = verb === 'rename' && name === model;
  const fault = isUnchanged ? undefined : wizardNameFault(name, taken);
  const save = useAction(async () => {
    const call = verb === 'rename' ? 'repository/renameModel' : 'repository/duplicateModel';
    await client.call(call, { model, newName: name });
    close();
  });
  const title =
    verb === 'rename'
      ? t('models.renameTitle', { name: model })
      : t('models.duplicateTitle', { name: model });
  return (
    <FormDialog
      isOpen
      onClose={close}
      title={title}
      testId="name-dialog"
      initialFocus={input}
      act={{
        label: t(verb === 'rename' ? 'models.rename' : 'models.duplicateAction'),
        testId: 'name-save',
        isRunning: save.isRunning,
        reason: isUnchanged ? t('models.nameTaken') : fault === undefined ? undefined : t(fault),
        run: save.run,
      }}
    >
      <Field
        label={t('models.newName')}
        help={t(verb === 'rename' ? 'models.renameHelp' : 'models.duplicateHelp')}
        error={fault === undefined ? '' : t(fault)}
      >
        <TextInput
          ref={input}
          value={name}
          onChange={setName}
          isMono
          data-testid="name-input"
          className="w-full"
        />
      </Field>
    </FormDialog>
  );
}
