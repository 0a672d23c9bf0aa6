// All settings are one file: where it is, and what it holds.

import { useState } from 'react';

import { revealPath } from '../../../actions/reveal.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

/** `path` is on the server's computer; the text is read when it is opened. */
export function SettingsFile({ path }: { readonly path: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const file = useCall('settings/readText', isOpen ? {} : undefined);
  return (
    <p className="mt-6 flex flex-wrap items-center gap-2 text-sm text-faint">
      {t('settings.file')}: <code className="break-all">{path}</code>
      <Button size="sm" variant="ghost" data-testid="settings-open-file" onClick={() => setIsOpen(true)}>
        {t('settings.openFile')}
      </Button>
      <Button size="sm" variant="ghost" onClick={() => void revealPath(path)}>
        {t('settings.reveal')}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        width="md"
        title={t('settings.file')}
        description={path}
        testId="settings-file-dialog"
        footer={<Button onClick={() => setIsOpen(false)}>{t('common.close')}</Button>}
      >
        <CodeBlock
          text={
            file.error !== undefined ? file.error : file.data?.text === '' ? '{}' : (file.data?.text ?? '')
          }
          isWrapped
          testId="settings-file-text"
        />
      </Dialog>
    </p>
  );
}
