// An input filled from a file: picked here, dropped on the card, or pasted. The format is guessed from the name and can
// be corrected.

import type { ReactNode } from 'react';

import { numpyName } from '../../../../src-shared/tensor/numpy-types.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { formatBytes, formatClock } from '../../../lib/format.ts';
import { OutputCard } from '../../../tensors/output-card.tsx';
import { t } from '../../../texts/translate.ts';
import { Select } from '../../../ui/select.tsx';
import { tensorOf } from '../captured-tensors.ts';
import type { FileFormat, InputDraft, UploadedFile, ValueFile } from '../draft.ts';
import { takeFile } from '../file-actions.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';
import { FileButton } from './file-button.tsx';

interface FileSourceProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const FORMATS: readonly { readonly value: FileFormat; readonly label: string }[] = [
  { value: 'raw', label: 'raw' },
  { value: 'npy', label: 'npy' },
  { value: 'json', label: 'JSON' },
  { value: 'csv', label: 'CSV' },
];

/** Draws the file that is there, and ways to another one. */
export function FileSource({ store, input }: FileSourceProps) {
  const { file, name } = input;
  const captured = file?.format === 'raw' ? tensorOf(file.blob) : undefined;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <FilePicker store={store} input={input} accept=".npy,.raw,.bin,.dat,.json,.csv,.txt" />
      {file !== undefined && (
        <>
          <FileName file={file} />
          <Select
            aria-label={t('playground.file.format')}
            data-testid={`pg-format-${name}`}
            value={file.format}
            options={FORMATS}
            onChange={(format) => patchInput(store, name, { file: { ...file, format } })}
          />
        </>
      )}
      {file !== undefined && converted(file, input)}
      {captured !== undefined && (
        <div className="w-full min-w-0" data-testid={`pg-captured-tensor-${name}`}>
          <OutputCard output={captured.tensor} isSummary={false} />
        </div>
      )}
    </div>
  );
}

/** That the engine makes other numbers of those in the file; nothing where they are of the input's type. */
function converted({ format, held }: ValueFile, { name, datatype }: InputDraft): ReactNode {
  if (format !== 'npy' || held === undefined || held === datatype || datatype === 'BYTES') return null;
  return (
    <p
      role="status"
      aria-live="polite"
      className="w-full text-sm text-soft"
      data-testid={`pg-converted-${name}`}
    >
      {t('playground.file.converted', { held: numpyName(held) ?? held, datatype })}
    </p>
  );
}

/** The name as it is shown, shortened at its end. */
export function FileName({ file }: { readonly file: UploadedFile }): ReactNode {
  return <span className="min-w-0 truncate text-strong">{titleOf(file)}</span>;
}

function titleOf({ name, blob, byteSize }: UploadedFile): string {
  if (name !== '') return `${name}, ${formatBytes(byteSize)}`;
  const captured = tensorOf(blob);
  return captured === undefined
    ? t('playground.file.saved')
    : t('playground.file.captured', {
        time: formatClock(captured.atMs),
        size: formatBytes(captured.tensor.byteSize),
      });
}

/** `accept` is what the browser's file dialog offers, as in HTML. */
export function FilePicker({ store, input, accept }: FileSourceProps & { readonly accept: string }) {
  const client = useClient();
  return (
    <>
      <FileButton
        accept={accept}
        testId={`pg-file-${input.name}`}
        onFile={(file) => void takeFile(client, store, input, file)}
      />
      <span className="text-sm text-faint">{t('playground.file.drop')}</span>
    </>
  );
}
