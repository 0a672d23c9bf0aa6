// State of the import wizard for one file after the other: options, external data that was located, what is in the way,
// and creating the folder.

import { useState } from 'react';

import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { useEngine } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { modelAddress } from '../../lib/address.ts';
import { hasModelTab } from '../../lib/areas.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { toastSuccess } from '../../ui/toast.tsx';
import { newTaskId } from './import-flow.ts';
import { openTarget, targetRepository } from './target-repository.ts';
import { useTakenNames } from './use-taken-names.ts';
import type { WizardNameFault, WizardOptions } from './wizard-config.ts';
import {
  batchingObstacle,
  defaultOptions,
  freeName,
  labelFiles,
  problemText,
  withDynamicFirst,
  wizardConfig,
  wizardNameFault,
} from './wizard-config.ts';

/** The file that is asked about now, what was decided about it, and what goes on to the next. */
export interface Wizard {
  readonly inspection: OnnxInspection;
  readonly index: number;
  readonly options: WizardOptions;
  /** Whether more than the name was decided by hand about this file. */
  readonly isChanged: boolean;
  /** What is wrong with the name, as the key of its sentence. */
  readonly nameFault: WizardNameFault | undefined;
  /** Of the options named; the others stay. */
  readonly change: (changes: Partial<WizardOptions>) => void;
  /** Path of where the model goes; undefined = there is none yet. */
  readonly repository: string | undefined;
  /** `path` of an open repository. */
  readonly setRepository: (path: string) => void;
  readonly version: string;
  /** As the folder is to be named; what is wrong with it shows in `obstacle`. */
  readonly setVersion: (version: string) => void;
  /** What will exist: `version`, and the next one when a dynamic copy is added. */
  readonly versions: readonly string[];
  /** Whether the next version is written too, with a dynamic first dimension; the options then speak of it. */
  readonly isDynamic: boolean;
  /** Whether it batches is guessed anew from the shapes. */
  readonly setIsDynamic: (isDynamic: boolean) => void;
  /** Files of weights, found or located, by the name in the graph. */
  readonly externalData: Readonly<Record<string, string>>;
  /** Files that were located by hand, by the name in the graph. */
  readonly located: Readonly<Record<string, string>>;
  /** `name`: in the graph; `path`: the file of weights on disk. */
  readonly locate: (name: string, path: string) => void;
  readonly isForAll: boolean;
  /** True = `create` gives the files that follow the same options, but for name and labels. */
  readonly setIsForAll: (isForAll: boolean) => void;
  readonly configText: string | undefined;
  /** Why nothing can be created now; undefined = it can. */
  readonly obstacle: string | undefined;
  readonly isCreating: boolean;
  /** `load`: loads the model too. Does nothing while it runs; a failure is told in a toast. */
  readonly create: (load: boolean) => void;
  /** Goes on to the next file, or ends. */
  readonly skip: () => void;
}

/** `onDone` is called once, after the last file; undefined when there is none. What fails is told here. */
export function useWizard(inspections: readonly OnnxInspection[], onDone: () => void): Wizard | undefined {
  const engine = useEngine();
  const [index, setIndex] = useState(0);
  const [changes, setChanges] = useState<Partial<WizardOptions>>({});
  const [repository, setRepository] = useState(() => targetRepository(engine));
  const [version, setVersion] = useState('1');
  const [located, setLocated] = useState<Readonly<Record<string, string>>>({});
  const [isForAll, setIsForAll] = useState(false);
  const [isDynamic, setIsDynamic] = useState(false);
  const original = inspections[index];
  const inspection = original !== undefined && isDynamic ? withDynamicFirst(original) : original;
  const options = inspection === undefined ? undefined : { ...defaultOptions(inspection), ...changes };
  const goTo = (to: number, choices: Partial<WizardOptions>): void => {
    setIndex(to);
    setChanges(choices);
    setLocated({});
    setIsDynamic(false);
  };
  const next = (): void => goTo(index + 1, {});
  const create = useAction(async (load: boolean) => {
    if (inspection === undefined || options === undefined || repository === undefined) return;
    await createModel(engine, { inspection, options, repository, version, located, isDynamic, load });
    const rest = inspections.slice(index + 1);
    if (rest.length > 0 && !isForAll) {
      next();
      return;
    }
    const shared = { repository, version, load };
    const names = new Map<string, unknown>([[options.name, undefined]]);
    for (const [at, one] of rest.entries()) {
      const own = { ...defaultOptions(one), ...choicesFor(one, changes) };
      const name = freeName(own.name, new Map([...engine.state.models.getState().byName, ...names]));
      names.set(name, undefined);
      const creation = {
        ...shared,
        inspection: one,
        options: { ...own, name },
        located: {},
        isDynamic: false,
      };
      try {
        await createModel(engine, creation);
      } catch (thrown) {
        // What was created is done with; the one in the way can be put right.
        goTo(index + 1 + at, choicesFor(one, changes));
        throw thrown;
      }
    }
    onDone();
    // Loaded, its first request is one click away.
    open(modelAddress(options.name, load && hasModelTab('playground') ? 'playground' : ''));
  });
  const taken = useTakenNames(create.isRunning);
  if (inspection === undefined || options === undefined) return undefined;
  return {
    inspection,
    index,
    options,
    isChanged: Object.keys(changes).some((key) => key !== 'name') || Object.keys(located).length > 0,
    nameFault: wizardNameFault(options.name, taken),
    change: (more) => setChanges((before) => ({ ...before, ...more })),
    repository,
    setRepository,
    version,
    setVersion,
    versions: isDynamic ? [version, String(Number(version) + 1)] : [version],
    isDynamic,
    setIsDynamic: (isOn) => {
      // Whether it batches follows from the shapes again.
      setChanges(({ isBatched: _batched, ...rest }) => rest);
      setIsDynamic(isOn);
    },
    externalData: dataFiles(inspection, located),
    located,
    locate: (name, path) => setLocated((before) => ({ ...before, [name]: path })),
    isForAll,
    setIsForAll,
    configText: wizardConfig(inspection, options),
    obstacle: obstacleOf(inspection, options, { taken, located, repository, version }),
    isCreating: create.isRunning,
    create: create.run,
    skip: index + 1 < inspections.length ? next : onDone,
  };
}

/** Files of weights that lie neither beside the model nor where the user said. */
export function missingData(
  { externalData }: OnnxInspection,
  located: Readonly<Record<string, string>>,
): readonly OnnxInspection['externalData'][number][] {
  return externalData.filter(({ name, isFound }) => !isFound && located[name] === undefined);
}

interface Facts {
  readonly taken: ReadonlyMap<string, unknown>;
  readonly located: Readonly<Record<string, string>>;
  readonly repository: string | undefined;
  readonly version: string;
}

function obstacleOf(inspection: OnnxInspection, options: WizardOptions, facts: Facts): string | undefined {
  const fault = wizardNameFault(options.name, facts.taken);
  if (fault !== undefined) return t(fault);
  if (facts.repository === undefined) return t('wizard.problem.repository');
  if (!/^[1-9]\d*$/.test(facts.version)) return t('wizard.problem.version');
  if (missingData(inspection, facts.located).length > 0) return t('wizard.problem.missing');
  // Missing data is a problem of its own, which locating solves.
  return inspection.externalData.every(({ isFound }) => isFound) ? problemText(inspection) : undefined;
}

interface Creation {
  readonly inspection: OnnxInspection;
  readonly options: WizardOptions;
  readonly repository: string;
  readonly version: string;
  readonly located: Readonly<Record<string, string>>;
  readonly isDynamic: boolean;
  readonly load: boolean;
}

/** Where the weights are: beside the model, unless they were located. */
function dataFiles(
  { path, externalData }: OnnxInspection,
  located: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const folder = path.replace(/[\\/][^\\/]*$/, '');
  return Object.fromEntries(externalData.map(({ name }) => [name, located[name] ?? `${folder}/${name}`]));
}

async function createModel(engine: Engine, creation: Creation): Promise<void> {
  const { client } = engine;
  const { inspection, options, repository, version, located, isDynamic, load } = creation;
  await openTarget(engine, repository);
  const { model } = await client.call('repository/createFromOnnx', {
    onnxPath: inspection.path,
    externalData: { ...dataFiles(inspection, located) },
    repository,
    name: options.name,
    version,
    configText: wizardConfig(inspection, options),
    labels: labelFiles(options),
    hasDynamicVersion: isDynamic,
    load,
    taskId: newTaskId(),
  });
  toastSuccess(t('wizard.created', { name: model }));
}

/** The same choices for another file: it keeps its own name and labels, and batches only if it can. */
function choicesFor(
  inspection: OnnxInspection,
  { name: _name, labels: _labels, ...choices }: Partial<WizardOptions>,
): Partial<WizardOptions> {
  if (choices.isBatched !== true || batchingObstacle(inspection) === undefined) return choices;
  return { ...choices, isBatched: false };
}
