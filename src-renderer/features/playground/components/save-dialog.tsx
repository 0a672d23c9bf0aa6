// Gives a request a name and keeps it: as a saved request, with the outputs it has now as its expectation when asked, or
// as a warm-up sample of the model, with its tensors as data files.

import { useRef, useState } from 'react';
import { useStore } from 'zustand';

import type { PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { insertSample } from '../../../actions/warmup-sample.ts';
import type { EngineClient } from '../../../engine/engine-client.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import { toRequest } from '../draft-request.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import { notifySaved } from '../saved-store.ts';
import { toastThrown } from '../../../engine/toast-thrown.ts';

/** `onClose` comes after saving as after cancelling. */
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
  const field = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState<'request' | 'warmup'>('request');
  const [withExpectation, setWithExpectation] = useState(true);
  const save = useAction(async () => {
    if (draft === undefined) return;
    const request = toRequest(draft, { model, version, isSequence });
    if (kind === 'warmup') await saveAsWarmup(client, name.trim(), request);
    else {
      const args = { id: '', name: name.trim(), request, withExpectation };
      const saved = await client.call('playground/save', args);
      notifySaved();
      toastSuccess(t('playground.saved.done', { name: saved.name }));
    }
    setName('');
    onClose();
  });
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      testId="pg-save-dialog"
      initialFocus={field}
      title={t('playground.saved.title')}
      description={t(kind === 'warmup' ? 'playground.saved.warmupText' : 'playground.saved.text')}
      act={{
        label: t('common.save'),
        testId: 'pg-save-confirm',
        isRunning: save.isRunning,
        reason: name.trim() === '' ? t('playground.saved.needsName') : undefined,
        run: save.run,
      }}
    >
      <Segmented
        label={t('playground.saved.kind')}
        testId="pg-save-kind"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'request', label: t('playground.saved.asRequest') },
          { value: 'warmup', label: t('playground.saved.asWarmup') },
        ]}
      />
      <Field label={t('playground.saved.name')}>
        <TextInput ref={field} value={name} onChange={setName} data-testid="pg-save-name" />
      </Field>
      {kind === 'request' && (
        <Checkbox isOn={withExpectation} onChange={setWithExpectation} data-testid="pg-save-expectation">
          {t('playground.saved.expect')}
        </Checkbox>
      )}
    </FormDialog>
  );
}

async function saveAsWarmup(client: EngineClient, name: string, request: PlaygroundRequest): Promise<void> {
  const { sampleText } = await client.call('warmup/fromRequest', { name, request });
  const undo = await insertSample(client, request.model, sampleText);
  toastSuccess(t('playground.saved.warmupDone', { name }), {
    label: t('warmup.undo'),
    onClick: () => void undo().catch(toastThrown),
  });
}
