// What the user decides about a new model: name and place, the meaning of its tensors, batching, instances.

import { FolderPlus, X } from 'lucide-react';

import type { RepositoryView } from '../../../../src-shared/contract/repository-calls.ts';
import { useClient, useModels, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatShape } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import type { Wizard } from '../use-wizard.ts';
import { locateFile, pickFolder } from '../start-import.ts';
import { batchingObstacle, dimsOf } from '../wizard-config.ts';
import { BatchProbe } from './batch-probe.tsx';

/** Every change goes to the wizard at once. */
export function WizardForm({ wizard }: { readonly wizard: Wizard }) {
  return (
    <>
      <Place wizard={wizard} />
      <Tensors wizard={wizard} />
      <Batching wizard={wizard} />
      <Instances wizard={wizard} />
    </>
  );
}

function Place({ wizard }: { readonly wizard: Wizard }) {
  const all = useModels((state) => state.repositories);
  const fallback = useServer((view) => view?.defaultRepositoryPath);
  const isNew =
    fallback !== undefined && wizard.repository === fallback && !all.some(({ path }) => path === fallback);
  const choices = repositoryChoices(all, fallback);
  const fault = wizard.nameFault;
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_5rem] gap-3">
      <Field
        label={t('wizard.name')}
        help={t('wizard.nameHelp')}
        error={fault === undefined ? undefined : t(fault)}
      >
        <TextInput
          value={wizard.options.name}
          onChange={(name) => wizard.change({ name })}
          isMono
          data-testid="wizard-name"
          onKeyDown={({ key }) => {
            if (key === 'Enter' && wizard.obstacle === undefined && !wizard.isCreating) wizard.create(true);
          }}
          className="w-full"
        />
      </Field>
      <Field
        label={t('wizard.repository')}
        help={isNew ? t('wizard.repository.new') : undefined}
        error={choices.length === 0 ? t('wizard.repository.none') : undefined}
      >
        <div className="flex min-w-0 gap-1">
          {choices.length > 0 && (
            <Select
              className="min-w-0 flex-1"
              value={wizard.repository ?? ''}
              onChange={wizard.setRepository}
              aria-label={t('wizard.repository')}
              data-testid="wizard-repository"
              options={choices}
            />
          )}
          <NewRepository onAdded={wizard.setRepository} />
        </div>
      </Field>
      <Field label={t('wizard.version')}>
        <TextInput
          value={wizard.version}
          onChange={wizard.setVersion}
          inputMode="numeric"
          data-testid="wizard-version"
        />
      </Field>
    </div>
  );
}

interface RepositoryChoice {
  readonly value: string;
  readonly label: string;
  readonly disabledReason: string | undefined;
}

/** The open repositories, and the default one, which may have to be made. */
function repositoryChoices(
  all: readonly RepositoryView[],
  fallback: string | undefined,
): readonly RepositoryChoice[] {
  const open = all
    .filter(({ isEnabled }) => isEnabled)
    .map(({ path, isWritable }) => ({
      value: path,
      label: path,
      disabledReason: isWritable ? undefined : t('import.readOnly', { path }),
    }));
  if (fallback === undefined || all.some(({ path }) => path === fallback)) return open;
  return [...open, { value: fallback, label: fallback, disabledReason: undefined }];
}

/** A folder of the user's choice, opened as a repository. */
function NewRepository({ onAdded }: { readonly onAdded: (path: string) => void }) {
  const client = useClient();
  const add = useAction(async () => {
    const [path] = await pickFolder(t('wizard.repository.pick'));
    if (path === undefined) return;
    const { repository } = await client.call('repository/add', { path, load: false, trustCode: false });
    onAdded(repository.path);
  });
  return (
    <Button icon={FolderPlus} isBusy={add.isRunning} data-testid="wizard-choose-repository" onClick={add.run}>
      {t('wizard.repository.choose')}
    </Button>
  );
}

function Tensors({ wizard }: { readonly wizard: Wizard }) {
  const { inputs, outputs } = wizard.inspection.description;
  const { isBatched } = wizard.options;
  const rows = [
    ...inputs.map((tensor) => ({ tensor, side: t('wizard.tensor.input'), isOutput: false })),
    ...outputs.map((tensor) => ({ tensor, side: t('wizard.tensor.output'), isOutput: true })),
  ];
  return (
    <>
      <SimpleTable
        label={t('wizard.tensors')}
        testId="wizard-tensors"
        rows={rows}
        keyOf={({ side, tensor }) => `${side} ${tensor.name}`}
        columns={[
          { id: 'side', title: '', cell: ({ side }) => <span className="text-faint">{side}</span> },
          { id: 'name', title: t('wizard.tensor.name'), isMono: true, cell: ({ tensor }) => tensor.name },
          {
            id: 'type',
            title: t('wizard.tensor.type'),
            cell: ({ tensor }) => tensor.datatype ?? tensor.sourceType,
          },
          {
            id: 'shape',
            title: t('wizard.tensor.shape'),
            isMono: true,
            cell: ({ tensor }) => formatShape(tensor.shape),
          },
          {
            id: 'first',
            title: t('wizard.tensor.first'),
            cell: () => t(isBatched ? 'wizard.first.batch' : 'wizard.first.data'),
          },
          {
            id: 'dims',
            title: t('wizard.tensor.dims'),
            isMono: true,
            cell: ({ tensor }) => formatShape(dimsOf(tensor.shape, isBatched).dims),
          },
          {
            id: 'labels',
            title: t('wizard.tensor.labels'),
            cell: ({ tensor, isOutput }) => isOutput && <Labels wizard={wizard} output={tensor.name} />,
          },
        ]}
      />
      <p className="text-sm text-soft" data-testid="wizard-first-help">
        {t(isBatched ? 'wizard.first.batchHelp' : 'wizard.first.dataHelp')}
      </p>
    </>
  );
}

/** A text file with one label a line, for answers by class. */
function Labels({ wizard, output }: { readonly wizard: Wizard; readonly output: string }) {
  const { options, change } = wizard;
  const path = options.labels[output];
  const choose = async (): Promise<void> => {
    const chosen = await locateFile(t('wizard.labels.pick', { output }));
    if (chosen !== undefined) change({ labels: { ...options.labels, [output]: chosen } });
  };
  const clear = (): void => {
    const { [output]: _gone, ...rest } = options.labels;
    change({ labels: rest });
  };
  if (path !== undefined) {
    return (
      <Button size="sm" icon={X} title={path} onClick={clear}>
        {path.split(/[\\/]/).at(-1)}
      </Button>
    );
  }
  return (
    <Button
      size="sm"
      disabledReason={options.write === 'none' ? t('wizard.labels.needsConfig') : undefined}
      data-testid={`wizard-labels-${output}`}
      onClick={() => void choose()}
    >
      {t('wizard.labels.choose')}
    </Button>
  );
}

function Batching({ wizard }: { readonly wizard: Wizard }) {
  const { inspection, options, change } = wizard;
  const obstacle = batchingObstacle(inspection);
  const isProbed = options.isBatched || wizard.isDynamic || obstacle?.shape[0] === 1;
  const reason =
    obstacle === undefined
      ? ''
      : obstacle.shape.length === 0
        ? t('wizard.batching.scalar', { name: obstacle.name })
        : t('wizard.batching.fixed', { name: obstacle.name, size: obstacle.shape[0] ?? 0 });
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        isOn={options.isBatched}
        isDisabled={obstacle !== undefined}
        onChange={(isBatched) => change({ isBatched })}
        data-testid="wizard-batching"
      >
        {t('wizard.batching.on')}
      </Checkbox>
      {reason !== '' && <p className="text-sm text-soft">{reason}</p>}
      {options.isBatched && (
        <>
          <div className="flex gap-4">
            <Field label={t('wizard.maxBatch')}>
              <NumberInput
                value={options.maxBatchSize}
                min={1}
                max={65_536}
                data-testid="wizard-max-batch"
                onChange={(value) => change({ maxBatchSize: value ?? 1 })}
              />
            </Field>
            <Field label={t('wizard.delay')}>
              <NumberInput
                value={options.queueDelayUs}
                min={0}
                step={100}
                data-testid="wizard-delay"
                onChange={(value) => change({ queueDelayUs: value ?? 0 })}
              />
            </Field>
          </div>
        </>
      )}
      {isProbed && <BatchProbe wizard={wizard} isObstacleTold={reason !== ''} />}
    </div>
  );
}

function Instances({ wizard }: { readonly wizard: Wizard }) {
  const { options, change } = wizard;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-4">
        <Field label={t('wizard.instances')}>
          <NumberInput
            value={options.instanceCount}
            min={1}
            max={64}
            onChange={(value) => change({ instanceCount: value ?? 1 })}
          />
        </Field>
        <Field label={t('wizard.device')}>
          <Select
            value={options.device}
            onChange={(device) => change({ device })}
            aria-label={t('wizard.device')}
            options={[
              { value: 'auto', label: t('wizard.device.auto') },
              { value: 'cpu', label: t('wizard.device.cpu') },
              { value: 'gpu', label: t('wizard.device.gpu') },
            ]}
          />
        </Field>
      </div>
      <Checkbox
        isOn={options.hasWarmup}
        isDisabled={options.write === 'none'}
        onChange={(hasWarmup) => change({ hasWarmup })}
        data-testid="wizard-warmup"
      >
        {t('wizard.warmup')}
      </Checkbox>
    </div>
  );
}
