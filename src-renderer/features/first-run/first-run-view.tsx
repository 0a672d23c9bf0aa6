// The welcome page: three ways in and one line about this machine. Nothing here blocks.

import { FileDown, FolderOpen, Sparkles } from 'lucide-react';
import type { ReactNode } from 'react';

import { openSamples } from '../../actions/open-samples.ts';
import { useEngine, useServer } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { address } from '../../lib/address.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { cx } from '../../ui/cx.ts';
import type { IconType } from '../../ui/icon.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StateIcon } from '../../ui/state-chip.tsx';

/** The three ways in are the samples, a repository of the user, and an ONNX file. */
export function FirstRunView() {
  const engine = useEngine();
  const samples = useAction(() => openSamples(engine));
  const userDataPath = useServer((view) => view?.userDataPath ?? '');
  return (
    <div
      className="flex min-h-0 flex-1 flex-col items-center overflow-auto bg-canvas px-6 py-10"
      data-testid="first-run"
    >
      <div className="my-auto flex w-full max-w-4xl flex-col gap-8">
        <h1 className="text-2xl font-semibold text-balance text-strong">{t('first.title')}</h1>
        <div className="grid gap-4 min-[760px]:grid-cols-3">
          <Choice
            isPrimary
            icon={Sparkles}
            title={t('first.samples')}
            text={t('first.samplesText')}
            note={userDataPath === '' ? '' : t('first.samplesPath', { path: `${userDataPath}/samples` })}
            isBusy={samples.isRunning}
            testId="first-run-samples"
            onClick={samples.run}
          />
          <Choice
            icon={FolderOpen}
            title={t('first.repository')}
            text={t('first.repositoryText')}
            testId="first-run-repository"
            onClick={() => runCommand('repository.add')}
          />
          <Choice
            icon={FileDown}
            title={t('first.onnx')}
            text={t('first.onnxText')}
            testId="first-run-onnx"
            onClick={() => runCommand('repository.importOnnx')}
          />
        </div>
        <SystemCheck />
      </div>
    </div>
  );
}

function Choice({
  icon,
  title,
  text,
  note = '',
  isPrimary = false,
  isBusy = false,
  testId,
  onClick,
}: {
  readonly icon: IconType;
  readonly title: string;
  readonly text: string;
  /** In small letters below. */
  readonly note?: string;
  readonly isPrimary?: boolean;
  readonly isBusy?: boolean;
  readonly testId: string;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      data-testid={testId}
      aria-busy={isBusy}
      onClick={onClick}
      className={cx(
        'flex flex-col items-start gap-3 rounded-lg border bg-surface p-5 text-left transition-colors hover:border-accent hover:bg-hover',
        isPrimary ? 'border-accent' : 'border-line',
        isBusy && 'opacity-60',
      )}
    >
      <span
        className={cx(
          'flex size-10 items-center justify-center rounded-md',
          isPrimary ? 'bg-accent text-on-accent' : 'bg-hover text-accent',
        )}
      >
        <Icon of={icon} size={20} />
      </span>
      <span className="text-md font-semibold text-strong">{title}</span>
      <span className="text-soft">{text}</span>
      {note !== '' && <span className="text-sm break-words text-faint [overflow-wrap:anywhere]">{note}</span>}
    </button>
  );
}

function SystemCheck() {
  const view = useServer((server) => server);
  if (view === undefined) return null;
  const ports = view.endpoints
    .filter(({ kind }) => kind !== 'ui')
    .map(({ address: at }) => at?.split(':').at(-1))
    .join(', ');
  const isListening = view.endpoints.some(({ kind, isListening: listens }) => kind === 'http' && listens);
  const conflict = view.portConflict;
  return (
    <p className="flex flex-wrap items-center gap-x-5 gap-y-2 text-soft" data-testid="system-check">
      <span className="font-medium text-strong">{t('first.check')}</span>
      <Check isGood>{t('first.check.cpu', { count: view.cpuCount })}</Check>
      {view.gpus.length > 0 ? (
        <Check isGood>{t('first.check.gpu', { names: view.gpus.join(', ') })}</Check>
      ) : (
        <Check isGood={false}>
          <button
            type="button"
            className="rounded text-accent underline"
            data-testid="check-gpu"
            onClick={() => open(address('settings', { tab: 'runtime' }))}
          >
            {t('first.check.noGpu')}
          </button>
        </Check>
      )}
      {conflict !== undefined ? (
        <button
          type="button"
          className="rounded text-accent underline"
          onClick={() => open(address('server'))}
        >
          {t('first.check.portBusy', { port: String(conflict.port) })}
        </button>
      ) : (
        <Check isGood={isListening}>
          {isListening ? t('first.check.portsFree', { ports }) : t('first.check.portsClosed')}
        </Check>
      )}
    </p>
  );
}

function Check({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <StateIcon state={isGood ? 'ready' : 'unloaded'} />
      {children}
    </span>
  );
}
