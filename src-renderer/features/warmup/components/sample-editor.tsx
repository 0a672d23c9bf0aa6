// The fields of one sample: name, batch size, count, and how each input is filled. Files lie in the model's own
// `warmup` folder; one can be added from here.

import { FilePlus } from 'lucide-react';
import { useRef } from 'react';

import { releaseBlob, uploadBlob } from '../../../actions/blobs.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import type { Fill, InputDraft, WarmupDraft } from '../warmup-draft.ts';
import { inputIssue } from '../warmup-draft.ts';

interface EditorProps {
  readonly model: string;
  readonly draft: WarmupDraft;
  readonly maxBatchSize: number;
  /** Files of the `warmup` folder. */
  readonly files: readonly string[];
  /** Input the last run failed on; undefined = none. */
  readonly faultyInput: string | undefined;
  /** A sample of the file keeps its name: by it the entry is found again. */
  readonly isNameFixed: boolean;
  /** Gets the sample as it is when the change is made: a file may arrive long after it was picked. */
  readonly onChange: (edit: (draft: WarmupDraft) => WarmupDraft) => void;
  readonly onFilesChanged: () => void;
}

/** `onChange` gets the whole draft. */
export function SampleEditor(props: EditorProps) {
  const { draft, maxBatchSize, isNameFixed, onChange } = props;
  const change = (changes: Partial<WarmupDraft>): void => onChange((now) => ({ ...now, ...changes }));
  return (
    <div className="mt-3 flex flex-col gap-3" data-testid={`warmup-editor-${draft.name}`}>
      <div className="flex flex-wrap items-end gap-3">
        {!isNameFixed && (
          <Field label={t('warmup.name')}>
            <TextInput value={draft.name} isMono onChange={(name) => change({ name })} className="w-44" />
          </Field>
        )}
        <Field label={t('warmup.batchSize')}>
          <NumberInput
            value={draft.batchSize}
            min={1}
            max={Math.max(1, maxBatchSize)}
            className="w-28"
            data-testid="warmup-batch-size"
            onChange={(batchSize) => change({ batchSize: batchSize ?? 1 })}
          />
        </Field>
        <Field label={t('warmup.count')}>
          <NumberInput
            value={draft.count}
            min={1}
            className="w-28"
            data-testid="warmup-count"
            onChange={(count) => change({ count: Math.max(1, count ?? 1) })}
          />
        </Field>
      </div>
      <ul className="flex flex-col gap-2">
        {draft.inputs.map((input) => (
          <InputRow
            key={input.name}
            {...props}
            input={input}
            isFaulty={props.faultyInput === input.name}
            onInput={(changes) =>
              onChange((now) => ({
                ...now,
                inputs: now.inputs.map((one) => (one.name === input.name ? { ...one, ...changes } : one)),
              }))
            }
          />
        ))}
      </ul>
    </div>
  );
}

interface InputRowProps extends EditorProps {
  readonly input: InputDraft;
  readonly isFaulty: boolean;
  readonly onInput: (changes: Partial<InputDraft>) => void;
}

function InputRow({ model, input, files, isFaulty, onInput, onFilesChanged }: InputRowProps) {
  const issue = inputIssue(input);
  const fills: readonly Fill[] =
    input.dataType === 'TYPE_STRING' ? ['zero', 'file'] : ['zero', 'random', 'file'];
  return (
    <li
      data-testid={`warmup-input-${input.name}`}
      data-state={isFaulty ? 'faulty' : issue === undefined ? 'ok' : 'issue'}
      className={cx('rounded border p-2', isFaulty ? 'border-bad ring-1 ring-bad' : 'border-line')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 truncate font-mono text-sm text-strong">{input.name}</span>
        <Badge>{input.dataType.replace('TYPE_', '')}</Badge>
        {isFaulty && <Badge tone="bad">{t('warmup.atFault')}</Badge>}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <TextInput
            value={input.dims}
            isMono
            onChange={(dims) => onInput({ dims })}
            aria-label={t('warmup.dimsOf', { input: input.name })}
            className="w-40"
          />
          <Select
            aria-label={t('warmup.fillOf', { input: input.name })}
            data-testid={`warmup-fill-${input.name}`}
            value={input.fill}
            options={fills.map((fill) => ({ value: fill, label: t(`warmup.fill.${fill}`) }))}
            onChange={(fill) => onInput({ fill, file: input.file === '' ? (files[0] ?? '') : input.file })}
          />
          {input.fill === 'file' && (
            <>
              <FileSelect input={input} files={files} onInput={onInput} />
              <AddFile
                model={model}
                onAdded={(file) => {
                  onFilesChanged();
                  onInput({ file });
                }}
              />
            </>
          )}
        </div>
      </div>
      {issue !== undefined && (
        <p role="alert" aria-live="assertive" className="mt-1 text-sm text-bad">
          {issue}
        </p>
      )}
    </li>
  );
}

function FileSelect({
  input,
  files,
  onInput,
}: {
  readonly input: InputDraft;
  readonly files: readonly string[];
  readonly onInput: (changes: Partial<InputDraft>) => void;
}) {
  const known = files.includes(input.file) || input.file === '' ? files : [input.file, ...files];
  if (known.length === 0) return <span className="text-sm text-faint">{t('warmup.noFiles')}</span>;
  return (
    <Select
      aria-label={t('warmup.fileOf', { input: input.name })}
      data-testid={`warmup-file-${input.name}`}
      value={input.file}
      options={known.map((file) => ({ value: file, label: file }))}
      onChange={(file) => onInput({ file })}
    />
  );
}

function AddFile({ model, onAdded }: { readonly model: string; readonly onAdded: (file: string) => void }) {
  const client = useClient();
  const picker = useRef<HTMLInputElement>(null);
  const add = useAction(async (file: File) => {
    const blob = await uploadBlob(client, new Uint8Array(await file.arrayBuffer()));
    try {
      await client.call('warmup/writeFile', { model, name: file.name, blob });
      onAdded(file.name);
    } finally {
      releaseBlob(client, blob);
    }
  });
  return (
    <>
      <IconButton label={t('warmup.addFile')} icon={FilePlus} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t('warmup.addFile')}
        data-testid="warmup-add-file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) add.run(file);
          event.target.value = '';
        }}
      />
    </>
  );
}
