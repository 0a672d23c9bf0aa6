// A new ensemble: which models, in which order. What it would be is shown as it is put together; its graph opens then.

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useState } from 'react';

import { loadModel } from '../../../actions/model-actions.ts';
import { useClient, useEngine, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import type { StepModel } from '../ensemble-draft.ts';
import { ensembleDraft } from '../ensemble-draft.ts';
import { openTarget, useTargetRepository } from '../target-repository.ts';
import { useStepModels } from '../use-step-models.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { freeName, wizardNameFault } from '../wizard-config.ts';
import { TargetLine } from './target-line.tsx';

/** There are no models. */
const NONE = '';

/** Nothing is made before its button is pressed. */
export function EnsembleDialog({ onClose }: { readonly onClose: () => void }) {
  const engine = useEngine();
  const client = useClient();
  const repository = useTargetRepository();
  const [steps, setSteps] = useState<readonly string[]>([]);
  const [typed, setName] = useState<string>();
  const known = useStepModels(steps);
  const create = useAction(async (name: string, text: string) => {
    if (repository === undefined) return;
    await openTarget(engine, repository);
    await client.call('repository/createFromConfig', { repository, name, text });
    onClose();
    open(modelAddress(name, 'graph'));
    await loadModel(engine, name);
  });
  const taken = useTakenNames(create.isRunning);
  const name = typed ?? freeName('ensemble', taken);
  const fault = wizardNameFault(name, taken);
  const models = steps.flatMap((step): readonly StepModel[] => {
    const found = known.get(step);
    return found !== undefined && 'config' in found ? [{ name: step, config: found.config }] : [];
  });
  const isComplete = models.length === steps.length;
  const draft = ensembleDraft(name, models);
  const obstacle = (): string | undefined => {
    if (repository === undefined) return t('import.noRepository');
    if (fault !== undefined) return t(fault);
    if (steps.length === 0) return t('ensemble.new.noStep');
    return isComplete ? undefined : t('common.loading');
  };
  return (
    <FormDialog
      isOpen
      width="md"
      testId="ensemble-dialog"
      isTyped={steps.length > 0}
      onClose={onClose}
      title={t('ensemble.new.title')}
      description={t('ensemble.new.text')}
      act={{
        label: t('code.new.create'),
        testId: 'ensemble-create',
        isRunning: create.isRunning,
        reason: obstacle(),
        run: () => create.run(name, draft.text),
      }}
    >
      <StepList steps={steps} onChange={setSteps} />
      {steps.map((step) => {
        const found = known.get(step);
        return found !== undefined && 'error' in found ? (
          <Banner key={step} tone="bad">
            {step}: {found.error}
          </Banner>
        ) : null;
      })}
      <Field label={t('wizard.name')} error={fault === undefined ? undefined : t(fault)}>
        <TextInput value={name} onChange={setName} isMono data-testid="ensemble-name" className="w-full" />
      </Field>
      <TargetLine repository={repository} />
      {steps.length > 0 && isComplete && (
        <div className="flex min-h-0 flex-col gap-1.5">
          <p role="status" aria-live="polite" className="text-sm text-soft" data-testid="ensemble-summary">
            {t('ensemble.new.summary', {
              connections: draft.connectionCount,
              inputs: draft.inputs.join(', ') || t('ensemble.new.nothing'),
              outputs: draft.outputs.join(', ') || t('ensemble.new.nothing'),
            })}
          </p>
          <CodeBlock
            text={draft.text}
            label="config.pbtxt"
            testId="ensemble-config"
            className="max-h-56 text-sm"
          />
        </div>
      )}
    </FormDialog>
  );
}

function StepList({
  steps,
  onChange,
}: {
  readonly steps: readonly string[];
  readonly onChange: (steps: readonly string[]) => void;
}) {
  const byName = useModels((state) => state.byName);
  const names = [...byName.keys()].sort();
  const options = names.map((name) => ({ value: name, label: name }));
  const [chosen, setChosen] = useState<string>();
  const next = chosen ?? names[0] ?? NONE;
  const swap = (one: number, other: number): void => {
    const next = [...steps];
    [next[one], next[other]] = [next[other] as string, next[one] as string];
    onChange(next);
  };
  return (
    <div className="flex flex-col gap-1">
      <ol className="flex flex-col gap-1" aria-label={t('ensemble.new.steps')} data-testid="ensemble-steps">
        {steps.map((step, index) => {
          const place = { model: step, step: index + 1 };
          return (
            // Two steps may be the same model: only its place tells one from the other.
            <li key={`${index} ${step}`} className="flex items-center gap-1">
              <span className="w-5 text-right text-faint tabular-nums">{index + 1}</span>
              <code className="min-w-0 flex-1 truncate">{step}</code>
              <IconButton
                icon={ArrowUp}
                label={t('ensemble.new.earlier', place)}
                data-testid={`ensemble-up-${index}`}
                disabledReason={index === 0 ? t('ensemble.new.isFirst') : undefined}
                onClick={() => swap(index, index - 1)}
              />
              <IconButton
                icon={ArrowDown}
                label={t('ensemble.new.later', place)}
                data-testid={`ensemble-down-${index}`}
                disabledReason={index === steps.length - 1 ? t('ensemble.new.isLast') : undefined}
                onClick={() => swap(index, index + 1)}
              />
              <IconButton
                icon={X}
                label={t('ensemble.new.remove', place)}
                data-testid={`ensemble-remove-${index}`}
                onClick={() => onChange(steps.filter((_, at) => at !== index))}
              />
            </li>
          );
        })}
      </ol>
      <Field label={t('ensemble.new.addLabel')} help={t('ensemble.new.stepsHelp')}>
        <div className="flex gap-1.5">
          <Select
            aria-label={t('ensemble.new.model')}
            data-testid="ensemble-model"
            className="min-w-0 flex-1"
            value={next}
            onChange={setChosen}
            options={options}
          />
          <Button
            icon={Plus}
            data-testid="ensemble-add"
            disabledReason={next === NONE ? t('ensemble.new.noModel') : undefined}
            onClick={() => onChange([...steps, next])}
          >
            {t('ensemble.new.add')}
          </Button>
        </div>
      </Field>
    </div>
  );
}
