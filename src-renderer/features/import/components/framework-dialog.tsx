// The import wizard for a model file of another framework: what it says of its tensors, what has to be added by hand, and
// the configuration beside it.

import { Plus, Trash2 } from 'lucide-react';
import type { FrameworkInspection } from '../../../../src-shared/contract/framework-calls.ts';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import type { FrameworkDraft, TensorDraft } from '../framework-config.ts';
import { draftFault, FRAMEWORK_TYPES, frameworkConfig, leavesOpen } from '../framework-config.ts';
import { newTaskId } from '../import-flow.ts';
import { openTarget, targetRepository } from '../target-repository.ts';
import { useFrameworkDraft } from '../use-framework-draft.ts';
import { useTakenNames } from '../use-taken-names.ts';
import { wizardNameFault } from '../wizard-config.ts';
import { FrameworkAbout } from './framework-about.tsx';
import { TargetLine } from './target-line.tsx';

/** For one file; `onClose` comes when it is imported or left. */
export function FrameworkDialog({
  inspection: first,
  isCode,
  onClose,
}: {
  readonly inspection: FrameworkInspection;
  /** It is code, and its user said that it may run. */
  readonly isCode: boolean;
  readonly onClose: () => void;
}) {
  const engine = useEngine();
  const client = useClient();
  const { inspection, draft, isChanged, setDraft, readAgain } = useFrameworkDraft(first);
  const repository = targetRepository(engine);
  const create = useAction(async (load: boolean) => {
    if (repository === undefined) return;
    await openTarget(engine, repository);
    const { name, version } = draft;
    const configText = frameworkConfig(inspection, draft);
    await client.call('framework/create', {
      path: inspection.path,
      repository,
      name,
      version,
      configText,
      load,
      trustCode: isCode,
      taskId: newTaskId(),
    });
    toastSuccess(t('wizard.created', { name }));
    onClose();
    open(modelAddress(name));
  });
  const nameFault = wizardNameFault(draft.name, useTakenNames(create.isRunning));
  const obstacle =
    repository === undefined
      ? t('import.noRepository')
      : nameFault === undefined
        ? draftFault(inspection, draft)
        : t(nameFault);
  const loadObstacle = obstacle ?? inspection.needs;
  return (
    <Dialog
      isOpen
      isFlush
      width="full"
      testId="framework-dialog"
      isTyped={isChanged}
      onClose={onClose}
      title={t('wizard.title', { name: inspection.path.split(/[\\/]/).at(-1) ?? '' })}
      footer={
        <>
          <Button worksOffline onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            data-testid="framework-create"
            isBusy={create.isRunning}
            disabledReason={obstacle}
            onClick={() => create.run(false)}
          >
            {t('wizard.create')}
          </Button>
          <Button
            variant="primary"
            data-testid="framework-create-load"
            isBusy={create.isRunning}
            disabledReason={loadObstacle}
            onClick={() => create.run(true)}
          >
            {t('wizard.createLoad')}
          </Button>
        </>
      }
    >
      <div className="grid min-h-full grid-cols-1 border-t border-line min-[800px]:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-5 overflow-auto p-5">
          <FrameworkAbout inspection={inspection} onInspected={readAgain} />
          {inspection.isServable && (
            <Place
              draft={draft}
              onChange={setDraft}
              fault={nameFault === undefined ? undefined : t(nameFault)}
              onEnter={() => {
                if (loadObstacle === undefined) create.run(true);
              }}
            />
          )}
          {inspection.isServable && <TargetLine repository={repository} />}
          {leavesOpen(inspection, draft) && (
            <p data-testid="framework-left-open" className="text-sm text-soft">
              {t('framework.leftOpen')}
            </p>
          )}
          {inspection.isServable && (
            <>
              <Tensors side="inputs" draft={draft} onChange={setDraft} />
              <Tensors side="outputs" draft={draft} onChange={setDraft} />
            </>
          )}
          {obstacle !== undefined && inspection.isServable && (
            <p data-testid="framework-obstacle" className="text-sm text-warn">
              {obstacle}
            </p>
          )}
        </div>
        <aside className="flex flex-col gap-2 border-t border-line bg-canvas p-5 min-[800px]:border-t-0 min-[800px]:border-l">
          <h3 className="text-md font-semibold text-strong">{t('wizard.preview')}</h3>
          {inspection.isServable && (
            <CodeBlock
              text={frameworkConfig(inspection, draft)}
              testId="framework-config-preview"
              className="max-h-[60vh] overflow-auto"
            />
          )}
        </aside>
      </div>
    </Dialog>
  );
}

interface PartProps {
  readonly draft: FrameworkDraft;
  readonly onChange: (draft: FrameworkDraft) => void;
}

function Place({
  draft,
  onChange,
  fault,
  onEnter,
}: PartProps & { readonly fault: string | undefined; readonly onEnter: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6rem_10rem] gap-3">
      <Field label={t('wizard.name')} error={fault}>
        <TextInput
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name })}
          isMono
          data-testid="framework-name"
          onKeyDown={({ key }) => key === 'Enter' && onEnter()}
          className="w-full"
        />
      </Field>
      <Field label={t('wizard.version')}>
        <TextInput
          value={draft.version}
          onChange={(version) => onChange({ ...draft, version })}
          inputMode="numeric"
        />
      </Field>
      <Field label={t('wizard.maxBatch')} help={t('framework.maxBatchHelp')}>
        <NumberInput
          value={draft.maxBatchSize}
          min={0}
          max={65_536}
          data-testid="framework-max-batch"
          onChange={(value) => onChange({ ...draft, maxBatchSize: value ?? 0 })}
        />
      </Field>
    </div>
  );
}

function Tensors({ side, draft, onChange }: PartProps & { readonly side: 'inputs' | 'outputs' }) {
  const rows = draft[side];
  const put = (next: readonly TensorDraft[]): void => onChange({ ...draft, [side]: next });
  const change = (index: number, part: Partial<TensorDraft>): void =>
    put(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-md font-semibold text-strong">{t(`framework.${side}`)}</legend>
      {rows.map((row, index) => (
        <div
          // A row has no identity but its place: names are typed here.
          key={index}
          className="grid grid-cols-[minmax(0,1fr)_9rem_minmax(0,1fr)_2rem] items-center gap-2"
        >
          <TextInput
            value={row.name}
            onChange={(name) => change(index, { name })}
            aria-label={t('wizard.tensor.name')}
            placeholder={t('wizard.tensor.name')}
            isMono
            data-testid={`framework-${side}-${index}-name`}
          />
          <Select
            value={row.datatype}
            onChange={(datatype) => change(index, { datatype })}
            aria-label={t('wizard.tensor.type')}
            data-testid={`framework-${side}-${index}-type`}
            options={[
              { value: '', label: t('framework.chooseType') },
              ...FRAMEWORK_TYPES.map((type) => ({ value: type, label: type })),
              ...(row.datatype === '' || FRAMEWORK_TYPES.some((type) => type === row.datatype)
                ? []
                : [{ value: row.datatype, label: row.datatype }]),
            ]}
          />
          <TextInput
            value={row.dims}
            onChange={(dims) => change(index, { dims })}
            aria-label={t('wizard.tensor.dims')}
            placeholder={t(draft.maxBatchSize > 0 ? 'framework.dimsBatched' : 'framework.dimsWhole')}
            isMono
            data-testid={`framework-${side}-${index}-dims`}
          />
          <IconButton
            label={t('framework.remove')}
            icon={Trash2}
            disabledReason={rows.length === 1 ? t('framework.needsOne') : undefined}
            onClick={() => put(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="sm" icon={Plus} onClick={() => put([...rows, { name: '', datatype: '', dims: '' }])}>
          {t('framework.add')}
        </Button>
      </div>
    </fieldset>
  );
}
