// Models of the comparison with the reference, each small enough that what is measured is the server.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import { configText, writeBenchRepository } from '../models.ts';
import type { BenchConfig } from '../models.ts';
import { writePythonModels } from '../python-models.ts';

const ensembleStep = (name: string, from: string, to: string): string =>
  `{ model_name: "${name}" model_version: -1 ` +
  `input_map { key: "INPUT" value: "${from}" } output_map { key: "OUTPUT" value: "${to}" } }`;

/** Three models of one operation each, one behind the other. */
const ENSEMBLE = `name: "chain"
platform: "ensemble"
max_batch_size: 8
input { name: "INPUT" data_type: TYPE_FP32 dims: [ 16 ] }
output { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 16 ] }
ensemble_scheduling { step [
  ${ensembleStep('step', 'INPUT', 'first')},
  ${ensembleStep('step', 'first', 'second')},
  ${ensembleStep('step', 'second', 'OUTPUT')}
] }
`;

function oneOperator(opType: string, input: readonly (string | number)[], output = input): Uint8Array {
  const tensor = (name: string, shape: readonly (string | number)[]) => ({
    name,
    datatype: 'FP32' as const,
    shape: [...shape],
  });
  return writeOnnx({
    graph: {
      name: opType,
      nodes: [{ opType, inputs: ['INPUT'], outputs: ['OUTPUT'] }],
      inputs: [tensor('INPUT', input)],
      outputs: [tensor('OUTPUT', output)],
    },
  });
}

async function writeModel(folder: string, config: BenchConfig, model: Uint8Array): Promise<void> {
  const version = path.join(folder, config.name, '1');
  await mkdir(version, { recursive: true });
  await writeFile(path.join(folder, config.name, 'config.pbtxt'), configText(config));
  await writeFile(path.join(version, 'model.onnx'), model);
}

/** Everything that the rows send requests to. */
export async function writePeerRepository(folder: string): Promise<void> {
  await writeBenchRepository(folder, new Set(['tiny', 'mlp_batched', 'resnet']), 2);
  const more = 'parameters { key: "intra_op_thread_count" value: { string_value: "1" } }';
  const unbatched = { maxBatchSize: 0, instanceCount: 1, more };
  const tensor = (name: string, dims: string) => [[name, 'TYPE_FP32', dims]] as const;
  await writeModel(
    folder,
    { ...unbatched, name: 'large', inputs: tensor('INPUT', '-1'), outputs: tensor('OUTPUT', '-1') },
    oneOperator('Identity', ['count']),
  );
  await writeModel(
    folder,
    {
      ...unbatched,
      name: 'image',
      inputs: tensor('INPUT', '1, 3, 224, 224'),
      outputs: tensor('OUTPUT', '1, 3, 1, 1'),
    },
    oneOperator('GlobalAveragePool', [1, 3, 224, 224], [1, 3, 1, 1]),
  );
  await writeModel(
    folder,
    {
      name: 'step',
      maxBatchSize: 8,
      inputs: tensor('INPUT', '16'),
      outputs: tensor('OUTPUT', '16'),
      instanceCount: 1,
      more,
    },
    oneOperator('Neg', ['batch', 16]),
  );
  await mkdir(path.join(folder, 'chain/1'), { recursive: true });
  await writeFile(path.join(folder, 'chain/config.pbtxt'), ENSEMBLE);
  await writePythonModels(folder);
}

/** Eight copies of a small model, for the time until ready and the memory then. */
export async function writeStartRepository(folder: string): Promise<void> {
  const more = 'parameters { key: "intra_op_thread_count" value: { string_value: "1" } }';
  const model = oneOperator('Neg', ['batch', 16]);
  for (let index = 0; index < 8; index += 1) {
    const inputs = [['INPUT', 'TYPE_FP32', '16']] as const;
    const outputs = [['OUTPUT', 'TYPE_FP32', '16']] as const;
    await writeModel(
      folder,
      { name: `copy${index}`, maxBatchSize: 8, inputs, outputs, instanceCount: 1, more },
      model,
    );
  }
}
