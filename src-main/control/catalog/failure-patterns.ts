// What the words of a load that failed mean: a plain title and the rule, by the texts of the server and of what it runs.

import path from 'node:path';

import type { ConfigFix } from '../../../src-shared/contract/config-calls.ts';

/** Words of a reason, and what they mean to people. */
export interface FailurePattern {
  readonly matches: RegExp;
  /** A few words for the list of models; `groups` are those of the match, the whole of it first. */
  readonly title: (groups: readonly string[]) => string;
  /** The rule; the hint of the configuration's finding takes its place, or follows it where it has values. */
  readonly why: (groups: readonly string[]) => string;
  readonly hasValues?: boolean;
  readonly fixes?: readonly ConfigFix[];
}

const CREATE_VERSION: ConfigFix = {
  title: 'Create version folder',
  edits: [],
  action: 'create-version-folder',
};
const LOCATE_DATA: ConfigFix = { title: 'Locate file', edits: [], action: 'locate-external-data' };
const REPLACE_FILE: ConfigFix = { title: 'Choose model file…', edits: [], action: 'replace-model-file' };

/** Leads to where a Python is chosen or set up. */
export const CHOOSE_PYTHON: ConfigFix = {
  title: 'Choose or set up a Python',
  edits: [],
  action: 'choose-python',
};

/** The first that fits counts. */
export const FAILURE_PATTERNS: readonly FailurePattern[] = [
  {
    matches:
      /no python3 was found|cannot run Python models|is too old for Python models|Python models need a 64-bit one|has no numpy, which Python models need|has a numpy that cannot be imported/,
    title: () => 'No Python here can run it',
    why: () =>
      'The model runs in a Python of this machine, and the one that it is given is not fit for it. Choose another one on the Server screen, or let one be set up there.',
    fixes: [CHOOSE_PYTHON],
  },
  {
    matches: /models need [^,]+, and (?:Python \S+ \('[^']*'\) has no package|the package) '([^']*)'/,
    title: ([, name]) => `Its Python lacks the package '${name}'`,
    why: ([, name]) =>
      `Install ${name} into the Python that runs models, or choose one on the Server screen that has it.`,
    fixes: [CHOOSE_PYTHON],
  },
  {
    matches: /Failed to get the canonical path for (.*)\.$/m,
    title: () => 'Its Python environment is not there',
    why: ([, file]) =>
      `EXECUTION_ENV_PATH names ${file}, and nothing is there. Put the folder or the archive of conda-pack there, or correct the path; $$TRITON_MODEL_DIRECTORY stands for the model folder.`,
  },
  {
    matches: /Path (.*)\/bin\/activate does not exist/,
    title: () => 'Its Python environment is none',
    why: ([, folder]) =>
      `EXECUTION_ENV_PATH leads to ${folder}, which lacks bin/activate. Make it with conda-pack or with python3 -m venv, and name its folder or archive.`,
  },
  {
    matches: /Failed to extract the Python environment '(.*)': (.*)/,
    title: () => 'Its Python environment cannot be unpacked',
    why: ([, archive, reason]) => `The archive ${archive}, which EXECUTION_ENV_PATH names: ${reason}`,
  },
  {
    matches: /appears in two or more repositories/,
    title: () => 'Name used in 2 repositories',
    why: () =>
      'A name must be unique over all repositories. Triton refuses to load it until one of the two is gone.',
  },
  {
    matches: /at least one version must be available|no version|No numbered/i,
    title: () => 'No version to serve',
    why: () =>
      'A model folder needs at least one sub-folder named with a number, such as 1, that holds the model file, and the version policy must select it.',
    fixes: [CREATE_VERSION],
  },
  {
    matches: /External data path does not exist: "(?:[^"]*[\\/])?([^"\\/]+)"/,
    title: () => 'Weights file is missing',
    why: ([, file]) => `This model needs ${file}, which is not in the folder.`,
    fixes: [LOCATE_DATA],
  },
  {
    matches:
      /external data.*?'([^']+)'|([\w.-]+\.(?:bin|data|onnx_data))\b.*(?:not (?:found|exist)|missing)/i,
    title: () => 'Weights file is missing',
    why: ([, first, second]) =>
      `The model keeps its weights in ${first ?? second ?? 'another file'}, which is not in the version folder.`,
    fixes: [LOCATE_DATA],
  },
  {
    matches: /protobuf|corrupt|truncated|not (?:a valid|an) ONNX|failed to parse|INVALID_PROTOBUF/i,
    title: () => 'Model file cannot be read',
    why: () =>
      'The .onnx file is damaged or incomplete. Export or copy it again, then choose the new file; this one goes to the bin.',
    fixes: [REPLACE_FILE],
  },
  {
    matches: /Could not find an implementation for ([\w.]+)\((\d+)\) node/,
    title: ([, operator]) => `ONNX Runtime has no ${operator} as old as this model asks for`,
    why: ([, operator, version]) =>
      `It knows the operator ${operator}, but has no implementation of its version ${version}, which the operator set of the model means. Export the model with a newer operator set, then choose the new file; this one goes to the bin.`,
    fixes: [REPLACE_FILE],
  },
  {
    matches: /No Op registered for ([\w.]+) with domain_version of (\d+)/,
    title: ([, operator]) => `ONNX Runtime does not know the operator ${operator}`,
    why: ([, operator, version]) =>
      `Operator set ${version} has no ${operator}. Where a library brings it, name that as op_library_filename of model_operations; else export the model without it.`,
    fixes: [REPLACE_FILE],
  },
  {
    matches: /Opset (\d+) is under development.*?till opset (\d+)/s,
    title: ([, version]) => `Operator set ${version} is too new for ONNX Runtime`,
    why: ([, version, newest]) =>
      `The model uses operator set ${version}; ONNX Runtime knows those up to ${newest}. Export the model with one of these, then choose the new file; this one goes to the bin.`,
    fixes: [REPLACE_FILE],
  },
  {
    matches: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    title: () => 'Format of the file is too new for ONNX Runtime',
    why: ([, version, newest]) =>
      `The file has IR version ${version}; ONNX Runtime reads those up to ${newest}. Export the model with an older version of onnx, then choose the new file; this one goes to the bin.`,
    fixes: [REPLACE_FILE],
  },
  {
    matches: /model '([^']*)', tensor '([^']*)': .*dims (\[[^\]]*\]).*dims (\[[^\]]*\])/,
    title: ([, , tensor]) => `Shape of ${tensor} does not fit the model`,
    why: ([, , tensor, model, config]) =>
      `For ${tensor} the model file has ${model}, the configuration says ${config}.`,
  },
  {
    matches: /(\S+) backend supports only GPU device/,
    title: ([, backend]) => `${backend} needs an NVIDIA GPU`,
    why: ([, backend]) =>
      `Models of ${backend} run on NVIDIA GPUs only, and this server has none that it may use for it. The folder is kept as it is.`,
  },
  {
    matches: /tensor '([^']*)': for the model to support batching .*expected by the model is (\[[^\]]*\])/,
    title: ([, tensor]) => `Cannot batch: ${tensor} has a fixed first dimension`,
    why: ([, tensor, shape]) =>
      `The model fixes the first dimension of ${tensor} (its shape is ${shape}), but max_batch_size is above 0.`,
    hasValues: true,
  },
  {
    matches: /does not support batching while non-zero max_batch_size/,
    title: () => 'Cannot batch, but max_batch_size is set',
    why: () => 'max_batch_size is above 0, but the first dimension of the model is fixed.',
  },
  {
    matches:
      /tensor '([^']*)': the model expects (\d+) dimensions \(shape (\[[^\]]*\])\).*specifies \2 dimensions \(.*shape (\[[^\]]*\])\)/,
    title: ([, tensor]) => `Shape of ${tensor} does not fit the model`,
    why: ([, tensor, , model, config]) =>
      `${tensor} has the shape ${model} in the model file, and ${config} by the configuration.`,
    hasValues: true,
  },
  {
    matches: /tensor '([^']*)': the model expects (\d+) dimensions .*specifies (\d+) dimensions/,
    title: ([, tensor]) => `Shape of ${tensor} does not fit the model`,
    why: ([, tensor, model, config]) =>
      `${tensor} has ${model} dimensions in the model file, and ${config} by the configuration.`,
    hasValues: true,
  },
  {
    matches:
      /configuration expects datatype TYPE_(\S+) for (?:input|output) '([^']*)', model provides TYPE_(\S+)/,
    title: ([, , tensor]) => `Type of ${tensor} does not fit the model`,
    why: ([, config, tensor, model]) =>
      `${tensor} is ${model} in the model file, and ${config} by the configuration.`,
    hasValues: true,
  },
  {
    matches: /unexpected inference (input|output) '([^']*)', allowed (?:in|out)puts are: (.*)/,
    title: ([, direction, tensor]) => `The model has no ${direction} ${tensor}`,
    why: ([, direction, , names]) => `Its ${direction}s are: ${names}.`,
    hasValues: true,
  },
  {
    matches: /configuration expects (\d+) inputs, model provides (\d+)/,
    title: () => 'Inputs of configuration and model differ',
    why: ([, config, model]) => `The configuration lists ${config} inputs, the model file has ${model}.`,
  },
  {
    matches: /unable to find backend library|backend .* (?:unknown|not found)|Invalid model: no backend/i,
    title: () => 'Backend is not available here',
    why: () =>
      'This machine has no backend of that name. The folder is kept as it is and works where the backend exists.',
  },
  {
    matches: /Could not determine backend for model/,
    title: () => 'Neither a model file nor a backend is named',
    why: () => 'Put a model file such as model.onnx into the version folder, or name the backend.',
  },
  {
    matches: /model (?:input|output) '([^']*)' must specify 'data_type'/,
    title: ([, tensor]) => `${tensor} has no data type that a request can carry`,
    why: ([, tensor]) => `Neither the configuration nor the model file gives ${tensor} one.`,
  },
  {
    matches: /Stub process '.*' is not healthy/,
    title: () => 'Its Python process did not start',
    why: () =>
      'Its version folder has no model.py, or the file that default_model_filename names; or Python ended before it answered. The log of the model says which.',
  },
  {
    matches: /Error parsing text-format[^:]*: (\d+):(\d+): (.*)/,
    title: ([, line]) => `config.pbtxt cannot be read: line ${line}`,
    why: ([, line, column, text]) => `At line ${line}, column ${column}: ${text}`,
  },
  {
    matches: /failed to stat file (\S.*)$/,
    title: ([, file = '']) => `There is no ${path.basename(file)}`,
    why: ([, file]) =>
      `The model file should be ${file}. Put it there, or name the one that is there with default_model_filename.`,
  },
  {
    matches: /found none of (.*) in (.*)$/,
    title: () => 'Its code is missing',
    why: ([, names, folder]) => `${folder} has none of ${names}.`,
  },
  {
    matches: /unexpected directory name '([^']*)' for model '([^']*)'/,
    title: ([, , name]) => `Its configuration names it ${name}`,
    why: ([, folder, name]) =>
      `The folder is ${folder}, and the field name says ${name}: both have to be the same.`,
    hasValues: true,
  },
  {
    matches: /'max_batch_size' must be non-negative/,
    title: () => 'max_batch_size is negative',
    why: () => 'Write 0 for a model without batching.',
  },
  {
    matches: /unexpected platform type '([^']*)'/,
    title: ([, platform]) => `There is no platform ${platform}`,
    why: () => 'Name the backend instead, such as backend: "onnxruntime".',
  },
  {
    matches: /dynamic batching preferred size must be <= max batch size/,
    title: () => 'A preferred batch size is above max_batch_size',
    why: () => 'Raise max_batch_size, or remove that size.',
  },
  {
    matches: /failed to convert '([^']*)' to (?:integral number|boolean|unsigned long long)/,
    title: ([, text]) => `A parameter cannot be read: ${text}`,
    why: ([, text]) => `One of the parameters is a number or a switch, and has the value '${text}'.`,
  },
  {
    matches: /^(?:[\w ]+: )?(?:sequence batching|configuration specified sequence control)/,
    title: () => 'Sequence batching does not fit the model',
    why: () => 'A control or a state of sequence_batching is not as it has to be.',
  },
  {
    matches: /ensemble|depends on/i,
    title: () => 'Ensemble does not fit its models',
    why: () =>
      'A step names a model, version or tensor that is not there, or shapes and types differ between steps.',
  },
];
