// Tensors derived from a batch: batch_input and batch_output name existing tensors and exactly one source.

import {
  configIssue,
  explainedIssue,
  nameList,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
import type { BatchInput, BatchOutput, ModelConfig } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';

/**
 * One issue for each entry of `batch_input` and `batch_output` that names an unknown tensor, or not exactly one
 * source.
 */
export function checkBatchTensors(config: ModelConfig): ConfigIssue[] {
  const inputs = new Set(config.input.map((input) => input.name));
  const outputs = new Set(config.output.map((output) => output.name));
  return [
    ...config.batchInput.flatMap((tensor, index) => checkInput(config.name, tensor, index, inputs)),
    ...config.batchOutput.flatMap((tensor, index) =>
      checkOutput(config.name, tensor, index, { inputs, outputs }),
    ),
  ];
}

/** What a backend refuses to read, before it completes or checks anything else. */
export function checkBatchInputTypes({ batchInput }: ModelConfig): ConfigIssue[] {
  return batchInput.flatMap(({ dataType }, index) => {
    if (dataType !== 'TYPE_INVALID') return [];
    const path = `batch_input[${index}].data_type`;
    const hint = 'Write TYPE_INT32 or TYPE_FP32.';
    const changes = [setTo(path, 'TYPE_INT32')];
    return [configIssue('D26', `unexpected batch input data type '${dataType}'`, { path, hint, changes })];
  });
}

function issue(
  model: string,
  body: string,
  facts: { readonly path: string; readonly hint: string; readonly changes?: readonly ConfigChange[] },
): ConfigIssue {
  return configIssue('D26', `${body} for ${model}`, facts);
}

function checkInput(
  model: string,
  tensor: BatchInput,
  index: number,
  inputs: ReadonlySet<string>,
): ConfigIssue[] {
  const path = `batch_input[${index}]`;
  const issues = checkSourceCount(model, 'input', tensor, path);
  if (tensor.dataType !== 'TYPE_INT32' && tensor.dataType !== 'TYPE_FP32') {
    const body = 'batch input data type must be TYPE_INT32 or TYPE_FP32';
    issues.push(
      issue(model, body, {
        path: `${path}.data_type`,
        hint: `It is ${tensor.dataType}.`,
        changes: [setTo(`${path}.data_type`, 'TYPE_INT32')],
      }),
    );
  }
  return [...issues, ...checkSources(model, tensor.sourceInput, path, inputs)];
}

function checkOutput(
  model: string,
  tensor: BatchOutput,
  index: number,
  { inputs, outputs }: { readonly inputs: ReadonlySet<string>; readonly outputs: ReadonlySet<string> },
): ConfigIssue[] {
  const path = `batch_output[${index}]`;
  const issues = [
    ...checkSourceCount(model, 'output', tensor, path),
    ...checkSources(model, tensor.sourceInput, path, inputs),
  ];
  const seen = new Set<string>();
  for (const [at, name] of tensor.targetName.entries()) {
    const targetPath = `${path}.target_name[${at}]`;
    if (!outputs.has(name)) {
      issues.push(
        unknownName(`unknown target output name '${name}' for ${model}`, targetPath, name, outputs),
      );
    }
    if (seen.has(name)) {
      const body = `target output name '${name}' can only be specified once`;
      issues.push(issue(model, body, { path: targetPath, hint: 'Remove the repetition.' }));
    }
    seen.add(name);
  }
  return issues;
}

function checkSourceCount(
  model: string,
  direction: 'input' | 'output',
  tensor: BatchInput | BatchOutput,
  path: string,
): ConfigIssue[] {
  const count = tensor.sourceInput.length;
  if (count === 1) return [];
  const body = `batch ${direction} kind '${tensor.kind}' expects 1 source input, got ${count}`;
  return [issue(model, body, { path: `${path}.source_input`, hint: 'Name exactly one input.' })];
}

function checkSources(
  model: string,
  sources: readonly string[],
  path: string,
  inputs: ReadonlySet<string>,
): ConfigIssue[] {
  return sources.flatMap((name, at) =>
    inputs.has(name)
      ? []
      : [
          unknownName(
            `unknown source input name '${name}' for ${model}`,
            `${path}.source_input[${at}]`,
            name,
            inputs,
          ),
        ],
  );
}

function unknownName(message: string, path: string, name: string, known: ReadonlySet<string>): ConfigIssue {
  return explainedIssue('D26', message, { path }, () => {
    const nearest = nearestName(name, known);
    if (nearest === undefined) return { hint: `Known: ${nameList([...known]) || 'none'}.` };
    return { hint: `Did you mean "${nearest}"?`, changes: [setTo(path, nearest)] };
  });
}
