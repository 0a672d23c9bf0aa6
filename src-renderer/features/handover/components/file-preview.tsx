// The files of a hand-over before they are written: one is read at a time, and can be copied.

import { useState } from 'react';

import type { HandoverFile } from '../../../../src-shared/contract/handover-calls.ts';
import { t } from '../../../texts/translate.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Select } from '../../../ui/select.tsx';

/** The first file is shown until another is chosen. */
export function FilePreview({ files }: { readonly files: readonly HandoverFile[] }) {
  const [chosen, setChosen] = useState('');
  const file = files.find(({ path }) => path === chosen) ?? files[0];
  if (file === undefined) return null;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-3">
      <Select
        aria-label={t('handover.file')}
        data-testid="handover-file"
        className="self-start"
        value={file.path}
        onChange={setChosen}
        options={files.map(({ path }) => ({ value: path, label: path }))}
      />
      <CodeBlock text={file.text} label={file.path} className="min-h-0 flex-1" testId="handover-text" />
    </div>
  );
}
