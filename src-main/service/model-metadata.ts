// Metadata of a model as clients ask for it: configured tensors with the batch dimension in front.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ConfigDataType } from '../../src-shared/datatypes.ts';
import { dataTypeFromConfig } from '../../src-shared/datatypes.ts';
import type { ModelMetadata, TensorMetadata } from './inference-service.ts';

/**
 * `platform` is the backend's name where the configuration has no platform. A `data_type` without a wire type is
 * named '<invalid>', as in Triton.
 */
export function describeModel(config: ModelConfig, versions: readonly string[]): ModelMetadata {
  const tensor = (io: {
    readonly name: string;
    readonly dataType: ConfigDataType;
    readonly dims: readonly number[];
  }): TensorMetadata => ({
    name: io.name,
    datatype: dataTypeFromConfig(io.dataType) ?? '<invalid>',
    shape: config.maxBatchSize > 0 ? [-1, ...io.dims] : io.dims,
  });
  return {
    name: config.name,
    versions,
    platform: config.platform === '' ? config.backend : config.platform,
    inputs: config.input.map(tensor),
    outputs: config.output.map(tensor),
  };
}
