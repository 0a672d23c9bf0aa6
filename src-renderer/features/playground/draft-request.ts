// From a draft to the request that is sent, and from a saved or earlier request back to a draft. Pure.

import type {
  ModelInterface,
  PlaygroundInput,
  PlaygroundRequest,
} from '../../../src-shared/contract/inference-calls.ts';
import type { FillMode, InputDraft, OutputDraft, ParameterDraft, RequestDraft } from './draft.ts';
import { newDraft } from './draft.ts';

/** The call that sends the draft. Inputs that are not sent and parameters without a name are left out. */
export function toRequest(
  draft: RequestDraft,
  target: { readonly model: string; readonly version: string; readonly isSequence: boolean },
): PlaygroundRequest {
  const wanted = draft.outputs.filter(({ isWanted }) => isWanted);
  const isPlain =
    wanted.length === draft.outputs.length && wanted.every(({ classification }) => classification === 0);
  return {
    model: target.model,
    version: target.version,
    protocol: draft.protocol,
    id: draft.id,
    inputs: draft.inputs.filter(({ isSent }) => isSent).map(toInput),
    outputs: isPlain ? [] : wanted.map(({ name, classification }) => ({ name, classification })),
    priority: draft.priority,
    timeoutUs: draft.timeoutUs,
    parameters: Object.fromEntries(
      draft.parameters
        .filter(({ key }) => key !== '')
        .map((parameter) => [parameter.key, valueOf(parameter)]),
    ),
    ...(target.isSequence ? { sequence: draft.sequence } : {}),
  };
}

/** One input as it is sent; files are named by their blobs, "" where none was chosen. */
export function toInput(input: InputDraft): PlaygroundInput {
  return { name: input.name, datatype: input.datatype, shape: [...input.shape], source: sourceOf(input) };
}

function sourceOf(input: InputDraft): PlaygroundInput['source'] {
  switch (input.mode) {
    case 'values':
      return { kind: 'values', values: [...input.values] };
    case 'zeros':
    case 'ones':
      return { kind: 'fill', value: input.mode };
    case 'constant':
      return { kind: 'constant', value: input.constant };
    case 'random':
      return { kind: 'random', ...input.random };
    case 'range':
      return { kind: 'range', ...input.range };
    case 'file':
      return { kind: 'blob', blob: input.file?.blob ?? '', format: input.file?.format ?? 'raw' };
    case 'sound':
      return { kind: 'blob', blob: input.sound?.blob ?? '', format: 'raw' };
    case 'image': {
      const { mean, std, ...options } = input.imageOptions;
      const custom = options.scaling === 'CUSTOM' ? { mean: [...mean], std: [...std] } : {};
      return { kind: 'image', blob: input.image?.blob ?? '', ...options, ...custom };
    }
  }
}

function valueOf({ kind, value }: ParameterDraft): string | number | boolean {
  if (kind === 'boolean') return value === 'true';
  return kind === 'number' ? Number(value) : value;
}

/** The draft of a request that was sent or saved. Inputs and outputs that the model no longer has are left out. */
export function fromRequest(request: PlaygroundRequest, io: ModelInterface): RequestDraft {
  const fresh = newDraft(io);
  return {
    ...fresh,
    protocol: request.protocol,
    id: request.id,
    inputs: fresh.inputs.map((input) => {
      const sent = request.inputs.find(({ name }) => name === input.name);
      return sent === undefined ? { ...input, isSent: false } : fromInput(sent, input);
    }),
    outputs: fresh.outputs.map((output) => fromOutput(output, request.outputs)),
    priority: request.priority,
    timeoutUs: request.timeoutUs,
    parameters: Object.entries(request.parameters).map(([key, value]) => ({
      key,
      kind: typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean',
      value: String(value),
    })),
    sequence: request.sequence ?? fresh.sequence,
  };
}

function fromOutput(output: OutputDraft, asked: PlaygroundRequest['outputs']): OutputDraft {
  if (asked.length === 0) return { ...output, classification: 0 };
  const found = asked.find(({ name }) => name === output.name);
  return { ...output, isWanted: found !== undefined, classification: found?.classification ?? 0 };
}

const MODES: Readonly<Record<PlaygroundInput['source']['kind'], FillMode>> = {
  values: 'values',
  fill: 'zeros',
  constant: 'constant',
  random: 'random',
  range: 'range',
  blob: 'file',
  image: 'image',
};

function fromInput({ shape, source }: PlaygroundInput, fresh: InputDraft): InputDraft {
  const input: InputDraft = { ...fresh, isSent: true, shape, mode: MODES[source.kind] };
  switch (source.kind) {
    case 'values':
      return { ...input, values: source.values };
    case 'fill':
      return { ...input, mode: source.value };
    case 'constant':
      return { ...input, constant: source.value };
    case 'random':
      return { ...input, random: { seed: source.seed, min: source.min, max: source.max } };
    case 'range':
      return { ...input, range: { start: source.start, step: source.step } };
    case 'blob':
      return { ...input, file: { blob: source.blob, name: '', byteSize: 0, format: source.format } };
    case 'image': {
      const { blob, resize, layout, channels, scaling, mean, std, background } = source;
      const before = fresh.imageOptions;
      return {
        ...input,
        image: { blob, name: '', byteSize: 0 },
        imageOptions: {
          resize,
          layout,
          channels,
          scaling,
          mean: mean ?? before.mean,
          std: std ?? before.std,
          ...(background !== undefined && { background }),
        },
      };
    }
  }
}
