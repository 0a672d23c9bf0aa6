// Answers the calls of the playground: blobs, requests, previews, snippets, comparisons, saved requests.

import type { CallResult, HandlersFor } from '../../../src-shared/contract/contract.ts';
import type {
  inferenceCalls,
  ModelInterface,
  PlaygroundRequest,
  PlaygroundResult,
} from '../../../src-shared/contract/inference-calls.ts';
import { dataTypeFromConfig, isDataType } from '../../../src-shared/datatypes.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { findArtefact } from '../../backends/onnxruntime/artefact.ts';
import type { Clock } from '../../base/clock.ts';
import { encodeHttpRequest, HEADER_LENGTH } from '../../client/http-codec.ts';
import { modelFiles } from '../../inference/model-files.ts';
import { tensorStats } from '../../playground/element-chunks.ts';
import type { ClientRequest, ClientTensor } from '../../client/infer-client.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import { buildInput } from '../../playground/input-builder.ts';
import { inCompany, modelSideRequest, ownRows, rowCount } from '../../playground/batched-parity.ts';
import { shownTensor } from '../../playground/shown-tensor.ts';
import type { BareComparison, BatchedAnswer } from '../../playground/parity.ts';
import { cannotCompare, compareTensors, compareWithBare } from '../../playground/parity.ts';
import type { StreamWatch } from '../../playground/open-streams.ts';
import { OpenStreams } from '../../playground/open-streams.ts';
import type { PlaygroundSender, PlaygroundTarget } from '../../playground/playground-sender.ts';
import { repeatRequest } from '../../playground/repeat-request.ts';
import { withExecution, withSteps } from '../../playground/sent-execution.ts';
import { serverSnippets } from '../../playground/server-snippets.ts';
import { requestSnippets } from '../../playground/snippets.ts';
import { decodeValues } from '../../tensor/value-codec.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { codePlaceOf } from '../catalog/error-place.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { SavedRequests } from '../saved/saved-requests.ts';
import { checkExpectation } from '../saved/saved-requests.ts';
import { importSaved, savedAsText } from '../saved/saved-transfer.ts';
import { blobHandlers } from './blob-handlers.ts';
import type { WarmupDependencies } from './warmup-handlers.ts';
import { stepLabels } from './step-labels.ts';
import { warmupHandlers } from './warmup-handlers.ts';

/** What the calls of the playground work with. */
export interface InferenceDependencies extends WarmupDependencies {
  readonly clock: Clock;
  readonly catalog: ModelCatalog;
  readonly blobs: BlobStore;
  readonly sender: PlaygroundSender;
  /** Where the server listens now; an endpoint that is off is undefined. */
  readonly target: () => PlaygroundTarget;
  readonly saved: SavedRequests;
  /** Uploaded bytes, and those kept with saved requests. */
  readonly readBlob: ReadBlob;
}

const ENCODING_RUNS = 20;
const PREVIEW_ELEMENTS = 100;
/** Answers above this are compared, but not shown side by side. */
const MAX_SHOWN_BYTES = 16 * 1024 * 1024;
/** More than any list of classes that people read. */
const MAX_LABELS = 20_000;
const IMAGE_LAYOUTS: Readonly<Record<string, 'NHWC' | 'NCHW'>> = {
  FORMAT_NHWC: 'NHWC',
  FORMAT_NCHW: 'NCHW',
};

/** What the server refuses is part of the answer; a call rejects only for what cannot be sent at all. */
export function inferenceHandlers(deps: InferenceDependencies): HandlersFor<typeof inferenceCalls> {
  const { blobs, sender, catalog, clock } = deps;
  const streams = new OpenStreams();
  return {
    ...blobHandlers(blobs),
    'playground/interface': ({ model }) => modelInterface(catalog, model),
    'playground/labels': (asked) => labelsOf(deps, asked),
    'playground/send': (request, { signal }) => send(deps, request, signal),
    'playground/sendStream': ({ stream, request }, { signal }) =>
      streams.during(stream, (watch) => send(deps, request, signal, watch)),
    'playground/streamed': ({ stream }) => streams.progress(stream),
    'playground/stopStream': ({ stream }) => streams.stop(stream),
    'playground/repeat': ({ request, count, concurrency }, { signal }) =>
      repeatRequest(sender, request, {
        clock,
        count,
        concurrency,
        signal,
        isDecoupled: isDecoupled(deps, request),
      }),
    'playground/previewInput': async (input) => {
      const tensor = await buildInput(input, deps.readBlob);
      const datatype = isDataType(tensor.datatype) ? tensor.datatype : 'UINT8';
      const stats = await tensorStats(tensor.bytes, datatype);
      return {
        shape: tensor.shape,
        min: finiteOr0(stats?.min),
        max: finiteOr0(stats?.max),
        preview: decodeValues(tensor.bytes, datatype, PREVIEW_ELEMENTS),
        blob: input.source.kind === 'image' ? blobs.create(tensor.bytes) : undefined,
      };
    },
    'playground/snippets': async (request) =>
      requestSnippets(await sender.build(request), request.protocol, deps.target()),
    'playground/serverSnippets': async ({ language, model, request }) => {
      // Code for the server does not depend on whether a request can be built.
      const built = request === undefined ? undefined : await sender.build(request).catch(() => undefined);
      return serverSnippets(language, deps.target(), model, built);
    },
    'playground/requestBody': async (request) => {
      const { body, headers } = encodeHttpRequest(await sender.build(request), 'binary');
      return {
        blob: blobs.create(body),
        byteSize: body.byteLength,
        headByteSize: Number(headers[HEADER_LENGTH]),
      };
    },
    'playground/compare': ({ pairs, tolerance }) =>
      Promise.all(
        pairs.map(({ a, b, ...tensor }) =>
          compareTensors({ ...tensor, bytes: blobs.read(a) }, { ...tensor, bytes: blobs.read(b) }, tolerance),
        ),
      ),
    'playground/parity': (request, { signal }) => parity(deps, request, signal),
    'playground/encodingCost': (request, { signal }) => encodingCost(deps, request, signal),
    ...savedHandlers(deps),
    ...warmupHandlers(deps),
  };
}

function labelsOf(
  { servingVersion }: InferenceDependencies,
  { model, version, output }: { readonly model: string; readonly version: string; readonly output: string },
): CallResult<'playground/labels'> {
  const serving = servingVersion(model, version);
  const labels = serving?.labels.get(output)?.slice(0, MAX_LABELS) ?? [];
  const step = serving === undefined || labels.length > 0 ? undefined : stepLabels(serving, servingVersion);
  return step === undefined
    ? { labels }
    : { labels, step: { ...step, labels: step.labels.slice(0, MAX_LABELS) } };
}

function finiteOr0(value: number | undefined): number {
  return Number.isFinite(value) ? (value ?? 0) : 0;
}

/** Sends, and looks up the execution it ran in. */
async function send(
  deps: InferenceDependencies,
  request: PlaygroundRequest,
  signal: AbortSignal,
  watch?: StreamWatch,
): Promise<PlaygroundResult> {
  const { clock, sender } = deps;
  const startWallMs = clock.wallMs();
  const options = { signal, isDecoupled: isDecoupled(deps, request), ...(watch && { watch }) };
  const result = await sender.send(request, options);
  const serving = deps.servingVersion(request.model, result.modelVersion);
  const codePlace = codePlaceOf(deps.catalog, request.model, result.error);
  const told = codePlace === undefined ? result : { ...result, codePlace };
  const span = { startWallMs, endWallMs: clock.wallMs() };
  const runs = serving?.runtime.recentRuns() ?? [];
  if (runs.length > 0) return withSteps(told, runs, span);
  return withExecution(told, serving?.runtime.recentExecutions() ?? [], span);
}

type SavedCalls =
  | 'playground/savedList'
  | 'playground/save'
  | 'playground/exportSaved'
  | 'playground/importSaved'
  | 'playground/deleteSaved'
  | 'playground/restoreSaved'
  | 'playground/runSaved';

function savedHandlers(deps: InferenceDependencies): Pick<HandlersFor<typeof inferenceCalls>, SavedCalls> {
  const { saved, sender, catalog, clock, readBlob } = deps;
  const rootOf = (model: string): string => catalog.location(model).repository;
  return {
    'playground/savedList': ({ model }) => saved.list(rootOf(model), model),
    'playground/save': async ({ id, name, request, withExpectation }, { signal }) => {
      const result = withExpectation
        ? await sender.send(request, { signal, isDecoupled: isDecoupled(deps, request) })
        : undefined;
      const context = { nowMs: clock.wallMs(), readBlob };
      return saved.save(rootOf(request.model), { id, name, request }, result, context);
    },
    'playground/exportSaved': async ({ model }) => {
      const text = await savedAsText(await saved.list(rootOf(model), model), readBlob);
      const bytes = Buffer.from(text);
      return { blob: deps.blobs.create(bytes), byteSize: bytes.byteLength };
    },
    'playground/importSaved': async ({ model, blob }) => {
      const text = new TextDecoder().decode(await readBlob(blob));
      const target = { repository: rootOf(model), model, nowMs: clock.wallMs() };
      return { count: await importSaved(saved, text, target) };
    },
    'playground/deleteSaved': async ({ model, id }) => ({
      undo: await saved.delete(rootOf(model), model, id),
    }),
    'playground/restoreSaved': ({ undo }) => saved.restore(undo),
    'playground/runSaved': async ({ model, id }, { signal }) => {
      const { request, expectation } = await saved.find(rootOf(model), model, id);
      const result = await send(deps, request, signal);
      if (expectation === undefined) return { result, passed: undefined, message: '' };
      return { result, ...checkExpectation(result, expectation) };
    },
  };
}

function isDecoupled({ catalog }: InferenceDependencies, { model }: PlaygroundRequest): boolean {
  return catalog.config(model).modelTransactionPolicy?.decoupled === true;
}

function modelInterface(catalog: ModelCatalog, model: string): ModelInterface {
  const config = catalog.config(model);
  const batch = config.maxBatchSize > 0 ? [-1] : [];
  const wireType = (type: Parameters<typeof dataTypeFromConfig>[0]): string => dataTypeFromConfig(type) ?? '';
  return {
    inputs: config.input.map(({ name, dataType, dims, optional, format }) => ({
      name,
      datatype: wireType(dataType),
      shape: [...batch, ...dims],
      optional,
      imageLayout: IMAGE_LAYOUTS[format] ?? '',
    })),
    outputs: config.output.map(({ name, dataType, dims, labelFilename }) => ({
      name,
      datatype: wireType(dataType),
      shape: [...batch, ...dims],
      hasLabels: labelFilename !== '',
    })),
    maxBatchSize: config.maxBatchSize,
    isSequence: config.sequenceBatching !== undefined,
    sequenceIdleMs: Number(config.sequenceBatching?.maxSequenceIdleMicroseconds ?? 0n) / 1000,
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
  };
}

async function parity(
  deps: InferenceDependencies,
  request: PlaygroundRequest,
  signal: AbortSignal,
): Promise<CallResult<'playground/parity'>> {
  const config = deps.catalog.config(request.model);
  if (deps.catalog.view(request.model).format !== 'onnx')
    return refused('Only ONNX models can be compared with plain ONNX Runtime.');
  if (config.sequenceBatching !== undefined)
    return refused('A sequence model depends on earlier requests; there is nothing to compare with.');
  const built = await deps.sender.build({ ...request, outputs: [] });
  const exchange = await deps.sender.exchange(built, 'http-binary', { signal, isDecoupled: false });
  if (!exchange.ok) return refused(`The request failed: ${exchange.error}`);
  const [response] = exchange.responses;
  const { path: folder } = deps.catalog.location(request.model);
  try {
    const files = modelFiles(request.model, folder, response?.modelVersion ?? '');
    const file = await findArtefact(config, files);
    const inBatch = () => batchedAnswer(deps, built, config.maxBatchSize, signal);
    const asked = { request: modelSideRequest(config, built), outputs: response?.outputs ?? [], inBatch };
    return await shownComparison(await compareWithBare(file, asked, signal), deps.blobs);
  } catch (thrown) {
    signal.throwIfAborted();
    return refused(`A bare session could not run it: ${toServerError(thrown).message}`);
  }
}

const refused = (message: string): CallResult<'playground/parity'> => ({
  ...cannotCompare(message),
  answers: [],
});

/** The answers as the window looks at them, without those that nobody reads number by number. */
async function shownComparison(
  { answers, ...report }: BareComparison,
  blobs: BlobStore,
): Promise<CallResult<'playground/parity'>> {
  const shown = (tensor: ClientTensor) => shownTensor(tensor, (bytes) => blobs.create(bytes));
  const small = answers.filter(({ served }) => served.bytes.byteLength <= MAX_SHOWN_BYTES);
  const pairs = small.map(async ({ served, bare }) => ({
    served: await shown(served),
    bare: bare && (await shown(bare)),
  }));
  return { ...report, answers: await Promise.all(pairs) };
}

/** The same rows with others behind them; undefined when the model or the request cannot be batched. */
async function batchedAnswer(
  { sender }: InferenceDependencies,
  request: ClientRequest,
  maxBatchSize: number,
  signal: AbortSignal,
): Promise<BatchedAnswer | undefined> {
  const larger = inCompany(request, maxBatchSize);
  const [rows, batchSize] = [rowCount(request), larger && rowCount(larger)];
  if (larger === undefined || rows === undefined || batchSize === undefined) return undefined;
  const exchange = await sender.exchange(larger, 'http-binary', { signal, isDecoupled: false });
  const outputs = exchange.ok ? ownRows(exchange.responses[0]?.outputs ?? [], rows) : (exchange.error ?? '');
  return { batchSize, outputs };
}

async function encodingCost(deps: InferenceDependencies, request: PlaygroundRequest, signal: AbortSignal) {
  const built = await deps.sender.build(request);
  const options = { signal, isDecoupled: isDecoupled(deps, request) };
  const rows = [];
  for (const encoding of ['http-json', 'http-binary', 'grpc'] as const) {
    const times: number[] = [];
    let bodyByteSize = 0;
    let error: string | undefined;
    try {
      const connection = deps.sender.connect(encoding);
      try {
        // The first exchange also opens the connection and is not counted.
        for (let run = -1; run < ENCODING_RUNS && error === undefined; run += 1) {
          const exchange = await connection.exchange(built, options);
          error = exchange.error;
          bodyByteSize = exchange.requestByteSize;
          if (run >= 0) times.push(exchange.timing.totalMs);
        }
      } finally {
        await connection.close();
      }
    } catch (thrown) {
      signal.throwIfAborted();
      error = toServerError(thrown).message;
    }
    times.sort((a, b) => a - b);
    rows.push({ encoding, bodyByteSize, p50Ms: times[Math.floor(times.length / 2)] ?? 0, error });
  }
  return rows;
}
