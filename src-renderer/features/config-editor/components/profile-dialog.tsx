// A new profile: its name, checked before anything is written.

import { useState } from 'react';

import { useEngine } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { createProfile } from '../config-actions.ts';

const NAME = /^[A-Za-z0-9_-][\w.-]{0,99}$/;

/** `onClose` is told whether a profile was made. */
export function ProfileDialog({
  model,
  profiles,
  onClose,
}: {
  readonly model: string;
  readonly profiles: readonly string[];
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
    if (name === '' || error !== undefined || isBusy) return;
    setIsBusy(true);
    void createProfile(engine, model, name).then((isMade) => {
      setIsBusy(false);
      if (isMade) onClose(true);
    });
  };
  return (
    <Dialog
      isOpen
      onClose={() => onClose(false)}
      testId="profile-dialog"
      title={t('config.profile.newTitle', { name: model })}
      description={t('config.profile.newHelp')}
      footer={
        <>
          <Button worksOffline onClick={() => onClose(false)}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            data-testid="profile-create"
            isBusy={isBusy}
            disabledReason={
              name === '' ? t('config.profile.nameBad') : error === undefined ? undefined : error
            }
            onClick={create}
          >
            {t('config.profile.create')}
          </Button>
        </>
      }
    >
      <Field label={t('config.profile.name')} error={error}>
        <TextInput
          value={name}
          onChange={setName}
          data-testid="profile-name"
          isMono
          onKeyDown={(event) => {
            if (event.key === 'Enter') create();
          }}
        />
      </Field>
    </Dialog>
  );
}
