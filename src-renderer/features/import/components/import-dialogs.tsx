// The smaller dialogs of an import: a name that is taken, a repository to add, a version to place, a look at something.

import { useState } from 'react';

import type { DropItem } from '../../../../src-shared/contract/repository-calls.ts';
import { useClient, useEngine, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { importPaths, mayRunCode, runImport, tellAdded } from '../import-flow.ts';
import type { ImportDialog } from '../import-store.ts';
import { openTarget, targetRepository } from '../target-repository.ts';
import { InspectionFacts } from './inspection-facts.tsx';

/** What an import makes something of. */
const IMPORTABLE: ReadonlySet<DropItem['kind']> = new Set([
  'onnx',
  'model',
  'repository',
  'framework',
  'version',
  'config',
]);

type DialogOf<K extends ImportDialog['kind']> = Extract<ImportDialog, { readonly kind: K }>;

/** The dialog's `answer` gets what was chosen. */
export function ConflictDialog({
  dialog: { item, keepBothName, answer },
}: {
  readonly dialog: DialogOf<'conflict'>;
}) {
  const conflict = item.conflict;
  const isSame = conflict?.hasSameInterface === true;
  return (
    <Dialog
      isOpen
      width="md"
      testId="conflict-dialog"
      onClose={() => answer(undefined)}
      title={t('import.conflict.title', { name: item.name })}
      description={
        <>
          <p>{t(isSame ? 'import.conflict.same' : 'import.conflict.differs')}</p>
          <p className="mt-1 text-sm text-faint">{t('import.conflict.replaceHelp')}</p>
        </>
      }
      footer={
        <>
          <Button worksOffline data-testid="conflict-cancel" onClick={() => answer(undefined)}>
            {t('common.cancel')}
          </Button>
          <Button variant="danger" data-testid="conflict-replace" onClick={() => answer('replace')}>
            {t('import.conflict.replace')}
          </Button>
          <Button
            variant={isSame ? 'secondary' : 'primary'}
            data-testid="conflict-keep-both"
            onClick={() => answer('keep-both')}
          >
            {t('import.conflict.keepBoth', { name: keepBothName })}
          </Button>
          <Button
            variant={isSame ? 'primary' : 'secondary'}
            data-testid="conflict-add-version"
            onClick={() => answer('add-version')}
          >
            {t('import.conflict.version', { version: conflict?.nextVersion ?? '' })}
          </Button>
        </>
      }
    />
  );
}

/** Opens the folder as a repository, with its models loaded when wished; `replaced` goes then. */
export function RepositoryDialog({
  dialog: { item, replaced },
  onClose,
}: {
  readonly dialog: DialogOf<'repository'>;
  readonly onClose: () => void;
}) {
  const client = useClient();
  const [isLoading, setIsLoading] = useState(true);
  const [isTrusted, setIsTrusted] = useState(item.isTrusted);
  const { path, models, hasCode } = item;
  const add = useAction(async () => {
    await client.call('repository/add', { path, load: isLoading, trustCode: hasCode && isTrusted });
    if (replaced !== undefined && replaced !== path)
      await client.call('repository/remove', { path: replaced });
    toastSuccess(t('import.repository.added', { path }));
    onClose();
  });
  return (
    <FormDialog
      isOpen
      width="md"
      testId="repository-dialog"
      onClose={onClose}
      title={t('import.repository.title')}
      description={t('import.repository.text', { path })}
      act={{
        label: t('import.repository.add'),
        testId: 'repository-add',
        isRunning: add.isRunning,
        reason: undefined,
        run: add.run,
      }}
    >
      {models.length > 0 && (
        <ul className="max-h-56 overflow-auto rounded border border-line">
          {models.map(({ name, problem }) => (
            <li
              key={name}
              className="flex min-h-7 items-center gap-2 border-b border-line/70 px-3 last:border-b-0"
            >
              <StateIcon state={problem === undefined ? 'ready' : 'degraded'} />
              <span className="min-w-0 flex-1 truncate text-strong">{name}</span>
              <span className="text-sm text-faint">{problem ?? t('import.repository.ok')}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-1">
        <Checkbox isOn={isLoading} onChange={setIsLoading} data-testid="repository-load">
          {t('import.repository.load')}
        </Checkbox>
        {hasCode && (
          <>
            <Checkbox isOn={isTrusted} onChange={setIsTrusted} data-testid="repository-trust">
              {t('import.repository.trust')}
            </Checkbox>
            <p className="pl-6 text-sm text-soft">
              {t(isTrusted ? 'import.repository.trusted' : 'import.repository.untrusted')}
            </p>
          </>
        )}
      </div>
    </FormDialog>
  );
}

/** Asks which model the version is for, and under which number: the next free one at first. */
export function VersionDialog({
  dialog,
  onClose,
}: {
  readonly dialog: DialogOf<'version'>;
  readonly onClose: () => void;
}) {
  const engine = useEngine();
  const models = useModels((state) => state.models);
  const [name, setName] = useState(() =>
    models.some((model) => model.name === dialog.model) ? dialog.model : (models[0]?.name ?? ''),
  );
  const versions =
    models.find((model) => model.name === name)?.versions.map(({ version }) => Number(version)) ?? [];
  const [version, setVersion] = useState<number>();
  const wanted = version ?? Math.max(0, ...versions) + 1;
  const add = useAction(async () => {
    const repository = models.find((model) => model.name === name)?.repository ?? targetRepository(engine);
    if (repository === undefined) return;
    await openTarget(engine, repository);
    if (!(await mayRunCode(dialog.item))) return;
    const { path, hasCode } = dialog.item;
    const added = await runImport(engine, {
      source: path,
      repository,
      name,
      mode: 'add-version',
      version: String(wanted),
      hasCode,
    });
    tellAdded(added);
    onClose();
  });
  const reason =
    name === ''
      ? t('import.version.none')
      : versions.includes(wanted)
        ? t('import.version.exists')
        : undefined;
  return (
    <FormDialog
      isOpen
      testId="version-dialog"
      onClose={onClose}
      title={t('import.version.title')}
      description={dialog.item.path}
      act={{
        label: t('import.version.add'),
        testId: 'version-add',
        isRunning: add.isRunning,
        reason,
        run: add.run,
      }}
    >
      <div className="flex gap-4">
        <Field label={t('import.version.model')} className="flex-1">
          <Select
            value={name}
            onChange={setName}
            aria-label={t('import.version.model')}
            options={models.map((model) => ({ value: model.name, label: model.name }))}
          />
        </Field>
        <Field
          label={t('import.version.number')}
          error={versions.includes(wanted) ? t('import.version.exists') : undefined}
        >
          <NumberInput value={wanted} min={1} onChange={setVersion} />
        </Field>
      </div>
    </FormDialog>
  );
}

/** What a file says of itself; nothing is imported. */
export function InspectDialog({
  dialog: { item },
  onClose,
}: {
  readonly dialog: DialogOf<'inspect'>;
  readonly onClose: () => void;
}) {
  const engine = useEngine();
  const inspection = useCall('config/inspectOnnx', item.kind === 'onnx' ? { path: item.path } : undefined);
  const canImport = IMPORTABLE.has(item.kind);
  return (
    <Dialog
      isOpen
      width="md"
      testId="inspect-dialog"
      onClose={onClose}
      title={t('import.inspect.title', { name: item.name })}
      footer={
        <>
          {canImport && (
            <Button
              data-testid="inspect-import"
              onClick={() => {
                onClose();
                void importPaths(engine, [item.path], { intent: 'copy' });
              }}
            >
              {t('import.inspect.import')}
            </Button>
          )}
          <Button variant="primary" worksOffline data-testid="inspect-close" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {inspection.data === undefined ? (
        <ItemFacts item={item} error={inspection.error} />
      ) : (
        <InspectionFacts inspection={inspection.data} />
      )}
    </Dialog>
  );
}

function ItemFacts({ item, error }: { readonly item: DropItem; readonly error: string | undefined }) {
  return (
    <>
      <Facts
        items={[
          [t('import.inspect.kind'), t(`import.kind.${item.kind}`)],
          [
            t('picker.path'),
            <code key="path" className="break-all">
              {item.path}
            </code>,
          ],
          [t('wizard.size'), formatBytes(item.byteSize)],
          ...item.models.map(({ name, problem }) => [name, problem ?? t('import.repository.ok')] as const),
        ]}
      />
      {item.message !== '' && <p className="mt-3 text-strong">{item.message}</p>}
      {error !== undefined && <p className="mt-3 text-bad">{error}</p>}
    </>
  );
}
