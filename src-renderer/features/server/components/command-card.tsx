// The server as a tritonserver command line, and the way back: importing one.

import { useState } from 'react';
import { useStore } from 'zustand';

import type { ImportedCommand } from '../../../../src-shared/contract/observe-views.ts';
import { writeSettings } from '../../../actions/setting-row.tsx';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { t } from '../../../texts/translate.ts';
import { ActFooter } from '../../../ui/act-footer.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';

const NOTHING: ImportedCommand = { changes: {}, repositories: [], ignored: [] };

/** `commandLine` is ready for a shell. */
export function CommandCard({ commandLine }: { readonly commandLine: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title={t('server.command')}
      actions={
        <>
          <Button size="sm" data-testid="hand-over" onClick={() => runCommand('server.handOver')}>
            {t('server.command.handOver')}
          </Button>
          <Button size="sm" data-testid="import-command" onClick={() => setIsOpen(true)}>
            {t('server.command.import')}
          </Button>
        </>
      }
    >
      <p className="mb-2 text-sm text-faint">{t('server.command.help')}</p>
      <CodeBlock
        text={oneOptionPerLine(commandLine)}
        label={t('server.command')}
        isWrapped
        testId="server-command-line"
      />
      {isOpen && <ImportDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

/** The same command for a shell, with lines that are not broken inside an option. */
function oneOptionPerLine(command: string): string {
  return command.replaceAll(/ (?='?--)/g, ' \\\n  ');
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const settings = useStore(useEngine().state.settings, ({ view }) => view?.settings ?? []);
  const [text, setText] = useState('');
  const { data: parsed = NOTHING, error } = useCall(
    'settings/importCommand',
    text.trim() === '' ? undefined : { text },
  );
  const lines = [
    ...Object.entries(parsed.changes).map(
      ([key, value]) => `${settings.find((setting) => setting.key === key)?.title ?? key}: ${String(value)}`,
    ),
    ...parsed.repositories.map((path) => `${t('server.repositories')}: ${path}`),
  ];
  const apply = useAction(async () => {
    const hasChanges = Object.keys(parsed.changes).length > 0;
    if (hasChanges && !(await writeSettings(client, parsed.changes))) return;
    for (const path of parsed.repositories)
      await client.call('repository/add', { path, load: true, trustCode: false });
    toastSuccess(t('server.import.done', { count: lines.length }));
    onClose();
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="md"
      title={t('server.import.title')}
      description={t('server.import.help')}
      testId="import-command-dialog"
      isTyped={text.trim() !== ''}
      footer={
        <ActFooter
          onCancel={onClose}
          data-testid="import-command-apply"
          isBusy={apply.isRunning}
          disabledReason={lines.length === 0 ? t('server.import.nothing') : undefined}
          onClick={apply.run}
        >
          {t('server.import.apply')}
        </ActFooter>
      }
    >
      <TextArea
        value={text}
        onChange={setText}
        rows={5}
        isMono
        aria-label={t('server.import.label')}
        data-testid="import-command-text"
      />
      {error !== undefined && (
        <p role="alert" aria-live="assertive" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
      <Lines title={t('server.import.applies')} lines={lines} />
      <Lines title={t('server.import.ignored')} lines={parsed.ignored} />
    </Dialog>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <section className="mt-3">
      <h3 className="text-sm font-semibold text-soft">{title}</h3>
      <ul className="mt-1 flex flex-col gap-0.5 font-mono text-sm text-strong">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
