// Repairs of an ensemble's graph: names that meet, tensors that the ensemble declares, mappings from the composing
// models. Only what the given models are known to take is written; without them fewer repairs are offered.

import { areCompatible, withBatchDim } from '../../tensor/shape.ts';
import type { ModelLookup } from '../composing-model.ts';
import { actionFix, removeAt, setTo, type ConfigChange } from '../config-issue.ts';
import type { EnsembleStep, ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';

const STEPS = 'ensemble_scheduling.step';

/** Which map of a step is meant. */
export type Direction = 'input' | 'output';

/** Other names are offered when none is close, so that a finding is never without a way on. */
const MAX_OFFERS = 2;

/** Field path of one entry of the input_map or output_map of a step. */
function mapEntryPath(index: number, direction: Direction, name: string): string {
  return `${STEPS}[${index}].${direction}_map[${JSON.stringify(name)}]`;
}

/** Another tensor for a map entry: the nearest of `candidates`, or the first ones. */
export function connectTo(path: string, tensor: string, candidates: Iterable<string>): ConfigChange[] {
  const names = [...candidates].filter((name) => name !== tensor);
  const nearest = nearestName(tensor, names);
  const offered = nearest === undefined ? names.slice(0, MAX_OFFERS) : [nearest];
  return offered.map((name) => setTo(path, name, `Connect to ${name}`));
}

/**
 * Another tensor for what the input `name` of a step reads: of `candidates` those whose type and shape it takes, as far as
 * those are known; all of them where none does.
 */
export function connectInput(
  config: ModelConfig,
  { index, name, tensor = name }: { readonly index: number; readonly name: string; readonly tensor?: string },
  candidates: Iterable<string>,
  lookup: ModelLookup | undefined,
): ConfigChange[] {
  const all = [...candidates];
  const model = lookup?.(config.ensembleScheduling?.step[index]?.modelName ?? '')?.config;
  const input = model?.input.find((each) => each.name === name);
  const fitting =
    model === undefined || input === undefined
      ? all
      : all.filter((candidate) => fits({ model, tensor: input }, writtenTensor(config, candidate, lookup)));
  return connectTo(mapEntryPath(index, 'input', name), tensor, fitting.length === 0 ? all : fitting);
}

/** What is not known may fit. */
function fits(wanted: Described, given: Described | undefined): boolean {
  if (given === undefined) return true;
  const [to, from] = [wanted.tensor, given.tensor];
  if (to.dataType !== from.dataType) return false;
  const [full, other] = [wanted, given].map(({ model, tensor }) =>
    withBatchDim(tensor.dims, model.maxBatchSize),
  );
  return areCompatible(to.dims, from.dims) || areCompatible(full ?? [], other ?? []);
}

/** A tensor as the ensemble declares it as an input, or as the step that writes it describes it. */
function writtenTensor(
  config: ModelConfig,
  name: string,
  lookup: ModelLookup | undefined,
): Described | undefined {
  const own = config.input.find((input) => input.name === name);
  if (own !== undefined) return { model: config, tensor: own };
  for (const { modelName, outputMap } of config.ensembleScheduling?.step ?? []) {
    const model = lookup?.(modelName)?.config;
    const tensor = model?.output.find(
      (output) => Object.hasOwn(outputMap, output.name) && outputMap[output.name] === name,
    );
    if (model !== undefined && tensor !== undefined) return { model, tensor };
  }
  return undefined;
}

/** The tensor as an input or output of the ensemble, described as a composing model describes it. */
export function declareTensor(
  config: ModelConfig,
  direction: Direction,
  tensor: string,
  lookup: ModelLookup | undefined,
): ConfigChange[] {
  const known = describedTensor(config, tensor, lookup);
  if (known === undefined) return [];
  const { dataType } = known.tensor;
  const full = withBatchDim(known.tensor.dims, known.model.maxBatchSize);
  const dims = config.maxBatchSize > 0 ? full.slice(1) : full;
  const value = { name: tensor, dataType, dims: dims.length === 0 ? [1] : dims };
  const path = `${direction}[${config[direction].length}]`;
  return [{ title: `Add ${direction} ${tensor} to the ensemble`, sets: [{ path, value }] }];
}

interface Described {
  readonly model: ModelConfig;
  readonly tensor: ModelInput | ModelOutput;
}

function describedTensor(
  config: ModelConfig,
  tensor: string,
  lookup: ModelLookup | undefined,
): Described | undefined {
  for (const step of config.ensembleScheduling?.step ?? []) {
    const model = lookup?.(step.modelName)?.config;
    if (model === undefined) continue;
    const { inputMap, outputMap } = step;
    const found =
      model.input.find(({ name }) => Object.hasOwn(inputMap, name) && inputMap[name] === tensor) ??
      model.output.find(({ name }) => Object.hasOwn(outputMap, name) && outputMap[name] === tensor);
    if (found !== undefined) return { model, tensor: found };
  }
  return undefined;
}

/** The mapping taken out, where the step keeps another one. */
export function dropMapping(step: EnsembleStep, index: number, output: string): ConfigChange[] {
  if (Object.keys(step.outputMap).length < 2) return [];
  return [removeAt(mapEntryPath(index, 'output', output), `Do not take ${output} from the step`)];
}

/** A name for a tensor that is written twice. */
export function ownName(path: string, tensor: string, taken: ReadonlySet<string>): ConfigChange {
  let number = 2;
  while (taken.has(`${tensor}_${number}`)) number += 1;
  return setTo(path, `${tensor}_${number}`, `Rename to ${tensor}_${number}`);
}

/** A whole map with the names of the model on both sides. */
export function mapOfModel(
  step: EnsembleStep,
  index: number,
  direction: Direction,
  lookup: ModelLookup | undefined,
): ConfigChange[] {
  const model = lookup?.(step.modelName)?.config;
  if (model === undefined || model[direction].length === 0) return [];
  const names = model[direction].map(({ name }) => [name, name]);
  const path = `${STEPS}[${index}].${direction}_map`;
  return [setTo(path, Object.fromEntries(names), `Map the ${direction}s of ${step.modelName}`)];
}

/** A composing model that the repository does not have. */
export function findModel(index: number, name: string, known: readonly string[]): ConfigChange[] {
  const nearest = nearestName(name, known);
  return [
    ...(nearest === undefined
      ? []
      : [setTo(`${STEPS}[${index}].model_name`, nearest, `Change to ${nearest}`)]),
    actionFix('import-model', `Import ${name}`, name),
  ];
}

const MAX_REMOVALS = 20;

/** Steps of `config` from which its own name can be reached again. */
export function cyclicSteps(config: ModelConfig, lookup: ModelLookup): ConfigChange[] {
  const leadingBack = namesLeadingTo(config, lookup);
  return [...(config.ensembleScheduling?.step ?? []).entries()]
    .filter(([, { modelName }]) => leadingBack.has(modelName))
    .slice(0, MAX_REMOVALS)
    .map(([index, { modelName }]) => removeAt(`${STEPS}[${index}]`, `Remove the step of ${modelName}`));
}

/** Models below `config` that have it below themselves, and its own name. */
function namesLeadingTo(config: ModelConfig, lookup: ModelLookup): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const seen = new Set([config.name]);
  const waiting = [config];
  for (let model = waiting.pop(); model !== undefined; model = waiting.pop()) {
    for (const { modelName } of model.ensembleScheduling?.step ?? []) {
      const usersOf = users.get(modelName) ?? [];
      usersOf.push(model.name);
      users.set(modelName, usersOf);
      const next = seen.has(modelName) ? undefined : lookup(modelName)?.config;
      seen.add(modelName);
      if (next !== undefined) waiting.push(next);
    }
  }
  const found = new Set([config.name]);
  for (const name of found) for (const user of users.get(name) ?? []) found.add(user);
  return found;
}
