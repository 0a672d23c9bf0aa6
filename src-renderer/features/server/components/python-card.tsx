// Which Python runs Python models: the one in use, what it has, the others that were found, and making one.

import type { PythonProgram, PythonSetupView } from '../../../../src-shared/contract/python-calls.ts';
import { restartServer } from '../../../actions/server-actions.ts';
import { writeSettings } from '../../../actions/setting-row.tsx';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatBytes } from '../../../lib/format.ts';
import { showBottom } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ask } from '../../../ui/confirm.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';

const SETTING = 'server.pythonExecutable';

/** Another Python counts when the server starts again. */
export function PythonCard() {
  const client = useClient();
  const engine = useEngine();
  const { data, error, reload } = useCall('python/view', {});
  const choose = async (path: string): Promise<void> => {
    if (!(await writeSettings(client, { [SETTING]: path }))) return;
    toastSuccess(t('python.chosen'), {
      label: t('python.restart'),
      onClick: () => void restartServer(engine),
    });
    reload();
  };
  const setUp = useAction(async () => {
    // Looking for Pythons takes seconds, and nobody waits for that before the button is pressed.
    const { setup } = data ?? (await client.call('python/view', {}));
    if (!(await mayMake(setup))) return;
    showBottom('tasks');
    const { path } = await client.call('python/setUp', { taskId: crypto.randomUUID() });
    toastSuccess(t('python.done'));
    await choose(path);
  });
  return (
    <Card
      title={t('python.title')}
      testId="python-card"
      actions={
        <Button
          size="sm"
          isBusy={setUp.isRunning}
          disabledReason={data?.setup.unavailable}
          data-testid="python-set-up"
          onClick={() => setUp.run()}
        >
          {t(data?.setup.isDone === true ? 'python.setUpAgain' : 'python.setUp')}
        </Button>
      }
    >
      <p className="mb-2 text-sm text-faint">{t('python.help')}</p>
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {data === undefined && error === undefined && <Skeleton rows={2} />}
      {data?.programs.length === 0 && <p>{t('python.none')}</p>}
      <ul className="flex flex-col">
        {data?.programs.map((program) => (
          <Program
            key={program.path}
            program={program}
            onUse={() => void choose(program.path).catch(toastThrown)}
          />
        ))}
      </ul>
    </Card>
  );
}

function mayMake({
  folder,
  isDone,
  tool,
  packages,
  downloadBytes,
  diskBytes,
}: PythonSetupView): Promise<boolean> {
  return ask({
    title: t('python.ask.title'),
    text: t(isDone ? 'python.ask.textAgain' : 'python.ask.text', {
      folder,
      tool: tool === 'uv' ? 'uv' : 'venv + pip',
      packages: packages.join(', '),
      download: formatBytes(downloadBytes),
      disk: formatBytes(diskBytes),
    }),
    choices: [{ value: 'yes', label: t('python.ask.yes'), isPrimary: true }],
    testId: 'python-ask',
  }).then((answer) => answer !== undefined);
}

function Program({ program, onUse }: { readonly program: PythonProgram; readonly onUse: () => void }) {
  const { path, origin, isUsed, version, fault, packages } = program;
  return (
    <li
      className="border-b border-line/70 py-2 last:border-b-0"
      data-testid="python-program"
      data-state={isUsed ? 'used' : fault === undefined ? 'fit' : 'unfit'}
    >
      <div className="flex items-center gap-2">
        <code className="min-w-0 break-all text-strong">{path}</code>
        {version !== undefined && <span>{version}</span>}
        {isUsed && <Badge tone="good">{t('python.used')}</Badge>}
        {!isUsed && fault === undefined && (
          <Button size="sm" className="ml-auto" aria-label={t('python.useOf', { path })} onClick={onUse}>
            {t('python.use')}
          </Button>
        )}
      </div>
      <p className="text-sm text-faint">
        {t(`python.origin.${origin}`)}
        {packages.length > 0 &&
          ` · ${t('python.packages')} ${packages.map(({ name, version: of }) => `${name} ${of}`).join(', ')}`}
      </p>
      {fault !== undefined && <p className="break-words text-sm text-warn">{fault}</p>}
    </li>
  );
}
