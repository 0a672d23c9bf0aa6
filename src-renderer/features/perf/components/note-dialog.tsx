// Name and note of a run.

import { useState } from 'react';

import type { PerfRunSummary } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { ActFooter } from '../../../ui/act-footer.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
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
    <Dialog
      isOpen
      onClose={onClose}
      title={t('perf.note.title')}
      testId="perf-note-dialog"
      footer={
        <ActFooter
          onCancel={onClose}
          isBusy={save.isRunning}
          data-testid="perf-note-save"
          onClick={() => save.run()}
        >
          {t('common.save')}
        </ActFooter>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label={t('perf.name')}>
          <TextInput value={name} onChange={setName} placeholder={run.model} />
        </Field>
        <p className="text-sm font-medium text-soft">{t('perf.note')}</p>
        <TextArea value={note} onChange={setNote} aria-label={t('perf.note')} data-testid="perf-note-text" />
      </div>
    </Dialog>
  );
}
