// Warmup samples: every input described, with data and a fixed shape. A server finds these when it builds the requests.

import { configIssue, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, ModelWarmup, WarmupInput } from '../model-config.ts';

export function checkWarmup(config: ModelConfig): ConfigIssue[] {
  return config.modelWarmup.flatMap((sample, index) => {
    const path = `model_warmup[${index}]`;
    return [
      ...Object.entries(sample.inputs).flatMap(([name, input]) =>
        checkInput(name, input, `${path}.inputs[${JSON.stringify(name)}]`),
      ),
      ...checkCoverage(config, sample, path),
      ...checkBatchSize(config, sample, path),
    ];
  });
}

function checkInput(name: string, input: WarmupInput, path: string): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  if (input.dims.includes(-1)) {
    issues.push(
      configIssue(
        'D60',
        `warmup setting expects all variable-size dimensions are specified for input '${name}'`,
        {
          path: `${path}.dims`,
          hint: 'Write a size in place of each -1.',
          changes: [
            setTo(
              `${path}.dims`,
              input.dims.map((dim) => Math.max(1, dim)),
            ),
          ],
        },
      ),
    );
  }
  const hasData =
    input.zeroData !== undefined || input.randomData !== undefined || input.inputDataFile !== undefined;
  if (!hasData) {
    issues.push(
      configIssue('D60', `warmup setting expects input '${name}' to have input_data_type set`, {
        path,
        hint: 'Write zero_data: true, random_data: true or input_data_file: "...".',
        changes: [setTo(`${path}.zero_data`, true)],
      }),
    );
  }
  return issues;
}

/** Inputs that a request may not leave out. */
function checkCoverage(config: ModelConfig, sample: ModelWarmup, path: string): ConfigIssue[] {
  return config.input
    .filter((input) => !input.optional && !Object.hasOwn(sample.inputs, input.name))
    .map((input) =>
      configIssue('D60', `warmup sample '${sample.name}' has no data for input '${input.name}'`, {
        path: `${path}.inputs`,
        hint: 'A warmup request needs every input that is not optional.',
        changes: [
          {
            title: `Add zeros for ${input.name}`,
            sets: [
              {
                path: `${path}.inputs[${JSON.stringify(input.name)}]`,
                value: {
                  dataType: input.dataType,
                  dims: input.dims.map((dim) => Math.max(1, dim)),
                  zeroData: true,
                },
              },
            ],
          },
        ],
      }),
    );
}

function checkBatchSize(config: ModelConfig, sample: ModelWarmup, path: string): ConfigIssue[] {
  if (sample.batchSize === 0) {
    return [
      configIssue('D60', `warmup sample '${sample.name}' is skipped because its batch_size is 0`, {
        path: `${path}.batch_size`,
        severity: 'warning',
        hint: 'Write batch_size: 1, for models without batching too.',
        changes: [setTo(`${path}.batch_size`, 1)],
      }),
    ];
  }
  const largest = Math.max(1, config.maxBatchSize);
  if (sample.batchSize <= largest) return [];
  return [
    configIssue(
      'D60',
      `warmup sample '${sample.name}' has batch_size ${sample.batchSize}, the model takes ${largest}`,
      {
        path: `${path}.batch_size`,
        severity: 'warning',
        hint: `Write batch_size: ${largest} or less.`,
        changes: [setTo(`${path}.batch_size`, largest)],
      },
    ),
  ];
}
