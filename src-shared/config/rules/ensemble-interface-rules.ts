// An ensemble against its composing models: whether they are there, and whether tensors that pass between them agree.
// Composing models come with their completed configurations; nested ensembles are models like any other.

import { areCompatible, formatShape, withBatchDim } from '../../tensor/shape.ts';
import type { ModelLookup } from '../composing-model.ts';
import {
  actionFix,
  configIssue,
  explainedIssue,
  nameList,
  removeAt,
  renameEntry,
  setTo,
  type ConfigChange,
  type ConfigIssue,
  type IssueAdvice,
} from '../config-issue.ts';
import type { EnsembleStep, ModelConfig, ModelInput, ModelOutput } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';
import { checkDecoupledOrigins } from './ensemble-decoupled-rules.ts';
import { connectInput, cyclicSteps, findModel } from './ensemble-fixes.ts';

/** Repairs of one kind that are offered at most. */
const MAX_OFFERS = 20;

/** Errors after which the rest of an ensemble is not looked at. */
const MAX_ERRORS = 1000;

const stepPath = (index: number): string => `ensemble_scheduling.step[${index}]`;

/** Whether the models are there, in the state that the ensemble needs. `known`: names that a step could mean. */
export function checkEnsembleDependencies(
  config: ModelConfig,
  lookup: ModelLookup,
  known: readonly string[] = [],
): ConfigIssue[] {
  const steps = config.ensembleScheduling?.step ?? [];
  const unknown = new Set(steps.map((step) => step.modelName).filter((name) => lookup(name) === undefined));
  const issues: ConfigIssue[] = [];
  if (unknown.size > 0) {
    const at = steps.findIndex((step) => unknown.has(step.modelName));
    const message = `ensemble ${config.name} contains models that are not available or ambiguous: ${nameList([...unknown].toSorted())}`;
    const issue = explainedIssue('D50', message, { path: `${stepPath(at)}.model_name` }, () => ({
      hint: 'Every composing model must be in the repository.',
      changes: [...steps.entries()]
        .filter(([, step]) => unknown.has(step.modelName))
        .slice(0, MAX_OFFERS)
        .flatMap(([index, step]) => findModel(index, step.modelName, known)),
    }));
    issues.push(issue);
  }
  const cycle = findEnsembleCycle(config, lookup);
  if (cycle !== undefined) {
    const issue = explainedIssue('D50', cycle, { path: 'ensemble_scheduling' }, () => ({
      hint: 'Remove the step that leads back.',
      changes: cyclicSteps(config, lookup),
    }));
    return [...issues, issue];
  }
  return [...issues, ...steps.flatMap((step, index) => checkStepState(config.name, step, index, lookup))];
}

function checkStepState(
  ensemble: string,
  step: EnsembleStep,
  index: number,
  lookup: ModelLookup,
): ConfigIssue[] {
  const model = lookup(step.modelName);
  if (model === undefined) return [];
  const subject = `ensemble '${ensemble}' depends on '${step.modelName}'`;
  const issue = (message: string, field: string, hint: string): ConfigIssue[] => {
    const path = `${stepPath(index)}.${field}`;
    const changes =
      field === 'model_version'
        ? [setTo(path, -1, 'Use the newest version')]
        : [actionFix('open-model', `Open ${step.modelName}`, step.modelName)];
    return [configIssue('D50', message, { path, hint, changes })];
  };
  if (model.invalidReason !== undefined) {
    const message = `${subject} which is not valid. Model '${step.modelName}' failed with error: ${model.invalidReason}`;
    return issue(message, 'model_name', `Repair ${step.modelName} first.`);
  }
  if (model.readyVersions.length === 0) {
    const cause =
      model.loadError === undefined
        ? ''
        : ` Model '${step.modelName}' loading failed with error: ${model.loadError}`;
    return issue(
      `${subject} which has no loaded version.${cause}`,
      'model_name',
      `Load ${step.modelName} first.`,
    );
  }
  if (step.modelVersion === -1 || model.readyVersions.includes(step.modelVersion)) return [];
  const message = `${subject} whose required version ${step.modelVersion} is not loaded.`;
  const hint = `Loaded: ${model.readyVersions.join(', ')}. Write model_version: -1 for the newest.`;
  return issue(message, 'model_version', hint);
}

/** The reference's sentence about a cycle that `config` is part of or leads into; undefined when there is none. */
export function findEnsembleCycle(config: ModelConfig, lookup: ModelLookup): string | undefined {
  const done = new Set<string>();
  const above = new Set<string>();
  const visit = (current: ModelConfig): string | undefined => {
    above.add(current.name);
    for (const { modelName } of current.ensembleScheduling?.step ?? []) {
      if (above.has(modelName)) {
        return `circular dependency between ensembles: ${modelName} -> ... -> ${current.name} -> ${modelName}`;
      }
      if (done.has(modelName)) continue;
      const next = lookup(modelName)?.config;
      const cycle = next === undefined ? undefined : visit(next);
      if (cycle !== undefined) return cycle;
      done.add(modelName);
    }
    above.delete(current.name);
    return undefined;
  };
  return visit(config);
}

/** What is known about an ensemble tensor from the first model that uses it. */
interface KnownTensor {
  readonly model: string;
  readonly dataType: string;
  readonly dims: readonly number[];
  readonly fullShape: readonly number[];
  /** Where the ensemble itself describes it; undefined for what a step says. */
  readonly path?: string;
  readonly maxBatchSize: number;
}

/** Batch sizes, names, types and shapes; models that the lookup does not know are passed over. */
export function checkEnsembleInterfaces(config: ModelConfig, lookup: ModelLookup): ConfigIssue[] {
  const tensors = new Map<string, KnownTensor>();
  for (const direction of ['input', 'output'] as const) {
    for (const [index, tensor] of config[direction].entries()) {
      const path = `${direction}[${index}]`;
      if (!tensors.has(tensor.name)) tensors.set(tensor.name, { ...knownTensor(config, tensor, true), path });
    }
  }
  const interfaces = new Map<string, ModelInterface>();
  let issues: ConfigIssue[] = [];
  for (const [index, step] of (config.ensembleScheduling?.step ?? []).entries()) {
    const model = lookup(step.modelName)?.config;
    if (model === undefined) continue;
    // Said once for each model, however many steps run it.
    if (!interfaces.has(step.modelName))
      issues = issues.concat(checkBatchSize(config, step.modelName, model));
    const known = interfaces.get(step.modelName) ?? interfaceOf(model);
    interfaces.set(step.modelName, known);
    issues = issues.concat(checkStepInterface(config, step, index, { known, tensors, lookup }));
    if (issues.length >= MAX_ERRORS) return issues;
  }
  return issues.concat(checkDecoupledOrigins(config, (name) => lookup(name)?.config));
}

/** Inputs and outputs of a composing model by name. */
interface ModelInterface {
  readonly model: ModelConfig;
  readonly input: ReadonlyMap<string, ModelInput>;
  readonly output: ReadonlyMap<string, ModelOutput>;
  readonly required: readonly ModelInput[];
}

function interfaceOf(model: ModelConfig): ModelInterface {
  return {
    model,
    input: new Map(model.input.map((input) => [input.name, input])),
    output: new Map(model.output.map((output) => [output.name, output])),
    required: model.input.filter((input) => !input.optional),
  };
}

function knownTensor(model: ModelConfig, tensor: ModelInput | ModelOutput, useReshape: boolean): KnownTensor {
  const dims = (useReshape ? tensor.reshape?.shape : undefined) ?? tensor.dims;
  const fullShape = withBatchDim(dims, model.maxBatchSize);
  const { name, maxBatchSize } = model;
  return { model: name, dataType: tensor.dataType, dims, fullShape, maxBatchSize };
}

interface StepFacts {
  /** Of the step's model. */
  readonly known: ModelInterface;
  /** Of the ensemble, as described by the steps before. */
  readonly tensors: Map<string, KnownTensor>;
  readonly lookup: ModelLookup;
}

function checkBatchSize(ensemble: ModelConfig, modelName: string, model: ModelConfig): ConfigIssue[] {
  if (model.maxBatchSize === 0 || ensemble.maxBatchSize <= model.maxBatchSize) return [];
  const message = `ensemble ${ensemble.name} allows maximum batch size ${ensemble.maxBatchSize}, but it contains model ${modelName} which only allows maximum batch size to be ${model.maxBatchSize}`;
  const hint = `Lower max_batch_size to ${model.maxBatchSize}, or raise that of ${modelName}.`;
  const changes = [setTo('max_batch_size', model.maxBatchSize)];
  return [configIssue('D50', message, { path: 'max_batch_size', hint, changes })];
}

function checkStepInterface(
  ensemble: ModelConfig,
  step: EnsembleStep,
  index: number,
  { known, tensors, lookup }: StepFacts,
): ConfigIssue[] {
  const context: MapContext = { ensemble: ensemble.name, step, index, known, tensors };
  const missing = known.required.filter((input) => !Object.hasOwn(step.inputMap, input.name));
  const unmapped = missing.slice(0, MAX_ERRORS).map(({ name }) => {
    const message = `in ensemble ${ensemble.name}, input ${name} in model ${step.modelName} is not mapped to any ensemble tensors`;
    return explainedIssue('D50', message, { path: stepPath(index) }, () => {
      const own = new Set(Object.values(step.outputMap));
      const sources = availableTensors(ensemble).filter((tensor) => !own.has(tensor));
      return {
        hint: `Add input_map { key: "${name}" value: "..." }.`,
        changes: connectInput(ensemble, { index, name }, sources, lookup),
      };
    });
  });
  return [...checkMap(context, 'input'), ...unmapped, ...checkMap(context, 'output')];
}

/** What a step could read: inputs of the ensemble, and what steps write. */
function availableTensors({ input, ensembleScheduling }: ModelConfig): readonly string[] {
  const written = (ensembleScheduling?.step ?? []).flatMap((step) => Object.values(step.outputMap));
  return [...new Set([...input.map(({ name }) => name), ...written])];
}

interface MapContext {
  readonly ensemble: string;
  readonly step: EnsembleStep;
  readonly index: number;
  readonly known: ModelInterface;
  readonly tensors: Map<string, KnownTensor>;
}

function checkMap(context: MapContext, direction: 'input' | 'output'): ConfigIssue[] {
  const { ensemble, step, index, known, tensors } = context;
  const map = direction === 'input' ? step.inputMap : step.outputMap;
  const issues: ConfigIssue[] = [];
  for (const [name, tensorName] of Object.entries(map)) {
    const path = `${stepPath(index)}.${direction}_map[${JSON.stringify(name)}]`;
    const prefix = `in ensemble ${ensemble}, ensemble tensor ${tensorName}`;
    const tensor = known[direction].get(name);
    if (tensor === undefined) {
      const relation = direction === 'input' ? 'is mapping to' : 'is mapped from';
      const message = `${prefix} ${relation} non-existing ${direction} ${name} in model ${step.modelName}`;
      issues.push(
        explainedIssue('D50', message, { path }, () =>
          adviseMapping(map, { name, path, names: [...known[direction].keys()] }),
        ),
      );
      if (issues.length >= MAX_ERRORS) break;
      continue;
    }
    const seen = knownTensor(known.model, tensor, false);
    const earlier = tensors.get(tensorName);
    if (earlier === undefined) tensors.set(tensorName, seen);
    else issues.push(...compareTensors(prefix, earlier, seen, path));
  }
  return issues;
}

/** For an entry of `map` at `path` whose `name` the model has not; `names` are those that it has. */
function adviseMapping(
  map: Readonly<Record<string, string>>,
  { name, path, names }: { readonly name: string; readonly path: string; readonly names: readonly string[] },
): IssueAdvice {
  const nearest = nearestName(name, names);
  const free = names.filter((each) => !Object.hasOwn(map, each));
  const to = nearestName(name, free) ?? (free.length === 1 ? free[0] : undefined);
  const renamed = to === undefined ? [] : [renameEntry(path, to)];
  return {
    hint: nearest === undefined ? `It has: ${nameList(names)}.` : `Did you mean "${nearest}"?`,
    changes: [...renamed, removeAt(path, `Remove ${name}`)],
  };
}

function compareTensors(
  prefix: string,
  earlier: KnownTensor,
  seen: KnownTensor,
  path: string,
): ConfigIssue[] {
  const hint = `${earlier.model} and ${seen.model} must agree, or a step between them must convert.`;
  if (earlier.dataType !== seen.dataType) {
    const message = `${prefix}: inconsistent data type: ${earlier.dataType} is inferred from model ${earlier.model} while ${seen.dataType} is inferred from model ${seen.model}`;
    const changes = agree(earlier, seen, 'data_type');
    return [configIssue('D50', message, { path, hint, changes })];
  }
  if (areCompatible(earlier.dims, seen.dims) || areCompatible(earlier.fullShape, seen.fullShape)) return [];
  const message = `${prefix}: inconsistent shape: ${formatShape(earlier.fullShape)} is inferred from model ${earlier.model} while ${formatShape(seen.fullShape)} is inferred from model ${seen.model}`;
  return [configIssue('D50', message, { path, hint, changes: agree(earlier, seen, 'dims') })];
}

/** The ensemble's own description follows the model's; between two steps one of the models has to change. */
function agree(earlier: KnownTensor, seen: KnownTensor, field: 'data_type' | 'dims'): ConfigChange[] {
  if (earlier.path === undefined) {
    return [earlier, seen].map(({ model }) => actionFix('open-model', `Open ${model}`, model));
  }
  const path = `${earlier.path}.${field}`;
  if (field === 'data_type') return [setTo(path, seen.dataType)];
  return [setTo(path, earlier.maxBatchSize > 0 ? seen.fullShape.slice(1) : seen.fullShape)];
}
