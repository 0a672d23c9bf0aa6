// Small ONNX models and matching configurations for tests of the ONNX backend.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { dataTypeToConfig } from '../../src-shared/datatypes.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { emptyModelConfig, modelInput, modelOutput } from '../../src-shared/config/config-defaults.ts';
import { floatTensor, writeOnnx } from '../onnx/onnx-writer.ts';
import type { WritableModel, WritableNode, WritableShape, WritableValue } from '../onnx/onnx-writer.ts';

/** A model whose graph is `nodes`; values default to FP32. */
export function graphModel(
  nodes: readonly WritableNode[],
  inputs: readonly WritableValue[],
  outputs: readonly WritableValue[],
  more: Partial<WritableModel['graph']> & { readonly opsetVersion?: number } = {},
): Uint8Array {
  const { opsetVersion, ...graph } = more;
  return writeOnnx({
    ...(opsetVersion === undefined ? {} : { opsetVersion, irVersion: 10 }),
    graph: { name: 'test', nodes, inputs, outputs, ...graph },
  });
}

/** `shape` undefined writes a value without one, as files may. */
export function value(name: string, datatype: DataType, shape: WritableShape | undefined): WritableValue {
  return { name, datatype, shape };
}

/** INPUT -> OUTPUT, same type and shape. */
export function identityModel(datatype: DataType, shape: WritableShape): Uint8Array {
  return graphModel(
    [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
    [value('INPUT', datatype, shape)],
    [value('OUTPUT', datatype, shape)],
  );
}

/** One tensor of a configuration: `dims` without the batch dimension. */
export interface TensorSpec {
  readonly name: string;
  readonly datatype: DataType;
  readonly dims: readonly number[];
}

/** A configuration with these inputs and outputs, everything else unset. */
export function onnxConfig(
  maxBatchSize: number,
  inputs: readonly TensorSpec[],
  outputs: readonly TensorSpec[],
  change: Partial<ModelConfig> = {},
): ModelConfig {
  return emptyModelConfig({
    name: 'model',
    platform: 'onnxruntime_onnx',
    backend: 'onnxruntime',
    maxBatchSize,
    input: inputs.map(({ name, datatype, dims }) =>
      modelInput({ name, dims, dataType: dataTypeToConfig(datatype) }),
    ),
    output: outputs.map(({ name, datatype, dims }) =>
      modelOutput({ name, dims, dataType: dataTypeToConfig(datatype) }),
    ),
    ...change,
  });
}

/** For a model whose INPUT comes back as OUTPUT, both with these `dims`. */
export const identityConfig = (
  maxBatchSize: number,
  datatype: DataType,
  dims: readonly number[],
  change: Partial<ModelConfig> = {},
): ModelConfig =>
  onnxConfig(maxBatchSize, [{ name: 'INPUT', datatype, dims }], [{ name: 'OUTPUT', datatype, dims }], change);

/** FP32 [1] to itself, through a loop that never ends for an input below 0 and is skipped for any other. */
export function endlessModel(): Uint8Array {
  const scalar = (name: string, datatype: DataType): WritableValue => value(name, datatype, []);
  return graphModel(
    [
      { opType: 'Squeeze', inputs: ['INPUT'], outputs: ['start'] },
      { opType: 'Less', inputs: ['start', 'zero'], outputs: ['goes_on'] },
      {
        opType: 'Loop',
        inputs: ['', 'goes_on', 'INPUT'],
        outputs: ['OUTPUT'],
        attributes: {
          body: {
            name: 'body',
            nodes: [
              { opType: 'Identity', inputs: ['again'], outputs: ['again_out'] },
              { opType: 'Identity', inputs: ['carried'], outputs: ['carried_out'] },
            ],
            inputs: [scalar('round', 'INT64'), scalar('again', 'BOOL'), value('carried', 'FP32', [1])],
            outputs: [scalar('again_out', 'BOOL'), value('carried_out', 'FP32', [1])],
          },
        },
      },
    ],
    [value('INPUT', 'FP32', [1])],
    [value('OUTPUT', 'FP32', [1])],
    { initializers: [floatTensor('zero', [], [0])] },
  );
}
