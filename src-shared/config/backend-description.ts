// What a backend says about itself: how configurations ask for it, which files it loads, what it can be told, what it
// takes to run it. Loader, editor, window and documentation read descriptions and hold no list of backends of their own.

/** One file or folder of a version folder that a backend loads when the configuration names none. */
export interface ArtefactForm {
  /** "model.onnx". */
  readonly name: string;
  readonly form: 'file' | 'folder' | 'file or folder';
  /** The `platform` that goes with this form; undefined when the backend has no platforms. */
  readonly platform?: string;
}

/** One key of `parameters` in a configuration, or of `--backend-config=<backend>,<key>=<value>`. */
export interface BackendKey {
  readonly name: string;
  /** A sentence: what it does, its unit, its default. */
  readonly summary: string;
}

/** What a backend prefers where a configuration leaves instances open. */
export interface InstanceDefaults {
  /** Instances of a KIND_CPU group without count; 1 when absent. */
  readonly cpuInstanceCount?: number;
  /** The model's own process reaches GPUs, by NVIDIA's driver alone; ONNX Runtime's providers have no part in it. */
  readonly reachesGpusItself?: boolean;
  /** Its models run on GPUs, and nowhere else. */
  readonly isOnlyOnGpus?: boolean;
  /** Groups to use when the configuration has none, best first; KIND_AUTO when absent. */
  readonly preferredGroups?: readonly {
    readonly kind: 'KIND_AUTO' | 'KIND_CPU' | 'KIND_GPU' | 'KIND_MODEL';
    /** 0 = the usual count of the kind. */
    readonly count: number;
  }[];
}

/**
 * What a model file is to people: an ONNX graph that can be drawn and inspected, source code, a file of another kind,
 * nothing at all.
 */
export type ModelFormat = 'onnx' | 'source' | 'binary' | 'none';

/** What a backend says of itself, to the loader, the editor, the window and the documentation. */
export interface BackendDescription {
  /** Value of `backend` in configurations. */
  readonly name: string;
  /** As people write it: "ONNX Runtime". */
  readonly title: string;
  /** One sentence: what its models are. */
  readonly summary: string;
  /** Other words that people write for it. Configurations do not take them; suggestions lead from them to `name`. */
  readonly aliases: readonly string[];
  readonly format: ModelFormat;
  /** In order of preference; empty for a backend without model file. */
  readonly artefacts: readonly ArtefactForm[];
  /** Keys of a model's `parameters` that it reads. */
  readonly parameters: readonly BackendKey[];
  /** Its keys of `--backend-config`, besides those that hold for every backend. */
  readonly settings: readonly BackendKey[];
  /** Values of the field `runtime`, besides the name of its library, that lead to it: "model.py". */
  readonly runtimes: readonly string[];
  /** Loading a model runs code that came with the model, so its folder must be trusted. */
  readonly runsCode: boolean;
  readonly instances: InstanceDefaults;
  /** Inputs may be marked `optional`. */
  readonly supportsOptionalInputs: boolean;
  /** Its outputs renew the implicit states of sequences; else each request finds the first value. */
  readonly keepsStates: boolean;
  /** Instances of one version are created at the same time. */
  readonly createsInParallel: boolean;
  /** What is missing for its models to run here, as a sentence that says what to do; undefined when nothing is. */
  readonly needs: string | undefined;
}

/** A description with the usual values for what `given` leaves out: no files, no keys, no code, runs here. */
export function describeBackend(
  given: Pick<BackendDescription, 'name' | 'title' | 'summary'> & Partial<BackendDescription>,
): BackendDescription {
  return {
    aliases: [],
    format: 'none',
    artefacts: [],
    parameters: [],
    settings: [],
    runtimes: [],
    runsCode: false,
    instances: {},
    supportsOptionalInputs: true,
    keepsStates: true,
    createsInParallel: true,
    needs: undefined,
    ...given,
  };
}

/** The description of that name; undefined when there is none. */
export function findBackend<T extends BackendDescription>(
  backends: readonly T[],
  name: string,
): T | undefined {
  return backends.find((backend) => backend.name === name);
}

/** Names of files and folders that the backend looks for by itself, best first. */
export function artefactNames({ artefacts }: Pick<BackendDescription, 'artefacts'>): readonly string[] {
  return artefacts.map(({ name }) => name);
}
