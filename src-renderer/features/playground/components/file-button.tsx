// A button that asks for one file of this computer.

import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';

import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';

interface FileButtonProps {
  /** Kinds of files, as the attribute of the input wants them: `image/*,.npy`. */
  readonly accept: string;
  /** Of the input, which a script can give a file. */
  readonly testId: string;
  readonly onFile: (file: File) => void;
}

/** The same file can be chosen twice in a row. */
export function FileButton({ accept, testId, onFile }: FileButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={FolderOpen} onClick={() => picker.current?.click()}>
        {t('playground.file.choose')}
      </Button>
      <input
        ref={picker}
        type="file"
        accept={accept}
        hidden
        aria-label={t('playground.file.choose')}
        data-testid={testId}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) onFile(file);
          event.target.value = '';
        }}
      />
    </>
  );
}
