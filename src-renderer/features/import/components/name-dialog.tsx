// Asks for a new name: renaming a model or duplicating it. The name is checked while it is typed.

import { useRef, useState } from 'react';
import { useStore } from 'zustand';

import { naming } from '../../../actions/folder-actions.ts';
import { useClient, useEngine, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { isStorePath } from '../../../lib/store-path.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { openTarget, useTargetRepository } from '../target-repository.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { freeName, wizardNameFault } from '../wizard-config.ts';

/** Stands once in the window; whoever asks for a name opens it. */
export function NameDialog() {
  const { asked } = useStore(naming);
  return asked === undefined ? null : <OpenNameDialog key={`${asked.verb} ${asked.model}`} {...asked} />;
}

function OpenNameDialog({ model, verb }: { readonly model: string; readonly verb: 'rename' | 'duplicate' }) {
  const client = useClient();
  const engine = useEngine();
  const taken = useModels(({ byName }) => byName);
  const [name, setName] = useState(() => (verb === 'rename' ? model : freeName(model, taken)));
  const input = useRef<HTMLInputElement>(null);
  const close = (): void => naming.setState({ asked: undefined });
  const isUnchanged = verb === 'rename' && name === model;
  const target = useTargetRepository();
  // Nothing is written to stores: a copy of what is in one goes to the user's own repository.
  const isFromStore = verb === 'duplicate' && isStorePath(taken.get(model)?.repository ?? '');
  const save = useAction(async () => {
    if (verb === 'rename') await client.call('repository/renameModel', { model, newName: name });
    else if (isFromStore) {
      if (target === undefined) return;
      await openTarget(engine, target);
      await client.call('repository/duplicateModel', { model, newName: name, repository: target });
    } else await client.call('repository/duplicateModel', { model, newName: name });
    close();
  });
  const others = useTakenNames(save.isRunning);
  const fault = isUnchanged ? undefined : wizardNameFault(name, others);
  const obstacle = (): string | undefined => {
    if (isUnchanged) return t('models.nameTaken');
    if (isFromStore && target === undefined) return t('import.noRepository');
    return fault === undefined ? undefined : t(fault);
  };
  const title = isFromStore
    ? t('models.copyLocalTitle', { name: model })
    : t(verb === 'rename' ? 'models.renameTitle' : 'models.duplicateTitle', { name: model });
  const help = isFromStore
    ? t('models.copyLocalHelp', { path: target ?? '' })
    : t(verb === 'rename' ? 'models.renameHelp' : 'models.duplicateHelp');
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
        reason: obstacle(),
        run: save.run,
      }}
    >
      <Field label={t('models.newName')} help={help} error={fault === undefined ? undefined : t(fault)}>
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
