// .onnx files as the import wizard shows them.

import { checkConfigText } from '../../../src-shared/config/check-config.ts';
import { emptyModelConfig, modelInput, modelOutput } from '../../../src-shared/config/config-defaults.ts';
import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';

/** Facts of a file plus the configuration that would be completed for it. A file that cannot be used says why. */
export async function inspectOnnxFile(file: string, defaultMaxBatchSize: number): Promise<OnnxInspection> {
  const facts = await inspectAnyFile(file);
  const suggestedConfig = facts.problem === undefined ? suggestConfig(facts, defaultMaxBatchSize) : '';
  return { ...facts, suggestedConfig };
}

function suggestConfig(facts: Omit<OnnxInspection, 'suggestedConfig'>, defaultMaxBatchSize: number): string {
  const { config } = checkConfigText(`name: "${facts.suggestedName}"\nbackend: "onnxruntime"\n`, {
    directoryName: facts.suggestedName,
    description: facts.description,
    defaultMaxBatchSize,
  });
  return modelConfigToText(writable(config));
}

/** What belongs into a file: identity, tensors and batching; the rest stays the server's default. */
function writable(config: ModelConfig): ModelConfig {
  return emptyModelConfig({
    name: config.name,
    backend: config.backend,
    maxBatchSize: config.maxBatchSize,
    input: config.input.map(({ name, dataType, dims, optional }) =>
      modelInput({ name, dataType, dims, optional }),
    ),
    output: config.output.map(({ name, dataType, dims }) => modelOutput({ name, dataType, dims })),
    dynamicBatching:
      config.dynamicBatching === undefined
        ? undefined
        : { ...config.dynamicBatching, preferredBatchSize: [] },
  });
}
