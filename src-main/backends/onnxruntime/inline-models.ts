// Which models may have runs done by the event loop at all, before anything is measured: small files whose work follows
// from input shapes, numbers only, on the CPU, and nothing in the configuration that counts on a thread.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { isBoundedByShapes } from '../../onnx/bounded-operators.ts';
import type { OnnxModel } from '../../onnx/onnx-model.ts';
import { DEFAULT_NICE_LEVEL } from '../instance-host/instance-host.ts';
import type { InterfacePlan } from './interface-plan.ts';
import type { SessionOptionsResult } from './session-options.ts';

/** The second session has the weights a second time. */
const MAX_FILE_BYTE_SIZE = 1024 * 1024;

/** What the file says. */
export function isInlineFile(model: OnnxModel): boolean {
  return model.fileByteSize <= MAX_FILE_BYTE_SIZE && isBoundedByShapes(model);
}

/** Numbers in and out of a session that has nothing that the C interface would have to be told of. */
export function mayRunDirectly(plan: InterfacePlan, { settings }: SessionOptionsResult): boolean {
  const isNumeric = [...plan.feeds, ...plan.outputs].every(({ datatype }) => datatype !== 'BYTES');
  return isNumeric && settings.executionMode === 'sequential' && plan.overridable.length === 0;
}

/** What the configuration says. */
export function mayRunInline(
  config: ModelConfig,
  plan: InterfacePlan,
  options: SessionOptionsResult,
): boolean {
  const isLimited = config.instanceGroup.some((group) => group.rateLimiter !== undefined);
  // Sequences belong to their instance, limited models wait for resources, models of low priority for all others.
  const isFree =
    !isLimited && options.niceLevel <= DEFAULT_NICE_LEVEL && config.sequenceBatching === undefined;
  return isFree && mayRunDirectly(plan, options);
}
