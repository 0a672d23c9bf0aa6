// Warmup samples: every input described, with data and a fixed shape. A server finds these when it builds the requests.

import {
  configIssue,
  explainedIssue,
  nameList,
  removeAt,
  renameEntry,
  setTo,
  type ConfigChange,
  type ConfigIssue,
  type IssueAdvice,
} from '../config-issue.ts';
import type { ModelConfig, ModelWarmup, WarmupInput } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';

/** `files`: those of the model folder, "/" separated; undefined when not known. */
export function checkWarmup(config: ModelConfig, files?: readonly string[]): ConfigIssue[] {
  const present = files && new Set(files);
  const known = knownNames(config);
  return config.modelWarmup.flatMap((sample, index) => {
    const path = `model_warmup[${index}]`;
    return [
      ...Object.entries(sample.inputs).flatMap(([name, input]) => [
        ...checkInput(name, input, `${path}.inputs[${JSON.stringify(name)}]`),
        ...checkFile(sample, name, `${path}.inputs[${JSON.stringify(name)}]`, present),
      ]),
      ...checkNames(known, sample, path),
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
  files: ReadonlySet<string> | undefined,
): ConfigIssue[] {
  const input = sample.inputs[name];
  const file = input?.inputDataFile;
  if (input === undefined || file === undefined || files === undefined) return [];
  if (files.has(`${FOLDER}${file}`)) return [];
  const message = `warmup sample '${sample.name}' reads file '${file}' for input '${name}', which is not in the folder ${FOLDER}`;
  return [
    explainedIssue('D60', message, { path: `${path}.input_data_file` }, () => {
      const known = [...files]
        .filter((each) => each.startsWith(FOLDER))
        .map((each) => each.slice(FOLDER.length));
      const nearest = nearestName(file, known) ?? (known.length === 1 ? known[0] : undefined);
      return {
        hint: known.length === 0 ? 'The folder has no files.' : `It has: ${known.slice(0, 8).join(', ')}.`,
        changes: [
          ...(nearest === undefined ? [] : [setTo(`${path}.input_data_file`, nearest, `Use ${nearest}`)]),
          setTo(path, { ...input, inputDataFile: undefined, zeroData: true }, `Use zeros for ${name}`),
        ],
      };
    }),
  ];
}

const FOLDER = 'warmup/';

/** What a sample may have data for; undefined while the configuration lists no inputs. */
function knownNames(config: ModelConfig): ReadonlySet<string> | undefined {
  if (config.input.length === 0) return undefined;
  return new Set([
    ...config.input.map((input) => input.name),
    ...config.batchInput.flatMap((input) => input.targetName),
    ...(config.sequenceBatching?.controlInput ?? []).map((control) => control.name),
    ...(config.sequenceBatching?.state ?? []).map((state) => state.inputName),
  ]);
}

/** Data for something that the model does not take: never read, and most likely a misspelled input. */
function checkNames(
  known: ReadonlySet<string> | undefined,
  sample: ModelWarmup,
  path: string,
): ConfigIssue[] {
  if (known === undefined) return [];
  return Object.keys(sample.inputs)
    .filter((name) => !known.has(name))
    .map((name) => {
      const message = `warmup sample '${sample.name}' names '${name}', which is no input of the model`;
      const at = `${path}.inputs[${JSON.stringify(name)}]`;
      return explainedIssue('D60', message, { path: at, severity: 'warning' }, () =>
        adviseName(known, sample, name, at),
      );
    });
}

function adviseName(known: ReadonlySet<string>, sample: ModelWarmup, name: string, at: string): IssueAdvice {
  const free = [...known].filter((each) => !Object.hasOwn(sample.inputs, each));
  const nearest = nearestName(name, free) ?? (free.length === 1 ? free[0] : undefined);
  const changes: ConfigChange[] = [removeAt(at, `Remove ${name}`)];
  if (nearest !== undefined) changes.unshift(renameEntry(at, nearest));
  return { hint: `The model has: ${nameList([...known])}.`, changes };
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
