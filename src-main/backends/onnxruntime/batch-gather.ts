// From the requests of one execution to the inputs of one run: shapes, sizes and where the bytes are. Nothing is
// copied here; writeFeeds() makes the only copy of each input byte, straight into shared memory.

import {
  dataTypeFromConfig,
  elementByteSize,
  smallestElementByteSize,
} from '../../../src-shared/datatypes.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { concreteCount } from '../../../src-shared/tensor/shape.ts';
import type { InferInput, InferenceRequest } from '../../inference/inference-request.ts';
import { copyBytes } from '../../inference/tensor-bytes.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import { generateBatchInput } from './batch-inputs.ts';
import type { FeedPlan, InterfacePlan } from './interface-plan.ts';
import type { JobLayout, Segment } from './job-layout.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import { onnxTypeOf } from './ort-datatypes.ts';
import { runtimeError } from './ort-errors.ts';
import type { GatheredFeed } from './request-inputs.ts';
import { rowsOf, findInput } from './request-inputs.ts';

/**
 * Feeds in the plan's order; undefined where no request gives the input (the runtime then reports it as missing).
 * Throws INTERNAL when requests of one batch disagree in shape, and where the runtime would refuse a batch input;
 * INVALID_ARG for a tensor without elements that would end the process.
 */
export function gatherFeeds(
  plan: InterfacePlan,
  requests: readonly InferenceRequest[],
): (GatheredFeed | undefined)[] {
  const [unknown] = plan.unknownTargets;
  if (unknown !== undefined)
    throw runtimeError(new Error(`Failed to find input name in the mapping: ${unknown}`));
  const feeds = plan.feeds.map((feed) => gatherFeed(plan, feed, requests));
  if (plan.fatalOperator !== undefined) refuseEmpty(plan, plan.fatalOperator, feeds);
  return feeds;
}

function refuseEmpty(
  plan: InterfacePlan,
  operator: string,
  feeds: readonly (GatheredFeed | undefined)[],
): void {
  const at = feeds.findIndex((feed) => feed?.dims.includes(0) === true);
  if (at < 0) return;
  const name = plan.feeds[at]?.name ?? '';
  const shape = feeds[at]?.dims.join(',') ?? '';
  throw onnxruntimeErrors.fatalEmpty({ name, shape, model: plan.modelName, operator });
}

const NO_SEGMENTS: Segment[] = [];

function firstInput(requests: readonly InferenceRequest[], name: string): InferInput | undefined {
  for (const request of requests) {
    const input = findInput(request, name);
    if (input !== undefined) return input;
  }
  return undefined;
}

function gatherFeed(
  plan: InterfacePlan,
  feed: FeedPlan,
  requests: readonly InferenceRequest[],
): GatheredFeed | undefined {
  if (feed.batchInput !== undefined) {
    const datatype = dataTypeFromConfig(feed.batchInput.dataType);
    if (datatype !== undefined && datatype !== feed.datatype) throw wrongDatatype(datatype, feed.datatype);
    return generateBatchInput(feed.batchInput, requests);
  }
  const template = firstInput(requests, feed.name);
  if (template === undefined) return undefined;
  if (template.datatype !== feed.datatype) throw wrongDatatype(template.datatype, feed.datatype);
  const sources = new Array<TensorBytes>(requests.length);
  const segments = feed.datatype === 'BYTES' ? new Array<Segment>(requests.length) : NO_SEGMENTS;
  let byteSize = 0;
  let rows = 0;
  let elements = 0;
  for (let index = 0; index < requests.length; index++) {
    const request = requests[index] as InferenceRequest;
    const input = requests.length === 1 ? template : findInput(request, feed.name);
    const rowCount = plan.maxBatchSize === 0 ? 1 : (input?.shapeWithBatch[0] ?? rowsOf(request));
    const count =
      input === undefined
        ? fillerCount(plan, feed, request, template) * rowCount
        : concreteCount(input.shapeWithBatch);
    const bytes = input?.bytes ?? zeros(feed, count);
    sources[index] = bytes;
    byteSize += bytes.byteSize;
    rows += rowCount;
    elements += count;
    if (segments !== NO_SEGMENTS) segments[index] = { byteSize: bytes.byteSize, elementCount: count };
  }
  const dims = feedDims(plan, feed, template, rows, elements);
  checkSize(plan, feed, dims, byteSize);
  return { dims, byteSize, segments, sources };
}

/** Only a state or a batch input can have another type than the model: clients' tensors and controls are checked before. */
function wrongDatatype(actual: DataType, expected: DataType): ServerError {
  return runtimeError(
    new Error(
      `Unexpected input data type. Actual: (${onnxTypeOf(actual)}) , expected: (${onnxTypeOf(expected)})`,
    ),
  );
}

function feedDims(
  plan: InterfacePlan,
  feed: FeedPlan,
  template: InferInput,
  rows: number,
  elements: number,
): readonly number[] {
  if (feed.kind === 'scalar') return [];
  if (feed.kind === 'ragged') return [elements];
  if (plan.maxBatchSize === 0 || template.shapeWithBatch[0] === rows) return template.shapeWithBatch;
  return [rows, ...template.shapeWithBatch.slice(1)];
}

/** Elements per row of an input that a filler request does not carry; only filler rows may lack one. */
function fillerCount(
  plan: InterfacePlan,
  feed: FeedPlan,
  request: InferenceRequest,
  template: InferInput,
): number {
  if (!request.isNull) {
    throw onnxruntimeErrors.inputMissing({
      prefix: request.logPrefix,
      name: feed.name,
      model: plan.modelName,
    });
  }
  return concreteCount(plan.maxBatchSize === 0 ? template.shapeWithBatch : template.shapeWithBatch.slice(1));
}

/** Zeros of the datatype; an empty string is four zero bytes. */
function zeros(feed: FeedPlan, count: number): TensorBytes {
  const byteSize = count * smallestElementByteSize(feed.datatype);
  return { chunks: [new Uint8Array(byteSize)], byteSize };
}

function checkSize(plan: InterfacePlan, feed: FeedPlan, dims: readonly number[], byteSize: number): void {
  if (feed.datatype === 'BYTES') return;
  const expected = concreteCount(dims) * elementByteSize(feed.datatype);
  if (expected === byteSize) return;
  throw onnxruntimeErrors.batchByteSize({
    name: feed.name,
    model: plan.modelName,
    got: byteSize,
    shape: dims.join(','),
    needed: expected,
  });
}

/** Copies every feed to its place in the slot. */
export function writeFeeds(
  target: Uint8Array,
  feeds: readonly (GatheredFeed | undefined)[],
  layout: JobLayout,
): void {
  for (let index = 0; index < feeds.length; index++) {
    const feed = feeds[index];
    if (feed === undefined) continue;
    let at = layout.offsets[index] ?? 0;
    for (const source of feed.sources) at = copyBytes(source, target, at);
  }
}
