// Gives a request a name and keeps it, with the outputs it has now as its expectation when asked.

import { useState } from 'react';
import { useStore } from 'zustand';

import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { toRequest } from '../draft-request.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import { notifySaved } from '../saved-store.ts';

export function SaveDialog({
  context,
  isOpen,
  onClose,
}: {
  readonly context: PlaygroundContext;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { store, name: model, version } = context;
  const client = useClient();
  const draft = useStore(store, (state) => state.draft);
  const isSequence = useStore(store, (state) => state.io?.isSequence ?? false);
  const [name, setName] = useState('');
  const [withExpectation, setWithExpectation] = useState(true);
  const save = useAction(async () => {
    if (draft === undefined) return;
    const request = toRequest(draft, { model, version, isSequence });
    const saved = await client.call('playground/save', {
      id: '',
      name: name.trim(),
      request,
      withExpectation,
    });
    notifySaved();
    toastSuccess(t('playground.saved.done', { name: saved.name }));
    setName('');
    onClose();
  }, toastError);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      testId="pg-save-dialog"
      title={t('playground.saved.title')}
      description={t('playground.saved.text')}
      footer={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            isBusy={save.isRunning}
            disabledReason={name.trim() === '' ? t('playground.saved.needsName') : ''}
            data-testid="pg-save-confirm"
            onClick={save.run}
          >
            {t('common.save')}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') save.run();
        }}
      >
        <Field label={t('playground.saved.name')}>
          <TextInput value={name} onChange={setName} autoFocus data-testid="pg-save-name" />
        </Field>
        <Checkbox isOn={withExpectation} onChange={setWithExpectation} data-testid="pg-save-expectation">
          {t('playground.saved.expect')}
        </Checkbox>
      </form>
    </Dialog>
  );
}
