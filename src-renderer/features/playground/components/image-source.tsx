// An input filled from a picture: the steps it goes through, left to right, and what comes out of them.

import { ArrowRight } from 'lucide-react';
import { useEffect, useState } from 'react';

import type { CallResult } from '../../../../src-shared/contract/contract.ts';
import { isAbort, messageOf } from '../../../engine/engine-client.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { formatShape, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { NumberInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import type { ImageOptions, InputDraft } from '../draft.ts';
import { toInput } from '../draft-request.ts';
import { pictureOf } from '../file-actions.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';
import { FileName, FilePicker } from './file-source.tsx';

interface ImageSourceProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const PREVIEW_DELAY_MS = 200;

export function ImageSource({ store, input }: ImageSourceProps) {
  const { image, imageOptions, name } = input;
  const set = (changes: Partial<ImageOptions>): void =>
    patchInput(store, name, { imageOptions: { ...imageOptions, ...changes } });
  const picture = image === undefined ? undefined : pictureOf(image.blob);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FilePicker store={store} input={input} accept="image/*" />
        {image !== undefined && <FileName file={image} />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {picture !== undefined && (
          <img
            src={picture}
            alt={t('playground.image.alt', { name })}
            className="size-16 rounded border border-line bg-sunken object-contain"
          />
        )}
        <Options options={imageOptions} onChange={set} />
      </div>
      {imageOptions.scaling === 'CUSTOM' && <Scale options={imageOptions} onChange={set} />}
      {image !== undefined && <Preview input={input} />}
    </>
  );
}

interface OptionsProps {
  readonly options: ImageOptions;
  readonly onChange: (changes: Partial<ImageOptions>) => void;
}

function Options({ options, onChange }: OptionsProps) {
  return (
    <>
      <Select
        aria-label={t('playground.image.resize')}
        value={options.resize}
        options={[
          { value: 'stretch', label: t('playground.image.stretch') },
          { value: 'contain', label: t('playground.image.contain') },
          { value: 'cover', label: t('playground.image.cover') },
        ]}
        onChange={(resize) => onChange({ resize })}
      />
      <Arrow />
      <Select
        aria-label={t('playground.image.channels')}
        value={options.channels}
        options={[
          { value: 'RGB', label: 'RGB' },
          { value: 'BGR', label: 'BGR' },
          { value: 'GRAY', label: t('playground.image.gray') },
        ]}
        onChange={(channels) => onChange({ channels })}
      />
      <Arrow />
      <Select
        aria-label={t('playground.image.scaling')}
        value={options.scaling}
        options={[
          { value: 'NONE', label: t('playground.image.none') },
          { value: 'UNIT', label: t('playground.image.unit') },
          { value: 'INCEPTION', label: t('playground.image.inception') },
          { value: 'VGG', label: t('playground.image.vgg') },
          { value: 'IMAGENET', label: t('playground.image.imagenet') },
          { value: 'CUSTOM', label: t('playground.image.custom') },
        ]}
        onChange={(scaling) => onChange({ scaling })}
      />
      <Arrow />
      <Select
        aria-label={t('playground.image.layout')}
        value={options.layout}
        options={[
          { value: 'NCHW', label: 'NCHW' },
          { value: 'NHWC', label: 'NHWC' },
        ]}
        onChange={(layout) => onChange({ layout })}
      />
    </>
  );
}

function Arrow() {
  return <Icon of={ArrowRight} size={12} className="text-faint" />;
}

function Scale({ options, onChange }: OptionsProps) {
  const row = (label: string, key: 'mean' | 'std') => (
    <div className="flex flex-wrap items-center gap-2">
      <span className="w-10 text-sm text-soft">{label}</span>
      {[0, 1, 2].map((channel) => (
        <NumberInput
          key={channel}
          value={options[key][channel]}
          step={0.1}
          aria-label={t('playground.image.perChannel', { label, channel })}
          onChange={(value = 0) => onChange({ [key]: options[key].with(channel, value) })}
        />
      ))}
    </div>
  );
  return (
    <div className="flex flex-col gap-2">
      {row(t('playground.image.mean'), 'mean')}
      {row(t('playground.image.std'), 'std')}
    </div>
  );
}

type Previewed = CallResult<'playground/previewInput'> | { readonly error: string };

function Preview({ input }: { readonly input: InputDraft }) {
  const client = useClient();
  const [preview, setPreview] = useState<Previewed>();
  const request = JSON.stringify(toInput(input));
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const args = JSON.parse(request) as ReturnType<typeof toInput>;
      client.call('playground/previewInput', args, { signal: controller.signal }).then(
        (answer) => setPreview(answer),
        (thrown: unknown) => {
          if (!isAbort(thrown) && !controller.signal.aborted) setPreview({ error: messageOf(thrown) });
        },
      );
    }, PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, request]);
  if (preview === undefined) return null;
  if ('error' in preview) {
    return (
      <p
        role="alert"
        className="text-sm text-bad"
        data-testid={`pg-preview-${input.name}`}
        data-state="failed"
      >
        {preview.error}
      </p>
    );
  }
  return (
    <p className="text-sm text-soft" data-testid={`pg-preview-${input.name}`} data-state="ready">
      {t('playground.image.result', {
        shape: formatShape(preview.shape),
        datatype: input.datatype,
        min: threeDigits(preview.min),
        max: threeDigits(preview.max),
      })}
    </p>
  );
}
