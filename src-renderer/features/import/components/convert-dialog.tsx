// Asks for the name of the ONNX model that is made of another one, and shows how it is made. The work is a task of the engine:
// its progress and its cancel are in the task list, and here.

import { useState } from 'react';
import { useStore } from 'zustand';

import type { ConversionStep } from '../../../../src-shared/contract/conversion-steps.ts';
import { ServerError } from '../../../../src-shared/errors.ts';
import { isCancelled, messageOf } from '../../../engine/engine-client.ts';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { toastError, toastSuccess, toastWarning } from '../../../ui/toast.tsx';
import { newTaskId } from '../import-flow.ts';
import type { ConversionFailure } from '../import-store.ts';
import { importStore, isConvertShown, keepConversion, showDialog } from '../import-store.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { freeName, wizardNameFault } from '../wizard-config.ts';
import { ConversionSteps, stepOfDetail } from './conversion-steps.tsx';

/**
 * Cancel ends a conversion; closing the dialog leaves it to the list of tasks. How the last one failed is shown until it is
 * tried again, also when the dialog was closed in between.
 */
export function ConvertDialog({ model, onClose }: { readonly model: string; readonly onClose: () => void }) {
  const client = useClient();
  const engine = useEngine();
  const failed = useStore(importStore, ({ failedConversions }) => failedConversions.get(model));
  const [name, setName] = useState(
    () => failed?.newName ?? freeName(`${model}_onnx`, engine.state.models.getState().byName),
  );
  const [taskId, setTaskId] = useState<string>();
  const [step, setStep] = useState<ConversionStep>('starting');
  const check = useCall('framework/canConvert', { model });
  const convert = useAction(async () => {
    const id = newTaskId();
    let current: ConversionStep = 'starting';
    setTaskId(id);
    setStep(current);
    keepConversion(model, undefined);
    const unfollow = engine.state.tasks.subscribe(({ tasks }) => {
      const task = tasks.find((one) => one.id === id);
      if (task?.state !== 'running') return;
      current = stepOfDetail(task.detail);
      setStep(current);
    });
    try {
      const call = { model, newName: name, load: true, taskId: id };
      const { verdict, message } = await client.call('framework/convert', call);
      onClose();
      if (verdict === 'match') toastSuccess(t('convert.match', { name, message }));
      else toastWarning(t('convert.differ', { name, original: model, message }));
      open(modelAddress(name));
    } catch (thrown) {
      setTaskId(undefined);
      if (isCancelled(thrown)) return;
      const failure = failureOf(thrown);
      keepConversion(model, { newName: name, step: current, failure });
      if (!isConvertShown(model)) tellFailure(model, failure);
    } finally {
      unfollow();
    }
  });
  const fault = wizardNameFault(name, useTakenNames(convert.isRunning));
  const answer = check.data ?? { reason: t('common.loading') };
  const cannot = check.error === undefined ? answer.reason : check.error;
  const obstacle = cannot ?? (fault === undefined ? undefined : t(fault));
  const cancel = (): void => {
    if (convert.isRunning && taskId !== undefined) {
      void client.call('observe/cancelTask', { id: taskId }).catch(() => undefined);
    }
    onClose();
  };
  return (
    <FormDialog
      isOpen
      width="md"
      testId="convert-dialog"
      onClose={onClose}
      title={t('convert.title', { name: model })}
      description={t('convert.text')}
      onCancel={cancel}
      cancelTestId="convert-cancel"
      act={{
        label: t(failed === undefined ? 'convert.start' : 'convert.again'),
        testId: 'convert-start',
        isRunning: convert.isRunning,
        reason: obstacle,
        run: convert.run,
      }}
    >
      <Field
        label={t('convert.name')}
        error={cannot === undefined && fault !== undefined ? t(fault) : undefined}
        help={check.data === undefined ? '' : check.data.reason}
      >
        <TextInput value={name} onChange={setName} isMono data-testid="convert-name" className="w-full" />
      </Field>
      {(convert.isRunning || failed !== undefined) && (
        <ConversionSteps current={failed?.step ?? step} failure={failed?.failure} />
      )}
    </FormDialog>
  );
}

/** For who closed the dialog meanwhile. */
function tellFailure(model: string, { message }: ConversionFailure): void {
  toastError(t('convert.failed', { name: model, message }), {
    label: t('convert.show'),
    onClick: () => showDialog({ kind: 'convert', model }),
  });
}

function failureOf(thrown: unknown): ConversionFailure {
  const details = thrown instanceof ServerError ? thrown.details : undefined;
  const output = details?.['output'];
  return {
    message: messageOf(thrown),
    output: typeof output === 'string' && output !== '' ? output : undefined,
  };
}
