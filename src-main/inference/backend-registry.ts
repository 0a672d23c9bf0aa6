// The backends of a server by name, and the choice of one for a model: by the fields `backend` and `runtime`, with the
// reference's texts for whatever cannot be found. Backends are built in, so the reference's search for a library ends
// here at a name; a library that a model brings along is refused instead of ignored.

import path from 'node:path';
import { isThere } from '../base/file-exists.ts';
import type { BackendDescription } from '../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { normalizedPath } from '../base/confined-path.ts';
import { backendErrors } from './backend-errors.ts';
import type { Backend } from './backend.ts';
import type { ModelFiles } from './model-files.ts';

/** `runtime` of a backend that is written in Python and lies in the backend directory. */
const PYTHON_RUNTIME = 'model.py';

type ConfiguredBackend = Pick<ModelConfig, 'name' | 'backend' | 'runtime'>;

/** Where the registry looks for backends that are not built in. */
export interface BackendRegistryOptions {
  /** Folder that holds a folder for each backend in the reference; messages name it. */
  readonly directory: string;
  /**
   * Makes the backend `name` out of `<directory>/<name>/model.py`, which exists. Absent: backends that are written in
   * Python are not served.
   */
  readonly fromPython?: (name: string, modelFile: string) => Backend;
  /** Backends that are known by name only; each says what it needs. */
  readonly notServed?: readonly BackendDescription[];
}

/**
 * Holds the built-in backends, and those of the backend directory from the first model on that asks for them.
 * Nothing is ever removed.
 */
export class BackendRegistry {
  readonly #backends: ReadonlyMap<string, Backend>;
  readonly #options: BackendRegistryOptions;
  /** Those of the backend directory that were asked for. */
  readonly #fromDirectory = new Map<string, Backend>();

  constructor(backends: readonly Backend[], options: BackendRegistryOptions) {
    this.#backends = new Map(backends.map((backend) => [backend.description.name, backend]));
    this.#options = options;
  }

  /** Of all backends that are known, those that are served first. `needs` is asked anew each time. */
  get descriptions(): readonly BackendDescription[] {
    const served = [...this.#backends.values(), ...this.#fromDirectory.values()];
    const { notServed = [] } = this.#options;
    return [
      ...served.map(({ description }) => description),
      ...notServed.filter(({ name }) => !this.#backends.has(name) && !this.#fromDirectory.has(name)),
    ];
  }

  /** The backend of that name, if it is built in or was loaded out of the backend directory. */
  get(name: string): Backend | undefined {
    return this.#backends.get(name) ?? this.#fromDirectory.get(name);
  }

  /**
   * The backend that a configuration asks for. Throws INVALID_ARG when there is none of that name or `runtime` names
   * another library than the backend's own, UNSUPPORTED when the model brings a native library of its own.
   */
  async choose(config: ConfiguredBackend, files: ModelFiles): Promise<Backend> {
    const { backend: name, runtime } = config;
    if (name === '') throw backendErrors.unnamed({ model: config.name });
    if (runtime !== '') return await this.#chooseByRuntime(config, files);
    if (!isPlainName(name)) throw this.#unknownBackend(name);
    await refuseOwnLibrary(libraryName(name), files);
    const backend = this.#backends.get(name) ?? (await this.#inDirectory(name));
    if (backend === undefined) throw this.#unknownBackend(name);
    return backend;
  }

  async #chooseByRuntime(config: ConfiguredBackend, files: ModelFiles): Promise<Backend> {
    const { name: model, backend: name, runtime } = config;
    const folder = path.join(this.#options.directory, name);
    const backend = this.#backends.get(name);
    if (runtime === PYTHON_RUNTIME) {
      const found =
        backend?.description.runtimes.includes(runtime) === true ? backend : await this.#inDirectory(name);
      if (found !== undefined) return found;
      throw backendErrors.runtimeMissing({ runtime, model, path: path.join(folder, runtime) });
    }
    const library = normalizedPath(runtime, { base: folder, within: [folder] });
    if (library === undefined) {
      throw backendErrors.runtimeLeadsOut({ runtime, folder, model });
    }
    await refuseOwnLibrary(path.relative(folder, library), files);
    if (backend !== undefined && library === path.join(folder, libraryName(name))) return backend;
    throw backendErrors.runtimeUnknown({
      runtime,
      model,
      searched: [files.versionDir, files.modelDir, folder].map((searched) => `'${searched}' `).join(''),
    });
  }

  async #inDirectory(name: string): Promise<Backend | undefined> {
    const { directory, fromPython } = this.#options;
    if (fromPython === undefined || !isPlainName(name)) return undefined;
    const modelFile = path.join(directory, name, PYTHON_RUNTIME);
    if (!(await isThere(modelFile))) return undefined;
    const backend = this.#fromDirectory.get(name) ?? fromPython(name, modelFile);
    this.#fromDirectory.set(name, backend);
    return backend;
  }

  #unknownBackend(name: string): ServerError {
    const needs = this.#options.notServed?.find((known) => known.name === name)?.needs;
    // Of a backend that is known the reference's sentence is no help: nothing in the configuration makes it run.
    return backendErrors.unknown(
      { name, needs: needs === undefined ? '' : ` ${needs}` },
      { details: { backend: name, available: [...this.#backends.keys()] } },
    );
  }
}

/** File name of a backend's library in the reference. */
function libraryName(backend: string): string {
  return `libtriton_${backend}.so`;
}

function isPlainName(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/\\\0]/.test(name);
}

/** The reference would load a library in the model's folder before its own of the same name. */
async function refuseOwnLibrary(
  library: string,
  { modelName, versionDir, modelDir }: ModelFiles,
): Promise<void> {
  for (const folder of [versionDir, modelDir]) {
    const file = path.join(folder, library);
    if (!(await isThere(file))) continue;
    throw backendErrors.nativeLibrary({ model: modelName, file });
  }
}
