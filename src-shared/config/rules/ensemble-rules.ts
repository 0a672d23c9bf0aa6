// An ensemble by its own text: what it must not have, complete steps, and a graph in which every tensor is produced
// and used. Checks against the composing models are in ensemble-interface-rules.ts.

import type { ModelLookup } from '../composing-model.ts';
import { configIssue, removeAt, setTo, type ConfigChange, type ConfigIssue } from '../config-issue.ts';
import type { EnsembleStep, ModelConfig } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';
import {
  connectTo,
  declareTensor,
  dropMapping,
  mapEntryPath,
  mapOfModel,
  ownName,
} from './ensemble-fixes.ts';
import { ENSEMBLE_PLATFORM } from './identity-rules.ts';

const PATH = 'ensemble_scheduling';

/** With the composing models more repairs can be offered; what is wrong does not depend on them. */
export function checkEnsemble(config: ModelConfig, lookup?: ModelLookup): ConfigIssue[] {
  const { name, ensembleScheduling } = config;
  if (ensembleScheduling === undefined) {
    if (config.platform !== ENSEMBLE_PLATFORM) return [];
    return [
      configIssue('D50', `ensemble scheduling must be set for ensemble ${name} whose platform is ensemble`, {
        path: 'platform',
        hint: 'Add ensemble_scheduling { step [ ... ] }.',
      }),
    ];
  }
  const issues = checkForbidden(config);
  if (ensembleScheduling.step.length === 0) {
    const hint = 'Add a step for each composing model.';
    issues.push(configIssue('D50', `must specify 'step' for ensemble '${name}'`, { path: PATH, hint }));
    return issues;
  }
  issues.push(...ensembleScheduling.step.flatMap((step, index) => checkStep(name, step, index, lookup)));
  issues.push(...checkWrites(name, ensembleScheduling.step));
  issues.push(...checkDataFlow(config, lookup));
  return issues;
}

function checkForbidden(config: ModelConfig): ConfigIssue[] {
  const { name } = config;
  const issues: ConfigIssue[] = [];
  const add = (message: string, path: string, hint: string): void => {
    const changes = path === PATH ? [setTo('platform', ENSEMBLE_PLATFORM)] : [removeAt(path)];
    issues.push(configIssue('D55', message, { path, hint, changes }));
  };
  if (config.platform !== ENSEMBLE_PLATFORM) {
    const message = `ensemble scheduling cannot be set for model '${name}' whose platform is not ensemble`;
    add(message, PATH, 'Write platform: "ensemble" and no backend.');
  }
  if (config.instanceGroup.length > 0) {
    const message = `instance group should not be specified for ensemble '${name}'`;
    add(message, 'instance_group', 'An ensemble has no instances: set them in the composing models.');
  }
  if (config.optimization !== undefined) {
    const message = `optimization should not be specified for ensemble '${name}'`;
    add(message, 'optimization', 'Set it in the composing models.');
  }
  if (config.modelWarmup.length > 0) {
    const message = `model_warmup can not be specified for ensemble '${name}'`;
    add(message, 'model_warmup', 'Set it in the composing models.');
  }
  return issues;
}

function checkStep(
  model: string,
  step: EnsembleStep,
  index: number,
  lookup: ModelLookup | undefined,
): ConfigIssue[] {
  const missing = [
    step.modelName === '' ? 'model_name' : undefined,
    Object.keys(step.inputMap).length === 0 ? 'input_map' : undefined,
    Object.keys(step.outputMap).length === 0 ? 'output_map' : undefined,
  ];
  return missing.flatMap((field) =>
    field === undefined
      ? []
      : [
          configIssue('D50', `must specify '${field}' in step ${index} of ensemble '${model}'`, {
            path: `${PATH}.step[${index}]`,
            hint:
              field === 'model_name' ? 'Name the model to call.' : 'Write key (model) and value (ensemble).',
            changes:
              field === 'model_name'
                ? []
                : mapOfModel(step, index, field === 'input_map' ? 'input' : 'output', lookup),
          }),
        ],
  );
}

function checkWrites(model: string, steps: readonly EnsembleStep[]): ConfigIssue[] {
  const written = new Set<string>();
  const names = new Set(steps.flatMap((step) => Object.values(step.outputMap)));
  return steps.flatMap((step, index) =>
    Object.entries(step.outputMap).flatMap(([output, tensor]) => {
      if (!written.has(tensor)) {
        written.add(tensor);
        return [];
      }
      const message = `ensemble tensor '${tensor}' can appear in an output map only once for ensemble '${model}' step ${index}`;
      const path = `${PATH}.step[${index}].output_map[${JSON.stringify(output)}]`;
      const hint = 'Give each written tensor a name of its own.';
      const changes = [ownName(path, tensor, names), ...dropMapping(step, index, output)];
      return [configIssue('D50', message, { path, hint, changes })];
    }),
  );
}

interface TensorNode {
  readonly previous: Set<string>;
  readonly next: Set<string>;
  /** First place that names the tensor. */
  readonly path: string;
  /** The step output that writes it; undefined when none does. */
  writer?: { readonly step: number; readonly output: string };
}

function buildGraph(steps: readonly EnsembleStep[]): Map<string, TensorNode> {
  const graph = new Map<string, TensorNode>();
  const node = (tensor: string, path: string): TensorNode => {
    const known = graph.get(tensor) ?? { previous: new Set(), next: new Set(), path };
    graph.set(tensor, known);
    return known;
  };
  for (const [index, step] of steps.entries()) {
    const path = `${PATH}.step[${index}]`;
    const inputs = Object.entries(step.inputMap);
    for (const [input, tensor] of inputs) node(tensor, `${path}.input_map[${JSON.stringify(input)}]`);
    for (const [output, tensor] of Object.entries(step.outputMap)) {
      const written = node(tensor, `${path}.output_map[${JSON.stringify(output)}]`);
      written.writer ??= { step: index, output };
      for (const [, source] of inputs) {
        written.previous.add(source);
        graph.get(source)?.next.add(tensor);
      }
    }
  }
  return graph;
}

/** Tensors that can be computed: ensemble inputs, and whatever has only such tensors before it. */
function readyTensors(graph: ReadonlyMap<string, TensorNode>, inputs: readonly string[]): Set<string> {
  const ready = new Set(inputs.filter((name) => graph.has(name)));
  const waiting = [...ready];
  for (let tensor = waiting.shift(); tensor !== undefined; tensor = waiting.shift()) {
    for (const next of graph.get(tensor)?.next ?? []) {
      if (ready.has(next)) continue;
      const isReady = [...(graph.get(next)?.previous ?? [])].every((previous) => ready.has(previous));
      if (!isReady) continue;
      ready.add(next);
      waiting.push(next);
    }
  }
  return ready;
}

function checkDataFlow(config: ModelConfig, lookup: ModelLookup | undefined): ConfigIssue[] {
  const { name } = config;
  const graph = buildGraph(config.ensembleScheduling?.step ?? []);
  const issues: ConfigIssue[] = [];
  const declared = new Set([...config.input, ...config.output].map((each) => each.name));
  const unused = (direction: 'input' | 'output', tensor: string, index: number): void => {
    const nearest = nearestName(
      tensor,
      [...graph].flatMap(([key, { writer }]) =>
        (direction === 'output') === (writer !== undefined) && !declared.has(key) ? [key] : [],
      ),
    );
    const message = `ensemble ${direction} '${tensor}' for ensemble ${name}' is not used`;
    issues.push(
      configIssue('D50', message, {
        path: `${direction}[${index}].name`,
        hint: `No step names it.${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`,
        changes:
          nearest === undefined
            ? [removeAt(`${direction}[${index}]`)]
            : [setTo(`${direction}[${index}].name`, nearest)],
      }),
    );
  };
  for (const [index, input] of config.input.entries()) {
    if (!graph.has(input.name)) unused('input', input.name, index);
  }
  const ready = readyTensors(
    graph,
    config.input.map((input) => input.name),
  );
  for (const [index, output] of config.output.entries()) {
    if (!graph.has(output.name)) unused('output', output.name, index);
    else if (!ready.has(output.name)) issues.push(notWritten(config, index, graph, ready));
  }
  const outputs = new Set(config.output.map((output) => output.name));
  for (const [tensor, node] of graph) {
    if (outputs.has(tensor) || (ready.has(tensor) && node.next.size > 0)) continue;
    const { writer } = node;
    issues.push(
      configIssue('D50', `ensemble tensor '${tensor}' is unused in ensemble '${name}'`, {
        path: node.path,
        hint:
          writer !== undefined
            ? ready.has(tensor)
              ? 'No step reads it and it is no output of the ensemble.'
              : 'The step that writes it does not get all of its inputs.'
            : 'No step writes it and it is no input of the ensemble.',
        changes: unusedFixes(config, graph, { tensor, ready, lookup }),
      }),
    );
  }
  return issues;
}

/** Ways on for a tensor that nobody writes, that nobody reads, or that needs itself. */
function unusedFixes(
  config: ModelConfig,
  graph: ReadonlyMap<string, TensorNode>,
  facts: {
    readonly tensor: string;
    readonly ready: ReadonlySet<string>;
    readonly lookup: ModelLookup | undefined;
  },
): ConfigChange[] {
  const { tensor, ready, lookup } = facts;
  const node = graph.get(tensor);
  if (node === undefined) return [];
  const { path, writer, next } = node;
  const step = writer && config.ensembleScheduling?.step[writer.step];
  if (writer === undefined || step === undefined) {
    return [...readElsewhere(config, tensor, ready), ...declareTensor(config, 'input', tensor, lookup)];
  }
  if (next.size > 0) return leadsToItself(graph, tensor) ? readElsewhere(config, tensor, ready) : [];
  const unwritten = config.output.map(({ name }) => name).filter((name) => !graph.get(name)?.writer);
  return [
    ...connectTo(path, tensor, unwritten),
    ...declareTensor(config, 'output', tensor, lookup),
    ...dropMapping(step, writer.step, writer.output),
  ];
}

/** Whoever reads `tensor` reads something that is there instead. */
function readElsewhere(config: ModelConfig, tensor: string, ready: ReadonlySet<string>): ConfigChange[] {
  const sources = new Set([...config.input.map((input) => input.name), ...ready]);
  return (config.ensembleScheduling?.step ?? []).flatMap((step, index) =>
    Object.entries(step.inputMap).flatMap(([name, read]) =>
      read === tensor ? connectTo(mapEntryPath(index, 'input', name), tensor, sources) : [],
    ),
  );
}

function leadsToItself(graph: ReadonlyMap<string, TensorNode>, tensor: string): boolean {
  const seen = new Set<string>();
  const waiting = [...(graph.get(tensor)?.next ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === tensor) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...(graph.get(next)?.next ?? []));
  }
  return false;
}

function notWritten(
  config: ModelConfig,
  index: number,
  graph: ReadonlyMap<string, TensorNode>,
  ready: ReadonlySet<string>,
): ConfigIssue {
  const output = config.output[index]?.name ?? '';
  const visited = new Set([output]);
  let source = output;
  for (;;) {
    const previous = [...(graph.get(source)?.previous ?? [])].find(
      (tensor) => !ready.has(tensor) && !visited.has(tensor),
    );
    if (previous === undefined) break;
    source = previous;
    visited.add(previous);
  }
  const cause =
    source === output ? '' : `: at least one of its depending tensors, '${source}', is not connected`;
  return configIssue('D50', `output '${output}' for ensemble '${config.name}' is not written${cause}`, {
    path: source === output ? `output[${index}].name` : (graph.get(source)?.path ?? `output[${index}].name`),
    hint: 'A step must write it, starting from the inputs of the ensemble.',
    changes: source === output ? [] : readElsewhere(config, source, ready),
  });
}
