// A new profile: its name, checked before anything is written.

import { useState } from 'react';

import { useEngine } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { createProfile } from '../config-actions.ts';

const NAME = /^[A-Za-z0-9_-][\w.-]{0,99}$/;

/** `onClose` is told whether a profile was made. */
export function ProfileDialog({
  model,
  profiles,
  finalFocus,
  onClose,
}: {
  readonly model: string;
  readonly profiles: readonly string[];
  /** What gets the focus when it has closed. */
  readonly finalFocus: () => HTMLElement | null;
  readonly onClose: (created: boolean) => void;
}) {
  const engine = useEngine();
  const [name, setName] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const error = profiles.includes(name)
    ? t('config.profile.nameTaken')
    : name !== '' && !NAME.test(name)
      ? t('config.profile.nameBad')
      : undefined;
  const create = (): void => {
    setIsBusy(true);
    void createProfile(engine, model, name).then((isMade) => {
      setIsBusy(false);
      if (isMade) onClose(true);
    });
  };
  return (
    <FormDialog
      isOpen
      onClose={() => onClose(false)}
      finalFocus={finalFocus}
      testId="profile-dialog"
      title={t('config.profile.newTitle', { name: model })}
      description={t('config.profile.newHelp')}
      act={{
        label: t('config.profile.create'),
        testId: 'profile-create',
        isRunning: isBusy,
        reason: name === '' ? t('config.profile.nameBad') : error,
        run: create,
      }}
    >
      <Field label={t('config.profile.name')} error={error}>
        <TextInput value={name} onChange={setName} data-testid="profile-name" isMono />
      </Field>
    </FormDialog>
  );
}
