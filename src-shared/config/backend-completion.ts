// Completion of name, platform, backend and default file name from what the first version folder holds. Runs whenever
// a model is read, in strict mode too. The order of attempts decides; the first that matches ends it.

import { configIssue, setTo, type ConfigIssue } from './config-issue.ts';
import type { ConfigOrigin } from './config-origins.ts';
import type { ModelConfig } from './model-config.ts';

/**
 * What lies directly in the first version folder, without a look inside: a folder such as `model.savedmodel`
 * tells a backend too.
 */
export interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: boolean;
}

interface BackendCompletion {
  readonly config: ModelConfig;
  readonly origins: ReadonlyMap<string, ConfigOrigin>;
  readonly issues: readonly ConfigIssue[];
}

/** The four fields while they are being completed. */
interface Draft {
  platform: string;
  backend: string;
  filename: string;
  readonly runtime: string;
}

type Attempt = (draft: Draft, has: (name: string, kind?: 'file' | 'directory') => boolean) => boolean;

/** Name of the folder whose content is looked at: the first of all subfolders in plain string order. */
export function folderToInspect(subdirectories: readonly string[]): string | undefined {
  return subdirectories.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0];
}

/**
 * Fills empty fields among name, platform, backend, default_model_filename. `entries` is the listing of the folder
 * that folderToInspect names; empty when there is none.
 */
export function completeBackendFields(
  config: ModelConfig,
  { directoryName, entries }: { readonly directoryName: string; readonly entries: readonly DirectoryEntry[] },
): BackendCompletion {
  const has = (name: string, kind?: 'file' | 'directory'): boolean =>
    entries.some(
      (entry) => entry.name === name && (kind === undefined || entry.isDirectory === (kind === 'directory')),
    );
  const name = config.name === '' ? directoryName : config.name;
  const draft: Draft = {
    platform: config.platform,
    backend: config.backend,
    filename: config.defaultModelFilename,
    runtime: config.runtime,
  };
  const issues: ConfigIssue[] = [];
  if (!ATTEMPTS.some((attempt) => attempt(draft, has))) issues.push(...completeCustom(draft, name));
  const completed: ModelConfig = {
    ...config,
    name,
    platform: draft.platform,
    backend: draft.backend,
    defaultModelFilename: draft.filename,
  };
  return { config: completed, origins: originsOf(config, completed), issues };
}

/** A backend that one file name, and maybe one platform, gives away. */
function simple(
  backend: string,
  filename: string,
  { platform = '', kind }: { platform?: string; kind?: 'file' } = {},
): Attempt {
  return (draft, has) => {
    if (draft.backend === '') {
      const isNamed = (platform !== '' && draft.platform === platform) || draft.filename === filename;
      const isFound = draft.platform === '' && draft.filename === '' && has(filename, kind);
      if (isNamed || isFound) draft.backend = backend;
    }
    if (draft.backend !== backend) return false;
    draft.platform ||= platform;
    draft.filename ||= filename;
    return true;
  };
}

const TENSORFLOW_FILES: Readonly<Record<string, string>> = {
  tensorflow_savedmodel: 'model.savedmodel',
  tensorflow_graphdef: 'model.graphdef',
};

const tensorflow: Attempt = (draft, has) => {
  if (draft.platform === '' && (draft.backend === '' || draft.backend === 'tensorflow')) {
    const named = Object.entries(TENSORFLOW_FILES).find(([, file]) => file === draft.filename);
    if (named !== undefined) [draft.platform] = named;
    else if (draft.filename === '' && has('model.savedmodel', 'directory'))
      draft.platform = 'tensorflow_savedmodel';
    else if (draft.filename === '' && has('model.graphdef', 'file')) draft.platform = 'tensorflow_graphdef';
  }
  const filename = TENSORFLOW_FILES[draft.platform];
  if (filename === undefined) return false;
  draft.backend ||= 'tensorflow';
  draft.filename ||= filename;
  return true;
};

const PYTORCH_PLATFORMS: ReadonlySet<string> = new Set(['pytorch_libtorch', 'libtorch', 'torch_aoti']);

const pytorch: Attempt = (draft, has) => {
  if (draft.backend === '') {
    const isNamed =
      PYTORCH_PLATFORMS.has(draft.platform) ||
      draft.filename === 'model.pt' ||
      draft.filename === 'model.pt2';
    if (isNamed) {
      draft.backend = 'pytorch';
    } else if (draft.platform === '' && draft.filename === '') {
      if (has('model.pt', 'file')) draft.platform = 'pytorch_libtorch';
      else if (has('model.pt2', 'file')) draft.platform = 'torch_aoti';
      if (draft.platform !== '') draft.backend = 'pytorch';
    }
  }
  if (draft.backend !== 'pytorch') return false;
  if (draft.platform === '') {
    draft.platform = 'pytorch_libtorch';
    // A runtime looks for its files itself: model.pt may hold no more than the weights.
    if (draft.runtime === '') draft.filename ||= 'model.pt';
  } else if (draft.platform === 'torch_aoti') {
    draft.filename ||= 'model.pt2';
  }
  return true;
};

const ATTEMPTS: readonly Attempt[] = [
  tensorflow,
  simple('tensorrt', 'model.plan', { platform: 'tensorrt_plan', kind: 'file' }),
  simple('onnxruntime', 'model.onnx', { platform: 'onnxruntime_onnx' }),
  simple('openvino', 'model.xml'),
  pytorch,
  simple('python', 'model.py'),
];

/** A backend of one's own: named by the model's name after its first dot. */
function completeCustom(draft: Draft, name: string): ConfigIssue[] {
  if (draft.backend !== '' || draft.platform !== '' || draft.filename !== '') return [];
  const dot = name.indexOf('.');
  if (dot >= 0) {
    draft.backend = name.slice(dot + 1);
    draft.filename = `model.${draft.backend}`;
    return [];
  }
  const message = `Invalid model name: Could not determine backend for model '${name}' with no backend in model configuration. Expected model name of the form 'model.<backend_name>'.`;
  return [
    configIssue('D06', message, {
      hint: 'Put a model file such as model.onnx into the version folder, or write backend: "onnxruntime"; for an ensemble platform: "ensemble".',
      changes: [setTo('backend', 'onnxruntime')],
    }),
  ];
}

function originsOf(before: ModelConfig, after: ModelConfig): Map<string, ConfigOrigin> {
  const origins = new Map<string, ConfigOrigin>();
  if (before.name !== after.name) {
    origins.set('name', { kind: 'default', reason: 'name of the folder' });
  }
  const source =
    after.defaultModelFilename === '' ? 'platform and backend' : `model file ${after.defaultModelFilename}`;
  const origin: ConfigOrigin = { kind: 'auto-complete', reason: `found from the ${source}` };
  if (before.platform !== after.platform) origins.set('platform', origin);
  if (before.backend !== after.backend) origins.set('backend', origin);
  if (before.defaultModelFilename !== after.defaultModelFilename) {
    const reason = `usual file name of backend ${after.backend}`;
    origins.set('default_model_filename', { kind: 'default', reason });
  }
  return origins;
}
