// Answers the calls about model files of other frameworks.

import path from 'node:path';

import { artefactNames, findBackend } from '../../../src-shared/config/backend-description.ts';
import { inventoryOf, usableGpus } from '../../../src-shared/config/usable-gpus.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { frameworkCalls } from '../../../src-shared/contract/framework-calls.ts';
import { localFolder } from '../files/local-folder.ts';
import { PythonFinder } from '../../backends/python-host/python-choice.ts';
import { artefactPath, modelFiles } from '../../inference/model-files.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { adoptFolder } from '../catalog/adopt-folder.ts';
import type { InspectionMachine } from '../catalog/config-inspection.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { copyOptions, type TaskRegistry } from '../tasks/task-registry.ts';
import { conversionObstacle, convertToOnnx } from './convert-to-onnx.ts';
import type { FrameworkFile } from './framework-models.ts';
import { createFrameworkModel, frameworkFile, inspectFramework } from './framework-models.ts';
import { knownRepository } from '../files/known-repository.ts';
import { convertErrors } from './convert-errors.ts';

/** What the calls about models of frameworks work with. */
export interface FrameworkDependencies {
  readonly catalog: ModelCatalog;
  readonly repository: ModelRepository;
  readonly tasks: TaskRegistry;
  readonly guard: PathGuard;
  readonly machine: InspectionMachine;
  /** The setting `python-executable` that the server runs with, by backend; undefined = none. */
  readonly pythonSettingOf: (backend: string) => string | undefined;
}

const finder = new PythonFinder();

/**
 * Models of PyTorch, TensorFlow, OpenVINO and the like. Reading one starts the Python that would run it, which
 * takes seconds.
 */
export function frameworkHandlers(deps: FrameworkDependencies): HandlersFor<typeof frameworkCalls> {
  const { catalog, repository, tasks } = deps;
  return {
    'framework/inspect': async ({ path: location }, { signal }) => {
      const file = await knownFile(deps, location);
      const { name } = file.backend;
      const { gpuIds, gpuIdsOfProcesses, backends } = deps.machine;
      const gpuInventory = inventoryOf(gpuIds, gpuIdsOfProcesses);
      return inspectFramework(
        file,
        {
          choosePython: () => choosePython(deps, name, repository.roots[0] ?? ''),
          hasGpus: usableGpus({ gpuInventory, backends }, name).length > 0,
        },
        signal,
      );
    },
    'framework/create': async ({ path: location, taskId, load, ...request }, { signal }) => {
      const file = await knownFile(deps, location);
      const target = { ...request, file, repository: knownRoot(deps, request.repository) };
      await tasks.run(
        taskId,
        `Create ${request.name}`,
        (handle) => createFrameworkModel(target, copyOptions(handle)),
        { signal },
      );
      await adoptFolder(deps, request.name, load);
      return { model: request.name };
    },
    'framework/canConvert': ({ model }) => ({ reason: conversionObstacle(catalog.config(model)) }),
    'framework/convert': async ({ model, newName, load, taskId }, { signal }) => {
      const config = catalog.config(model);
      const { repository: root } = catalog.location(model);
      const folder = localFolder(catalog.location(model));
      const request = {
        config,
        source: await sourceOf(deps, model, folder),
        choosePython: () => choosePython(deps, config.backend, root),
        folder,
        repository: root,
        newName,
      };
      const conversion = await tasks.run(
        taskId,
        `Convert ${model} to ONNX`,
        (handle) => convertToOnnx(request, handle),
        { signal },
      );
      await adoptFolder(deps, newName, load);
      return conversion;
    },
  };
}

async function knownFile(
  { guard, catalog }: FrameworkDependencies,
  location: string,
): Promise<FrameworkFile> {
  const file = await frameworkFile(guard.check(location), catalog.backends);
  if (file !== undefined) return file;
  throw convertErrors.noBackend({ file: path.basename(location) });
}

function knownRoot({ repository }: FrameworkDependencies, root: string): string {
  return knownRepository(repository.roots, root);
}

/** The Python that runs models of that backend in that repository. */
function choosePython(
  { pythonSettingOf }: FrameworkDependencies,
  backend: string,
  root: string,
): Promise<{ readonly program: string }> {
  return finder.choose({ setting: pythonSettingOf(backend), modelDir: path.join(root, 'model') });
}

/** The model file of the newest version. */
async function sourceOf({ catalog }: FrameworkDependencies, model: string, folder: string): Promise<string> {
  const version = catalog.facts(model).versions.at(-1)?.version;
  if (version === undefined) throw convertErrors.noVersion({ model });
  const config = catalog.config(model);
  const backend = findBackend(catalog.backends, config.backend);
  const forms = backend?.artefacts.filter(({ platform }) => platform === config.platform) ?? [];
  const names = artefactNames({ artefacts: forms.length === 0 ? (backend?.artefacts ?? []) : forms });
  return artefactPath(config, modelFiles(model, folder, version), names);
}
