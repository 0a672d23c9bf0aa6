// Another name for a tensor of an ensemble, wherever it stands in the text.

import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { renameTensor, tensorNames } from '../ensemble-steps.ts';
import type { Ensemble } from '../use-ensemble.ts';

/** `onText` is told the new text. */
export function RenameTensorDialog({
  ensemble: { text, config },
  tensor,
  onText,
  onClose,
}: {
  readonly ensemble: Ensemble;
  readonly tensor: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState(tensor);
  const name = typed.trim();
  const isPublic = [...config.input, ...config.output].some((one) => one.name === tensor);
  const reason =
    name === ''
      ? t('graph.rename.empty')
      : name === tensor
        ? t('graph.rename.same')
        : tensorNames(config).has(name)
          ? t('graph.rename.taken', { tensor: name })
          : undefined;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t('graph.rename.title', { tensor })}
      description={t(isPublic ? 'graph.rename.public' : 'graph.rename.inner')}
      testId="graph-rename-dialog"
      act={{
        label: t('graph.rename.do'),
        testId: 'graph-rename-do',
        isRunning: false,
        reason,
        run: () => {
          onText(renameTensor(text, tensor, name));
          onClose();
        },
      }}
    >
      <Field label={t('graph.rename.label')}>
        <TextInput
          value={typed}
          onChange={setTyped}
          data-testid="graph-rename-name"
          className="w-full"
          isMono
        />
      </Field>
    </FormDialog>
  );
}
