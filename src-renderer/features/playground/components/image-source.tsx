// An input filled from a picture: the steps it goes through, left to right, and what comes out of them.

import { ArrowRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import type { CallResult } from '../../../../src-shared/contract/contract.ts';
import { readBlob, releaseBlob } from '../../../actions/blobs.ts';
import { isAbort, explainedMessage } from '../../../engine/engine-client.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { formatShape } from '../../../lib/format.ts';
import { pixelsOf } from '../../../tensors/pixels.ts';
import type { PixelLayout } from '../../../tensors/tensor-slices.ts';
import { byteSizeOf, decodeNumbers, isFixedSize, pixelLayout } from '../../../tensors/tensor-slices.ts';
import { valueText } from '../../../tensors/value-text.ts';
import { t } from '../../../texts/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import type { ImageOptions, InputDraft } from '../draft.ts';
import { toInput } from '../draft-request.ts';
import { takeFile } from '../file-actions.ts';
import { pictureOf } from '../file-pictures.ts';
import type { SamplePicture } from '../sample-pictures.ts';
import { SAMPLE_PICTURES, takeSamplePicture, takeSamplePictures } from '../sample-pictures.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';
import { CameraButton } from './camera-dialog.tsx';
import { FileName, FilePicker } from './file-source.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';

interface ImageSourceProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const PREVIEW_DELAY_MS = 200;

/** A sample picture is taken while there is none. */
export function ImageSource({ store, input }: ImageSourceProps) {
  const { image, imageOptions, name } = input;
  const set = (changes: Partial<ImageOptions>): void =>
    patchInput(store, name, { imageOptions: { ...imageOptions, ...changes } });
  const client = useClient();
  const isEmpty = image === undefined;
  useEffect(() => {
    // Without one there is nothing to see and nothing to send; a file of the user's replaces it.
    if (isEmpty) void takeSamplePictures(client, store).catch(() => undefined);
  }, [client, store, isEmpty]);
  const picture = image === undefined ? undefined : pictureOf(image.blob);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <FilePicker store={store} input={input} accept="image/*" />
        <CameraButton name={name} onPicture={(file) => void takeFile(client, store, input, file)} />
        <SampleStrip store={store} input={input} />
        {image !== undefined && <FileName file={image} />}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {picture !== undefined && (
          <img
            src={picture}
            alt={t('playground.image.alt', { name })}
            className="size-24 rounded border border-line bg-sunken object-contain"
          />
        )}
        {image !== undefined && <SeenByModel input={input} />}
        <div className="flex flex-wrap items-center gap-2">
          <Options options={imageOptions} onChange={set} />
        </div>
      </div>
      {(image?.isTransparent === true || imageOptions.background !== undefined) && (
        <Background name={name} options={imageOptions} onChange={set} />
      )}
      {imageOptions.scaling === 'CUSTOM' && <Scale options={imageOptions} onChange={set} />}
    </>
  );
}

/** Pictures that come with the app, for a first look at what a model says. */
function SampleStrip({ store, input }: ImageSourceProps) {
  const client = useClient();
  const take = (id: SamplePicture): void =>
    void takeSamplePicture(client, store, input.name, { id }).catch((thrown: unknown) => toastThrown(thrown));
  return (
    <div role="group" aria-label={t('playground.image.samples')} className="flex items-center gap-1">
      {SAMPLE_PICTURES.map(({ id, address }) => (
        <button
          key={id}
          type="button"
          title={t(`playground.image.${id}`)}
          aria-label={t(`playground.image.${id}`)}
          data-testid={`pg-sample-${id}`}
          className="rounded border border-line hover:border-accent"
          onClick={() => take(id)}
        >
          <img src={address} alt="" className="h-7 w-9 rounded object-cover" />
        </button>
      ))}
    </div>
  );
}

const BACKGROUNDS = ['none', '255', '128', '0'] as const;

/** What a model without transparency gets in its place. */
function Background({ name, options: { background }, onChange }: OptionsProps & { readonly name: string }) {
  return (
    <div className="flex flex-wrap items-center gap-2" data-testid={`pg-transparent-${name}`}>
      <p role="status" aria-live="polite" className="text-sm text-soft">
        {t('playground.image.transparent')}
      </p>
      <Select
        aria-label={t('playground.image.background')}
        value={BACKGROUNDS.find((value) => value === String(background ?? 'none')) ?? 'none'}
        options={BACKGROUNDS.map((value) => ({ value, label: t(`playground.image.background.${value}`) }))}
        onChange={(value) => onChange({ background: value === 'none' ? undefined : Number(value) })}
      />
    </div>
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
      <Select
        aria-label={t('playground.image.channels')}
        className="!min-w-0"
        value={options.channels}
        options={[
          { value: 'RGB', label: 'RGB' },
          { value: 'BGR', label: 'BGR' },
          { value: 'GRAY', label: t('playground.image.gray') },
        ]}
        onChange={(channels) => onChange({ channels })}
      />
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
      <Select
        aria-label={t('playground.image.layout')}
        className="!min-w-0"
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

/** What becomes of the picture, asked for shortly after the last change. */
function usePreview(input: InputDraft): Previewed | undefined {
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
          if (!isAbort(thrown) && !controller.signal.aborted) setPreview({ error: explainedMessage(thrown) });
        },
      );
    }, PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, request]);
  return preview;
}

/** The tensor as a picture again, beside the original: what was cropped, squeezed and swapped can be seen. */
function SeenByModel({ input }: { readonly input: InputDraft }) {
  const client = useClient();
  const canvas = useRef<HTMLCanvasElement>(null);
  const preview = usePreview(input);
  const { name, datatype } = input;
  useEffect(() => {
    if (preview === undefined || 'error' in preview || preview.blob === undefined) return undefined;
    const { blob } = preview;
    const layout = pixelLayout(preview.shape);
    if (layout === undefined || !isFixedSize(datatype)) return undefined;
    const controller = new AbortController();
    const byteSize = layout.width * layout.height * layout.channels * byteSizeOf(datatype);
    readBlob(client, blob, { offset: 0, byteSize }, { signal: controller.signal }).then(
      (bytes) => drawInput(canvas.current, decodeNumbers(bytes, datatype), layout),
      () => undefined,
    );
    return () => {
      controller.abort();
      releaseBlob(client, blob);
    };
  }, [client, preview, datatype]);
  if (preview !== undefined && 'error' in preview) {
    return (
      <p
        role="alert"
        aria-live="assertive"
        className="text-sm text-bad"
        data-testid={`pg-preview-${name}`}
        data-state="failed"
      >
        {preview.error}
      </p>
    );
  }
  return (
    <>
      <Arrow />
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('playground.image.seen', { name })}
        title={t('playground.image.seen', { name })}
        data-testid={`pg-seen-${name}`}
        className="size-24 rounded border border-line bg-sunken object-contain"
      />
      {preview !== undefined && (
        <p
          className="order-last w-full text-sm text-soft"
          data-testid={`pg-preview-${name}`}
          data-state="ready"
        >
          {t('playground.image.result', {
            shape: formatShape(preview.shape),
            datatype,
            min: valueText(preview.min, 3),
            max: valueText(preview.max, 3),
          })}
        </p>
      )}
    </>
  );
}

function drawInput(canvas: HTMLCanvasElement | null, values: Float64Array, layout: PixelLayout): void {
  const context = canvas?.getContext('2d');
  if (canvas === null || context === null || context === undefined) return;
  canvas.width = layout.width;
  canvas.height = layout.height;
  context.putImageData(new ImageData(pixelsOf(values, layout), layout.width, layout.height), 0, 0);
}
