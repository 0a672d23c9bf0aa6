// What a plan asks for that its model cannot do. Faults that can be seen without a server are the options' business.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { invalidArg } from '../../../src-shared/errors.ts';
import type { DataSet } from '../data/data-set.ts';
import type { LoadModel } from '../data/load-model.ts';

/** Throws INVALID_ARG with the reason. */
export function checkPlanForModel(plan: PerfPlan, model: LoadModel): void {
  const { batchSize } = plan;
  if (batchSize > 1 && model.maxBatchSize === 0)
    throw invalidArg(
      `batch size ${batchSize} cannot be used: '${model.name}' does not support batching (max_batch_size 0)`,
    );
  if (batchSize > 1 && batchSize > model.maxBatchSize)
    throw invalidArg(
      `batch size ${batchSize} is larger than max_batch_size ${model.maxBatchSize} of '${model.name}'`,
    );
  if (batchSize > 1 && model.isSequence)
    throw invalidArg(`can not specify batch size > 1 when using a sequence model ('${model.name}')`);
  if (model.isDecoupled && !plan.isStreaming)
    throw invalidArg(
      `'${model.name}' is decoupled: it may answer several times; use gRPC streaming (-i grpc --streaming)`,
    );
  if (plan.isStreaming && plan.protocol !== 'grpc') throw invalidArg('streaming needs the gRPC protocol');
  if (plan.load.kind === 'periodic' && !plan.isStreaming)
    throw invalidArg('periodic concurrency needs streaming');
}

/** A schedule takes its times from the data. Throws INVALID_ARG with the entry that has none. */
export function checkPlanForData(plan: PerfPlan, { streams }: DataSet): void {
  if (plan.load.kind !== 'schedule') return;
  streams.forEach((steps, stream) => {
    const step = steps.findIndex(({ timestampMs }) => timestampMs === undefined);
    if (step >= 0)
      throw invalidArg(
        `a fixed schedule needs input data with a "timestamp" (ms) in every entry; stream ${stream}, step ${step} has none`,
      );
  });
}
