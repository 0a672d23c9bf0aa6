// Answers the calls about captured requests: switching, the list, and one request with its tensors as blobs.

import type {
  CapturedInput,
  CapturedRequest,
  CapturedRow,
  captureCalls,
} from '../../../src-shared/contract/capture-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { PlaygroundRequest } from '../../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../../src-shared/contract/playground-answer.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../../inference/inference-request.ts';
import { editableValues } from '../../playground/editable-values.ts';
import type { TensorToShow } from '../../playground/shown-tensor.ts';
import { shownTensor } from '../../playground/shown-tensor.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { KeptRequest, RequestCapture } from './request-capture.ts';

interface CaptureDependencies {
  readonly capture: RequestCapture;
  readonly blobs: BlobStore;
  readonly catalog: ModelCatalog;
}

/** Tensors of one request become blobs when they are asked for; the page releases them. */
export function captureHandlers({
  capture,
  blobs,
  catalog,
}: CaptureDependencies): HandlersFor<typeof captureCalls> {
  const state = () => capture.state();
  const shown = (tensor: TensorToShow): Promise<PlaygroundOutput> =>
    shownTensor(tensor, (bytes) => blobs.create(bytes));
  const shownInput = async (tensor: TensorToShow): Promise<CapturedInput> => ({
    ...(await shown(tensor)),
    values: editableValues(tensor),
  });
  return {
    'capture/state': state,
    'capture/start': ({ model }) => {
      capture.start(model);
      return state();
    },
    'capture/stop': () => {
      capture.stop();
      return state();
    },
    'capture/clear': () => {
      capture.clear();
      return state();
    },
    'capture/list': ({ model }) => capture.list(model).map(rowOf),
    'capture/ofTrace': ({ traceId }) => {
      const kept = capture.ofTrace(traceId);
      return { row: kept === undefined ? undefined : rowOf(kept) };
    },
    'capture/open': async ({ id }): Promise<CapturedRequest> => {
      const kept = capture.find(id);
      const isDecoupled = catalog.config(kept.model).modelTransactionPolicy?.decoupled === true;
      const responses = [];
      for (const { outputs, error } of kept.responses) {
        responses.push({ error, outputs: await Promise.all(outputs.map(shown)) });
      }
      return {
        row: rowOf(kept),
        request: requestOf(kept, blobs, isDecoupled),
        inputs: await Promise.all(kept.inputs.map(shownInput)),
        responses,
      };
    },
  };
}

function rowOf({ inputs, ...kept }: KeptRequest): CapturedRow {
  const { id, atMs, model, version, requestId, parentId, stepIndex, state, error } = kept;
  const { durationMs, responseCount, byteSize, hasTensors, traceId } = kept;
  return {
    ...{ id, atMs, model, version, requestId, parentId, stepIndex, state, error },
    ...{ durationMs, responseCount, byteSize, hasTensors, traceId },
    inputs: inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape })),
  };
}

/** What the playground sends for the same answer. The client's encoding is not known here: binary carries every type. */
function requestOf(kept: KeptRequest, blobs: BlobStore, isDecoupled: boolean): PlaygroundRequest {
  const { correlationId, flags } = kept;
  const hasSequence = correlationId !== 0n && correlationId !== '';
  return {
    model: kept.model,
    version: '',
    protocol: isDecoupled ? 'grpc' : 'http-binary',
    id: kept.requestId ?? '',
    inputs: kept.inputs.map(({ name, datatype, shape, bytes }) => ({
      name,
      datatype,
      shape: [...shape],
      source: { kind: 'blob', blob: blobs.create(Uint8Array.from(bytes)), format: 'raw' },
    })),
    outputs: kept.requestedOutputs.map((name) => ({ name, classification: 0 })),
    priority: Number(kept.priority),
    timeoutUs: kept.timeoutUs,
    ...(hasSequence
      ? {
          sequence: {
            id: String(correlationId),
            start: (flags & SEQUENCE_START) !== 0,
            end: (flags & SEQUENCE_END) !== 0,
          },
        }
      : {}),
    parameters: Object.fromEntries(
      [...kept.parameters].map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
    ),
  };
}
