// What a configuration or `--backend-config` says to Triton's TensorRT backend that has no effect on plans here.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';

const ONE_COPY = 'the inputs of a batch are always joined and copied once';
const OWN_THREAD = 'each instance runs its batches in a thread of its own';
const NO_GRAPHS = 'CUDA graphs are not captured, each execution launches its kernels anew';
const ONE_STREAM = 'an instance copies and computes on one stream and waits for it';

/** A sentence for each. */
export function tensorrtNotices(config: ModelConfig, settings: ReadonlyMap<string, string>): string[] {
  const { optimization, instanceGroup, parameters } = config;
  const cuda = optimization?.cuda;
  const without: readonly (readonly [string, boolean, string])[] = [
    ['backend option coalesce-request-input', settings.has('coalesce-request-input'), ONE_COPY],
    ['backend option execution-policy', settings.has('execution-policy'), OWN_THREAD],
    ['optimization.cuda.graphs', cuda?.graphs === true, NO_GRAPHS],
    ['optimization.cuda.busy_wait_events', cuda?.busyWaitEvents === true, ONE_STREAM],
    ['optimization.cuda.output_copy_stream', cuda?.outputCopyStream === true, ONE_STREAM],
    ['optimization.eager_batching', optimization?.eagerBatching === true, ONE_STREAM],
    [
      'optimization.gather_kernel_buffer_threshold',
      (optimization?.gatherKernelBufferThreshold ?? 0) > 0,
      ONE_COPY,
    ],
    [
      'secondary_devices',
      instanceGroup.some(({ secondaryDevices }) => secondaryDevices.length > 0),
      'deep learning accelerators are not used',
    ],
    [
      "parameter 'enable_multi_device'",
      parameters['enable_multi_device'] !== undefined,
      'an engine runs on one GPU',
    ],
  ];
  return without.filter(([, isSet]) => isSet).map(([what, , why]) => `${what} has no effect: ${why}`);
}
