// Name and note of a run.

import { useState } from 'react';

import type { PerfRunSummary } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextArea, TextInput } from '../../../ui/inputs.tsx';
import { changeNote } from '../perf-actions.ts';

/** Nothing is changed when it is cancelled. */
export function NoteDialog({ run, onClose }: { readonly run: PerfRunSummary; readonly onClose: () => void }) {
  const client = useClient();
  const [name, setName] = useState(run.name);
  const [note, setNote] = useState(run.note);
  const save = useAction(async () => {
    await changeNote(client, run.id, { name, note });
    onClose();
  });
  return (
    <FormDialog
      isOpen
      isTyped={note !== run.note}
      onClose={onClose}
      title={t('perf.note.title')}
      testId="perf-note-dialog"
      act={{
        label: t('common.save'),
        testId: 'perf-note-save',
        isRunning: save.isRunning,
        reason: undefined,
        run: save.run,
      }}
    >
      <Field label={t('perf.name')}>
        <TextInput value={name} onChange={setName} placeholder={run.model} />
      </Field>
      <p className="text-sm font-medium text-soft">{t('perf.note')}</p>
      <TextArea value={note} onChange={setNote} aria-label={t('perf.note')} data-testid="perf-note-text" />
    </FormDialog>
  );
}
