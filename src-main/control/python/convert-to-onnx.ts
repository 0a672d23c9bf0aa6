// An ONNX model made of a TorchScript or TensorFlow one by torch.onnx or tf2onnx in the chosen Python, beside the old one,
// which is left alone. The original's answers to made-up inputs are compared with those of the new file before it counts.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { ModelConfig, ModelInput } from '../../../src-shared/config/model-config.ts';
import type { ConversionStep } from '../../../src-shared/contract/conversion-steps.ts';
import { CONVERSION_ORDER, CONVERSION_STEPS } from '../../../src-shared/contract/conversion-steps.ts';
import type { Conversion } from '../../../src-shared/contract/framework-calls.ts';
import type { ConfigDataType, DataType } from '../../../src-shared/datatypes.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { datatypeOfNumpy, numpyName } from '../../../src-shared/tensor/numpy-types.ts';
import type { BareTensor } from '../../backends/onnxruntime/bare-run-messages.ts';
import { ExecutionEnvironments } from '../../backends/python-host/execution-environments.ts';
import { pythonFolder } from '../../backends/python-host/host-files.ts';
import { moveIn, stageBeside } from '../files/copy-folder.ts';
import { checkNewName } from '../files/new-names.ts';
import { runAlone, verdictOf } from '../probe/same-answers.ts';
import type { TaskHandle } from '../tasks/task-registry.ts';
import { runStep } from './run-step.ts';
import { convertErrors } from './convert-errors.ts';

/** Whole numbers without a sign that older releases of PyTorch lack. */
const NOT_CONVERTED: ReadonlySet<DataType> = new Set(['UINT16', 'UINT32', 'UINT64']);

/** Why a model cannot be converted; undefined = it can. */
export function conversionObstacle(config: ModelConfig): string | undefined {
  const { backend, platform, runtime, input, output } = config;
  const isTorchScript = backend === 'pytorch' && runtime === '' && platform !== 'torch_aoti';
  if (!isTorchScript && platform !== 'tensorflow_savedmodel') {
    return 'Only TorchScript models and TensorFlow SavedModels can be converted.';
  }
  if (input.length === 0 || output.length === 0) return 'Its configuration names no inputs or no outputs.';
  const odd = input.find(({ dataType }) => numpyOf(dataType) === undefined);
  if (odd === undefined) return undefined;
  return `Input '${odd.name}' has the type ${odd.dataType}, which is not converted.`;
}

/** What is converted, by which Python, and where the new version goes. */
export interface ConversionRequest {
  readonly config: ModelConfig;
  /** The file or folder of the version that is converted. */
  readonly source: string;
  /** Chosen where the model brings no environment of its own; rejects, with what to do, where there is none. */
  readonly choosePython: () => Promise<{ readonly program: string }>;
  /** The model's. */
  readonly folder: string;
  readonly repository: string;
  readonly newName: string;
}

/** Begins a line that names the step which comes now. */
const STEP_MARK = 'conch-step: ';

/**
 * Rejects with UNAVAILABLE and what the framework says, all that it printed in `details.output`, or with the signal's reason;
 * nothing is left then.
 */
export async function convertToOnnx(request: ConversionRequest, handle: TaskHandle): Promise<Conversion> {
  const { config, source, repository, newName } = request;
  checkNewName(newName);
  const obstacle = conversionObstacle(config);
  if (obstacle !== undefined) throw convertErrors.obstacle({ reason: obstacle });
  const begin = (step: ConversionStep): void =>
    handle.report(CONVERSION_ORDER.indexOf(step) / CONVERSION_ORDER.length, CONVERSION_STEPS[step]);
  begin('starting');
  const work = await mkdtemp(path.join(os.tmpdir(), 'conch-convert-'));
  const staged = await stageBeside(repository);
  const environments = new ExecutionEnvironments();
  try {
    const body = path.join(staged, 'body');
    const onnx = path.join(body, '1', 'model.onnx');
    await makeFolder(path.dirname(onnx));
    const answers = path.join(work, 'answers.json');
    const order = path.join(work, 'order.json');
    await writeFile(order, JSON.stringify(orderOf(config, { source, onnx, answers })));
    const script = path.join(pythonFolder(), 'conch_tools', 'convert_onnx.py');
    const brought = config.parameters['EXECUTION_ENV_PATH']?.stringValue ?? '';
    const own = brought === '' ? undefined : await environments.find(brought, request.folder);
    await runStep({
      program: own?.program ?? (await request.choosePython()).program,
      variables: own?.variables,
      args: [script, order],
      signal: handle.signal,
      onLine: (line) => {
        const step = CONVERSION_ORDER.find((known) => line === `${STEP_MARK}${known}`);
        if (step !== undefined) begin(step);
      },
      failure: (reason, output) =>
        convertErrors.frameworkFailed(
          { reason: reason.replace(/^error: /, '') },
          { details: { output: withoutSteps(output) } },
        ),
    });
    begin('checking');
    const parity = await compare(answers, onnx, handle.signal, () => begin('comparing'));
    await writeFile(path.join(body, CONFIG_FILE), configOf(config, newName));
    await moveIn(body, path.join(repository, newName));
    return { model: newName, ...parity };
  } finally {
    await Promise.all([staged, work].map((folder) => rm(folder, { recursive: true, force: true })));
    await environments.close();
  }
}

function withoutSteps(output: string): string {
  return output
    .split('\n')
    .filter((line) => !line.startsWith(STEP_MARK))
    .join('\n')
    .trim();
}

function orderOf(
  config: ModelConfig,
  files: { readonly source: string; readonly onnx: string; readonly answers: string },
): object {
  const isBatched = config.maxBatchSize > 0;
  const inputOf = (tensor: ModelInput): object => {
    const dims = tensor.reshape?.shape ?? tensor.dims;
    const shape = [...(isBatched ? [-1] : []), ...dims.map(Number)];
    return {
      name: tensor.name,
      numpy: numpyOf(tensor.dataType),
      shape: shape.map((size) => (size < 0 ? 1 : size)),
      dynamic: shape.flatMap((size, axis) => (size < 0 && !(isBatched && axis === 0) ? [axis] : [])),
    };
  };
  return {
    backend: config.backend === 'pytorch' ? 'pytorch' : 'tensorflow',
    model: files.source,
    onnx: files.onnx,
    answers: files.answers,
    batched: isBatched,
    signature: config.parameters['TF_SIGNATURE_DEF']?.stringValue ?? '',
    inputs: config.input.map(inputOf),
    outputs: config.output.map(({ name }) => ({ name })),
  };
}

function numpyOf(dataType: ConfigDataType): string | undefined {
  const datatype = dataTypeFromConfig(dataType);
  return datatype === undefined || NOT_CONVERTED.has(datatype) ? undefined : numpyName(datatype);
}

/** What the file itself says is completed from it. */
function configOf({ maxBatchSize, dynamicBatching }: ModelConfig, name: string): string {
  return [
    `name: "${name}"`,
    'backend: "onnxruntime"',
    `max_batch_size: ${maxBatchSize}`,
    ...(dynamicBatching === undefined ? [] : ['dynamic_batching {', '}']),
    '',
  ].join('\n');
}

interface Packed {
  readonly name: string;
  readonly numpy: string;
  readonly shape: readonly number[];
  readonly data: string;
}

async function compare(
  answers: string,
  onnx: string,
  signal: AbortSignal,
  onAnswered: () => void,
): Promise<Omit<Conversion, 'model'>> {
  const text = await readFile(answers, 'utf8');
  const { inputs, outputs } = JSON.parse(text) as Record<'inputs' | 'outputs', readonly Packed[]>;
  try {
    const after = await runAlone(onnx, inputs.map(bareOf), signal);
    onAnswered();
    return await verdictOf(outputs.map(bareOf), after);
  } catch (thrown) {
    signal.throwIfAborted();
    const message = `The new model cannot be run on the same input: ${toServerError(thrown).message}`;
    return { verdict: 'cannot-compare', message, outputs: [] };
  }
}

function bareOf({ name, numpy, shape, data }: Packed): BareTensor {
  const datatype = datatypeOfNumpy(numpy);
  if (datatype === undefined || NOT_CONVERTED.has(datatype))
    throw convertErrors.typeNotCompared({ name, type: numpy });
  return { name, datatype, shape, bytes: new Uint8Array(Buffer.from(data, 'base64')), texts: undefined };
}
