// Name, platform and backend, maximum batch size.

import { findBackend, type BackendDescription } from '../backend-description.ts';
import {
  actionFix,
  configIssue,
  removeAt,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
import type { ModelConfig } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';

/** Value of `platform` that makes a model an ensemble. */
export const ENSEMBLE_PLATFORM = 'ensemble';
/** Value of `platform` for plans of TensorRT. */
export const TENSORRT_PLATFORM = 'tensorrt_plan';

/** Platforms that belong to a backend; a backend that is not listed accepts any. */
const PLATFORMS_OF_BACKEND: Readonly<Record<string, readonly string[]>> = {
  tensorflow: ['tensorflow_graphdef', 'tensorflow_savedmodel'],
  tensorrt: [TENSORRT_PLATFORM],
  onnxruntime: ['onnxruntime_onnx'],
  pytorch: ['pytorch_libtorch', 'torch_aoti'],
};

/** Findings that need nothing but the configuration itself. */
export function checkIdentity(config: ModelConfig): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const { name, platform, backend } = config;
  if (name === '') {
    issues.push(
      configIssue('D05', "model configuration must specify 'name'", { hint: 'Write name: "...".' }),
    );
  }
  issues.push(...checkBackend(name, platform, backend));
  if (config.maxBatchSize < 0) {
    issues.push(
      configIssue('D07', `'max_batch_size' must be non-negative value for ${name}`, {
        path: 'max_batch_size',
        hint: `It is ${config.maxBatchSize}; write 0 for a model without batching.`,
        changes: [setTo('max_batch_size', 0)],
      }),
    );
  }
  if (config.versionPolicy === undefined) {
    issues.push(configIssue('D45', `must specify 'version policy' for ${name}`, { path: 'version_policy' }));
  }
  return issues;
}

/** The file's name must be that of its folder. */
export function checkDirectoryName(config: ModelConfig, directoryName: string | undefined): ConfigIssue[] {
  if (directoryName === undefined || config.name === '' || config.name === directoryName) return [];
  return [
    configIssue(
      'D05',
      `unexpected directory name '${directoryName}' for model '${config.name}', directory name must equal model name`,
      {
        path: 'name',
        hint: 'Leave the name out, or rename it or the folder.',
        changes: [
          setTo('name', directoryName, `Set name to ${directoryName}`),
          ...(isFolderName(config.name)
            ? [actionFix('rename-folder', `Rename the folder to ${config.name}`, config.name)]
            : []),
          removeAt('name'),
        ],
      },
    ),
  ];
}

/** Whether a folder of a repository may have it. */
function isFolderName(name: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,199}$/.test(name) && !name.includes('..');
}

/** A backend that the server does not have: a load would fail, or its models need something that is missing here. */
export function checkBackendExists(
  { backend }: Pick<ModelConfig, 'backend'>,
  backends: readonly BackendDescription[] | undefined,
): ConfigIssue[] {
  if (backend === '' || backends === undefined) return [];
  const known = findBackend(backends, backend);
  if (known !== undefined && known.needs === undefined) return [];
  const runnable = backends.filter(({ needs }) => needs === undefined);
  const meant = runnable.find(({ aliases }) => aliases.includes(backend.toLowerCase()))?.name;
  const nearest =
    meant ??
    nearestName(
      backend,
      runnable.map(({ name }) => name),
    );
  return [
    configIssue(
      'D06',
      `unable to find backend library for backend '${backend}', try specifying runtime on the model configuration.`,
      {
        path: 'backend',
        hint:
          known?.needs ??
          `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}Backends here: ${runnable.map(({ name }) => name).join(', ')}.`,
        changes: known !== undefined || nearest === undefined ? [] : [setTo('backend', nearest)],
      },
    ),
  ];
}

function checkBackend(name: string, platform: string, backend: string): ConfigIssue[] {
  if (backend === '') {
    if (platform === ENSEMBLE_PLATFORM) return [];
    return [
      configIssue('D06', `unexpected platform type '${platform}' for ${name}`, {
        path: 'platform',
        hint: 'Name the backend, such as backend: "onnxruntime".',
        changes: platformChanges(platform),
      }),
    ];
  }
  if (platform === ENSEMBLE_PLATFORM) {
    return [
      configIssue(
        'D06',
        `Ensemble model '${name}' must have platform type 'ensemble' and empty backend type`,
        {
          path: 'backend',
          hint: 'An ensemble has no backend: remove the field.',
          changes: [removeAt('backend')],
        },
      ),
    ];
  }
  const platforms = Object.hasOwn(PLATFORMS_OF_BACKEND, backend) ? PLATFORMS_OF_BACKEND[backend] : undefined;
  const owner = Object.entries(PLATFORMS_OF_BACKEND).find(([, names]) => names.includes(platform))?.[0];
  if (platforms === undefined || platforms.includes(platform)) return [];
  return [
    configIssue('D06', `unexpected 'platform' and 'backend' pair, got:${platform}, ${backend}`, {
      path: 'platform',
      hint:
        owner === undefined
          ? `Backend ${backend} has platform ${platforms.join(' or ')}; the field can be left out.`
          : `Platform ${platform} belongs to backend ${owner}.`,
      changes: [removeAt('platform'), ...(owner === undefined ? [] : [setTo('backend', owner)])],
    }),
  ];
}

function platformChanges(platform: string): ConfigChange[] {
  if (platform === '') return [setTo('backend', 'onnxruntime')];
  const nearest = nearestName(platform, [ENSEMBLE_PLATFORM, ...Object.values(PLATFORMS_OF_BACKEND).flat()]);
  return nearest === undefined ? [] : [setTo('platform', nearest)];
}
