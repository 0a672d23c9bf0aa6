// Why a model did not load, for the failure card: a plain title and the rule with its values beside the verbatim text.

import path from 'node:path';

import type { ConfigFix, ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelFailure } from '../../../src-shared/contract/model-view.ts';
import { UNTRUSTED } from '../../repository/code-trust.ts';
import { installCommand, missingModule } from './missing-package.ts';
import { pythonFailure, type PythonFailure } from './python-failure.ts';
import { stepFailure, type StepFailure } from './step-failure.ts';

interface Pattern {
  readonly matches: RegExp;
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
const PROBE: ConfigFix = { title: 'Run batch probe', edits: [], action: 'batch-probe' };
const LOCATE_DATA: ConfigFix = { title: 'Locate file', edits: [], action: 'locate-external-data' };
const REPLACE_FILE: ConfigFix = { title: 'Choose model file…', edits: [], action: 'replace-model-file' };

const CHOOSE_PYTHON: ConfigFix = {
  title: 'Choose or set up a Python',
  edits: [],
  action: 'choose-python',
};

const PATTERNS: readonly Pattern[] = [
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
      /tensor '([^']*)': the model expects (\d+) dimensions \(shape (\[[^\]]*\])\).*specifies \2 dimensions \(shape (\[[^\]]*\])\)/,
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
    matches: /ensemble|depends on/i,
    title: () => 'Ensemble does not fit its models',
    why: () =>
      'A step names a model, version or tensor that is not there, or shapes and types differ between steps.',
  },
];

/** What can be done besides editing, whatever the words of the reason. */
const ACTIONS: Readonly<Record<string, readonly ConfigFix[]>> = { D20: [PROBE] };

/** Words of reasons that a missing model file may be behind. */
const NEEDS_FILE =
  /could not determine backend|failed to stat file|no such file|unable to find|^(?:\w+: )?Stub process '.*' is not healthy/i;

function withoutFile(reason: string, version: string): ModelFailure {
  return {
    title: `Version ${version} has no model file`,
    original: reason,
    why: `The folder ${version} is empty. Put the model file into it, for ONNX ${version}/model.onnx, for Python ${version}/model.py; then it loads.`,
    code: undefined,
    line: 0,
    place: undefined,
    fixes: [{ title: 'Choose model file…', edits: [], action: 'locate-external-data' }],
  };
}

function untrusted(reason: string): ModelFailure {
  return {
    title: 'Its folder is not trusted yet',
    original: reason,
    why: 'This model is code that came with the folder. It can do whatever you can do on this machine, so it runs only after you say that you trust the folder.',
    code: undefined,
    line: 0,
    place: undefined,
    fixes: [{ title: 'Trust this folder', edits: [], action: 'trust-repository' }],
  };
}

function inPython(reason: string, { type, text, where, place, isSyntax }: PythonFailure): ModelFailure {
  const module = /^No module named '([\w.]+)'/.exec(text)?.[1];
  const at = place === undefined ? '' : ` in line ${place.line} of ${place.file}`;
  // A text that cannot be read was not run, so nothing raised it.
  const raised = isSyntax ? at.trimStart() : `raised${where === undefined ? '' : ` by ${where}`}${at}`;
  const raisedAt = raised === '' ? '' : ` (${raised})`;
  return {
    title: module === undefined ? `${type} in its Python code` : `Python has no module '${module}'`,
    original: reason,
    why:
      module === undefined
        ? `${text === '' ? type : text}${raisedAt}.`
        : `The code imports '${module}'${at}. ${missingModule(module)}`,
    code: undefined,
    line: 0,
    place,
    fixes: module === undefined ? [] : [CHOOSE_PYTHON],
  };
}

/** `own` are the fixes of the configuration's finding. */
function inStep(
  reason: string,
  { needed, reason: inner }: StepFailure,
  issue: ConfigIssueView | undefined,
  own: readonly ConfigFix[],
): ModelFailure {
  const open: ConfigFix = { title: `Open ${needed}`, edits: [], action: 'open-model', target: needed };
  const failure = inner === undefined ? undefined : explained(inner, [], {});
  const cause = failure === undefined ? '' : ` ${needed}: ${failure.title}. ${failure.why}`;
  return {
    title: `Its step model '${needed}' is not loaded`,
    original: reason,
    why: `An ensemble loads once all models of its steps have. Mend ${needed}, and load this one again.${cause}`,
    code: issue?.code,
    line: issue?.line ?? 0,
    place: undefined,
    fixes: withFixes(own, [open]),
  };
}

/** Never done by itself: the other file may answer otherwise. */
function serveOnnx(file: string): ConfigFix {
  const title = `Serve ${path.basename(file)} beside it as a model of its own`;
  return { title, edits: [], action: 'serve-onnx', target: file };
}

/**
 * `issues` are those of the configuration text; the first error gives code, line and fixes. `folder` is the model's;
 * `emptyVersion` is a version folder without a file.
 */
export function modelFailure(
  reason: string,
  issues: readonly ConfigIssueView[],
  about: FailureSurroundings = {},
): ModelFailure {
  const failure = explained(reason, issues, about);
  const { onnxBeside, folder } = about;
  const command = installCommand(reason, folder);
  const fixes = onnxBeside === undefined ? failure.fixes : withFixes(failure.fixes, [serveOnnx(onnxBeside)]);
  return { ...failure, fixes, ...(command === undefined ? {} : { command }) };
}

interface FailureSurroundings {
  readonly emptyVersion?: string | undefined;
  readonly folder?: string | undefined;
  /** Absolute path of an ONNX file beside the one that does not load; undefined = there is none. */
  readonly onnxBeside?: string | undefined;
}

function explained(
  reason: string,
  issues: readonly ConfigIssueView[],
  { emptyVersion, folder = '' }: FailureSurroundings,
): ModelFailure {
  const issue = issues.find(({ severity }) => severity === 'error');
  const own = withFixes(issue?.fixes ?? [], ACTIONS[issue?.code ?? ''] ?? []);
  const step = stepFailure(reason);
  if (step !== undefined) return inStep(reason, step, issue, own);
  if (reason.includes(UNTRUSTED)) return untrusted(reason);
  const python = pythonFailure(reason, folder);
  if (python !== undefined) return inPython(reason, python);
  if (emptyVersion !== undefined && NEEDS_FILE.test(reason)) return withoutFile(reason, emptyVersion);
  const hint = issue?.hint ?? '';
  for (const { matches, title, why, hasValues = false, fixes = [] } of PATTERNS) {
    const groups = matches.exec(reason);
    if (groups === null) continue;
    return {
      title: title([...groups]),
      original: reason,
      why: [hasValues || hint === '' ? why([...groups]) : '', hint].filter((text) => text !== '').join(' '),
      code: issue?.code,
      line: issue?.line ?? 0,
      place: undefined,
      fixes: withFixes(own, fixes),
    };
  }
  return {
    title: 'Could not be loaded',
    original: reason,
    why: hint,
    code: issue?.code,
    line: issue?.line ?? 0,
    place: undefined,
    fixes: own,
  };
}

/** An action is offered once, whoever thought of it first. */
function withFixes(fixes: readonly ConfigFix[], more: readonly ConfigFix[]): readonly ConfigFix[] {
  return [...fixes, ...more.filter(({ action }) => !fixes.some((fix) => fix.action === action))];
}
