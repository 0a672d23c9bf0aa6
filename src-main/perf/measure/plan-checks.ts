// What a plan asks for that its model cannot do. Faults that can be seen without a server are the options' business.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { DataSet } from '../data/data-set.ts';
import type { LoadModel } from '../data/load-model.ts';
import { perfPlanErrors } from './plan-errors.ts';

/** Throws INVALID_ARG with the reason. */
export function checkPlanForModel(plan: PerfPlan, model: LoadModel): void {
  const { batchSize } = plan;
  if (batchSize > 1 && model.maxBatchSize === 0)
    throw perfPlanErrors.noBatching({ size: batchSize, model: model.name });
  if (batchSize > 1 && batchSize > model.maxBatchSize)
    throw perfPlanErrors.batchTooLarge({
      size: batchSize,
      limit: model.maxBatchSize,
      model: model.name,
    });
  if (batchSize > 1 && model.isSequence) throw perfPlanErrors.batchOfSequence({ model: model.name });
  if (model.isDecoupled && !plan.isStreaming) throw perfPlanErrors.decoupled({ model: model.name });
  if (plan.isStreaming && plan.protocol !== 'grpc') throw perfPlanErrors.streamingOverHttp();
  if (plan.load.kind === 'periodic' && !plan.isStreaming) throw perfPlanErrors.periodicUnary();
}

/** A schedule takes its times from the data. Throws INVALID_ARG with the entry that has none. */
export function checkPlanForData(plan: PerfPlan, { streams }: DataSet): void {
  if (plan.load.kind !== 'schedule') return;
  streams.forEach((steps, stream) => {
    const step = steps.findIndex(({ timestampMs }) => timestampMs === undefined);
    if (step >= 0) throw perfPlanErrors.withoutTimestamp({ stream, step });
  });
}
