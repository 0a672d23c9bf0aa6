// Warmup samples: every input described, with data and a fixed shape. A server finds these when it builds the requests.

import { configIssue, removeAt, setTo, type ConfigChange, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig, ModelWarmup, WarmupInput } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';

/** `files`: those of the model folder, "/" separated; undefined when not known. */
export function checkWarmup(config: ModelConfig, files?: readonly string[]): ConfigIssue[] {
  return config.modelWarmup.flatMap((sample, index) => {
    const path = `model_warmup[${index}]`;
    return [
      ...Object.entries(sample.inputs).flatMap(([name, input]) => [
        ...checkInput(name, input, `${path}.inputs[${JSON.stringify(name)}]`),
        ...checkFile(sample, name, `${path}.inputs[${JSON.stringify(name)}]`, files),
      ]),
      ...checkNames(config, sample, path),
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

/** A file below the model's warmup folder. */
function checkFile(
  sample: ModelWarmup,
  name: string,
  path: string,
  files: readonly string[] | undefined,
): ConfigIssue[] {
  const input = sample.inputs[name];
  const file = input?.inputDataFile;
  if (input === undefined || file === undefined || files === undefined) return [];
  if (files.includes(`${FOLDER}${file}`)) return [];
  const known = files.filter((each) => each.startsWith(FOLDER)).map((each) => each.slice(FOLDER.length));
  const nearest = nearestName(file, known) ?? (known.length === 1 ? known[0] : undefined);
  const message = `warmup sample '${sample.name}' reads file '${file}' for input '${name}', which is not in the folder ${FOLDER}`;
  return [
    configIssue('D60', message, {
      path: `${path}.input_data_file`,
      hint: known.length === 0 ? 'The folder has no files.' : `It has: ${known.slice(0, 8).join(', ')}.`,
      changes: [
        ...(nearest === undefined ? [] : [setTo(`${path}.input_data_file`, nearest, `Use ${nearest}`)]),
        setTo(path, { ...input, inputDataFile: undefined, zeroData: true }, `Use zeros for ${name}`),
      ],
    }),
  ];
}

const FOLDER = 'warmup/';

/** Data for something that the model does not take: never read, and most likely a misspelled input. */
function checkNames(config: ModelConfig, sample: ModelWarmup, path: string): ConfigIssue[] {
  const known = [
    ...config.input.map((input) => input.name),
    ...config.batchInput.flatMap((input) => input.targetName),
    ...(config.sequenceBatching?.controlInput ?? []).map((control) => control.name),
    ...(config.sequenceBatching?.state ?? []).map((state) => state.inputName),
  ];
  if (config.input.length === 0) return [];
  return Object.keys(sample.inputs)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const free = known.filter((each) => !Object.hasOwn(sample.inputs, each));
      const nearest = nearestName(name, free) ?? (free.length === 1 ? free[0] : undefined);
      const changes: ConfigChange[] = [removeAt(`${path}.inputs[${JSON.stringify(name)}]`, `Remove ${name}`)];
      if (nearest !== undefined) {
        const renamed = Object.entries(sample.inputs).map(([key, value]) => [
          key === name ? nearest : key,
          value,
        ]);
        changes.unshift(setTo(`${path}.inputs`, Object.fromEntries(renamed), `Rename to ${nearest}`));
      }
      return configIssue(
        'D60',
        `warmup sample '${sample.name}' names '${name}', which is no input of the model`,
        {
          path: `${path}.inputs[${JSON.stringify(name)}]`,
          severity: 'warning',
          hint: `The model has: ${known.join(', ')}.`,
          changes,
        },
      );
    });
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
