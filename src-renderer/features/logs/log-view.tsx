// Logs with their filters: the whole server in the bottom panel, one model and its steps in its tab.

import { Copy, Eraser, FolderOpen, Search, WrapText } from 'lucide-react';
import { useMemo, useState } from 'react';

import { useClient, useModels, useServer } from '../../engine/engine-context.tsx';
import { runCommand } from '../../lib/command-registry.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { Select } from '../../ui/select.tsx';
import { toastSuccess } from '../../ui/toast.tsx';
import type { LogFilter } from './log-filter.ts';
import { NO_FILTER, tritonLine } from './log-filter.ts';
import { LogList } from './log-list.tsx';
import { useFilteredLog } from './use-filtered-log.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** `models` empty = all, with a picker. `instances`: those whose code writes lines of its own. */
export function LogView({
  models,
  instances = [],
}: {
  readonly models: readonly string[];
  readonly instances?: readonly string[];
}) {
  const [filter, setFilter] = useState<LogFilter>(NO_FILTER);
  const [picked, setPicked] = useState('');
  const [isWrapped, setIsWrapped] = useState(false);
  const key = (models.length > 0 ? models : picked === '' ? [] : [picked]).join('\n');
  const applied = useMemo(
    (): LogFilter => ({ ...filter, models: key === '' ? [] : key.split('\n') }),
    [filter, key],
  );
  const { lines, fault } = useFilteredLog(applied);
  const change = (changes: Partial<LogFilter>): void => setFilter({ ...filter, ...changes });
  const isFiltered =
    filter.text.trim() !== '' ||
    filter.minLevel !== NO_FILTER.minLevel ||
    filter.instance !== undefined ||
    picked !== '';
  const showAll = (): void => {
    setPicked('');
    setFilter({ ...NO_FILTER, clearedUpTo: filter.clearedUpTo });
  };
  const copy = async (): Promise<void> => {
    if (await copyText(lines.map(tritonLine).join('\n'), { isShown: true })) {
      toastSuccess(t('logs.copied', { count: lines.length }));
    }
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
        <TextInput
          icon={Search}
          value={filter.text}
          onChange={(text) => change({ text })}
          placeholder={t('logs.filter')}
          aria-label={t('logs.filter')}
          aria-invalid={fault !== undefined}
          data-testid="log-filter"
          className="w-64"
        />
        <LevelPicker value={filter.minLevel} onChange={(minLevel) => change({ minLevel })} />
        {models.length === 0 && <ModelPicker value={picked} onChange={setPicked} />}
        {instances.length > 1 && (
          <Select
            aria-label={t('logs.instance')}
            data-testid="log-instance"
            value={filter.instance ?? ''}
            onChange={(instance) => change({ instance: instance || undefined })}
            options={[
              { value: '', label: t('logs.instance.all') },
              ...instances.map((name) => ({ value: name, label: name })),
            ]}
          />
        )}
        <VerbosePicker />
        {fault !== undefined && (
          <span className="text-sm text-bad">{t('logs.badExpression', { reason: fault })}</span>
        )}
        {isFiltered && fault === undefined && lines.length > 0 && (
          <span className="text-sm text-soft tabular-nums" data-testid="log-count">
            {t('logs.count', { count: lines.length })}
          </span>
        )}
        <div className="ml-auto flex">
          <IconButton
            label={t('logs.wrap')}
            icon={WrapText}
            isPressed={isWrapped}
            onClick={() => setIsWrapped(!isWrapped)}
          />
          <IconButton
            label={t('logs.copy')}
            icon={Copy}
            data-testid="log-copy"
            disabledReason={lines.length === 0 ? t('logs.nothingToCopy') : undefined}
            onClick={() => void copy()}
          />
          <IconButton label={t('logs.reveal')} icon={FolderOpen} onClick={() => runCommand('logs.reveal')} />
          <IconButton
            label={t('logs.clear')}
            icon={Eraser}
            data-testid="log-clear"
            onClick={() => change({ clearedUpTo: lines.at(-1)?.sequence ?? filter.clearedUpTo })}
          />
        </div>
      </div>
      {lines.length === 0 ? (
        <EmptyState
          title={t(isFiltered ? 'logs.noMatch' : filter.clearedUpTo > 0 ? 'logs.cleared' : 'logs.empty')}
          actions={
            isFiltered ? (
              <Button data-testid="log-show-all" onClick={showAll}>
                {t('logs.showAll')}
              </Button>
            ) : filter.clearedUpTo > 0 ? (
              <Button data-testid="log-show-cleared" onClick={() => change({ clearedUpTo: 0 })}>
                {t('logs.showCleared')}
              </Button>
            ) : undefined
          }
        />
      ) : (
        <LogList lines={lines} isWrapped={isWrapped} />
      )}
    </div>
  );
}

function LevelPicker({
  value,
  onChange,
}: {
  readonly value: LogFilter['minLevel'];
  readonly onChange: (value: LogFilter['minLevel']) => void;
}) {
  return (
    <Select
      aria-label={t('logs.level')}
      data-testid="log-level"
      value={value}
      onChange={onChange}
      options={[
        { value: 'verbose', label: t('logs.level.all') },
        { value: 'info', label: t('logs.level.info') },
        { value: 'warn', label: t('logs.level.warn') },
        { value: 'error', label: t('logs.level.error') },
      ]}
    />
  );
}

function ModelPicker({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const models = useModels((state) => state.models);
  return (
    <Select
      aria-label={t('logs.model')}
      data-testid="log-model"
      value={value}
      onChange={onChange}
      options={[
        { value: '', label: t('logs.model.all') },
        ...models.map(({ name }) => ({ value: name, label: name })),
      ]}
    />
  );
}

/** Levels that the picker offers; one that was set elsewhere stands beside them while it holds. */
const STEPS = [0, 1, 2];

/** Shows what holds: options and clients set the level too, past the setting that this writes. */
function VerbosePicker() {
  const client = useClient();
  const level = useServer((view) => view?.logVerboseLevel ?? 0);
  const steps = STEPS.includes(level) ? STEPS : [...STEPS, level];
  return (
    <Select
      aria-label={t('logs.verbose.label')}
      data-testid="log-verbose"
      value={String(level)}
      onChange={(next) => {
        client.call('settings/write', { changes: { 'logs.verboseLevel': Number(next) } }).catch(toastThrown);
      }}
      options={steps.map((step) => ({
        value: String(step),
        label: step === 0 ? t('logs.verbose.off') : t('logs.verbose', { level: step }),
      }))}
    />
  );
}

/** The logs of the whole server. */
export function LogsPanel() {
  return <LogView models={[]} />;
}
