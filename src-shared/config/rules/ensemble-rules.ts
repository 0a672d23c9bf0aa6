// An ensemble by its own text: what it must not have, complete steps, and a graph in which every tensor is produced
// and used. Checks against the composing models are in ensemble-interface-rules.ts.

import { hashTableOrder } from '../../hash-table-order.ts';
import type { ModelLookup } from '../composing-model.ts';
import {
  configIssue,
  explainedIssue,
  removeAt,
  setTo,
  type ConfigChange,
  type ConfigIssue,
} from '../config-issue.ts';
import type { EnsembleStep, ModelConfig } from '../model-config.ts';
import { nearestName } from '../nearest-name.ts';
import {
  connectInput,
  connectTo,
  declareTensor,
  dropMapping,
  mapOfModel,
  ownName,
} from './ensemble-fixes.ts';
import { EnsembleGraph } from './ensemble-graph.ts';
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
  return [...issues, ...checkSteps(name, ensembleScheduling.step, lookup), ...checkDataFlow(config, lookup)];
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
          explainedIssue(
            'D50',
            `must specify '${field}' in step ${index} of ensemble '${model}'`,
            { path: `${PATH}.step[${index}]` },
            () =>
              field === 'model_name'
                ? { hint: 'Name the model to call.' }
                : {
                    hint: 'Write key (model) and value (ensemble).',
                    changes: mapOfModel(step, index, field === 'input_map' ? 'input' : 'output', lookup),
                  },
          ),
        ],
  );
}

/** One step after the other: what it lacks, then what it writes a second time. */
function checkSteps(
  model: string,
  steps: readonly EnsembleStep[],
  lookup: ModelLookup | undefined,
): ConfigIssue[] {
  const written = new Set<string>();
  const names = new Set(steps.flatMap((step) => Object.values(step.outputMap)));
  return steps.flatMap((step, index) => [
    ...checkStep(model, step, index, lookup),
    ...Object.entries(step.outputMap).flatMap(([output, tensor]) => {
      if (!written.has(tensor)) {
        written.add(tensor);
        return [];
      }
      const message = `ensemble tensor '${tensor}' can appear in an output map only once for ensemble '${model}' step ${index}`;
      const path = `${PATH}.step[${index}].output_map[${JSON.stringify(output)}]`;
      const issue = explainedIssue('D50', message, { path }, () => ({
        hint: 'Give each written tensor a name of its own.',
        changes: [ownName(path, tensor, names), ...dropMapping(step, index, output)],
      }));
      return [issue];
    }),
  ]);
}

/** More outputs whose ways are followed back than anybody reads. */
const MAX_CAUSES = 100;

function checkDataFlow(config: ModelConfig, lookup: ModelLookup | undefined): ConfigIssue[] {
  const graph = new EnsembleGraph(config.ensembleScheduling?.step ?? [], `${PATH}.step`);
  const flow: DataFlow = {
    config,
    lookup,
    graph,
    ready: graph.ready(config.input.map((input) => input.name)),
  };
  const issues: ConfigIssue[] = [];
  for (const [index, input] of config.input.entries()) {
    if (!graph.tensors.has(input.name)) issues.push(unusedTensor(flow, 'input', input.name, index));
  }
  for (const [index, output] of config.output.entries()) {
    if (!graph.tensors.has(output.name)) issues.push(unusedTensor(flow, 'output', output.name, index));
    else if (!flow.ready.has(output.name)) issues.push(notWritten(flow, index, issues.length < MAX_CAUSES));
  }
  const outputs = new Set(config.output.map((output) => output.name));
  const unused = new Set(
    [...graph.tensors.keys()].filter(
      (tensor) => !outputs.has(tensor) && !(flow.ready.has(tensor) && graph.isUsed(tensor)),
    ),
  );
  if (unused.size === 0) return issues;
  for (const tensor of hashTableOrder(graph.namedTensors())) {
    const node = graph.tensors.get(tensor);
    if (node === undefined || !unused.has(tensor)) continue;
    const { writer } = node;
    const hint =
      writer === undefined
        ? `No step writes ${tensor}, and it is no input of the ensemble.`
        : flow.ready.has(tensor)
          ? `No step reads ${tensor}, and it is no output of the ensemble.`
          : `The step that writes ${tensor} does not get all of its inputs.`;
    const message = `ensemble tensor '${tensor}' is unused in ensemble '${config.name}'`;
    issues.push(
      explainedIssue('D50', message, { path: node.path }, () => ({
        hint,
        changes: unusedFixes(flow, tensor),
      })),
    );
  }
  return issues;
}

interface DataFlow {
  readonly config: ModelConfig;
  readonly lookup: ModelLookup | undefined;
  readonly graph: EnsembleGraph;
  /** Tensors that can be computed. */
  readonly ready: ReadonlySet<string>;
}

/** An input or output of the ensemble that no step names. */
function unusedTensor(
  { config, graph }: DataFlow,
  direction: 'input' | 'output',
  tensor: string,
  index: number,
): ConfigIssue {
  const message = `ensemble ${direction} '${tensor}' for ensemble ${config.name}' is not used`;
  return explainedIssue('D50', message, { path: `${direction}[${index}].name` }, () => {
    const declared = new Set([...config.input, ...config.output].map((each) => each.name));
    const nearest = nearestName(
      tensor,
      [...graph.tensors].flatMap(([key, { writer }]) =>
        (direction === 'output') === (writer !== undefined) && !declared.has(key) ? [key] : [],
      ),
    );
    if (nearest === undefined) {
      return { hint: `No step names ${tensor}.`, changes: [removeAt(`${direction}[${index}]`)] };
    }
    return {
      hint: `No step names ${tensor}. Did you mean "${nearest}"?`,
      changes: [setTo(`${direction}[${index}].name`, nearest)],
    };
  });
}

/** Ways on for a tensor that nobody writes, that nobody reads, or that needs itself. */
function unusedFixes({ config, graph, ready, lookup }: DataFlow, tensor: string): ConfigChange[] {
  const node = graph.tensors.get(tensor);
  if (node === undefined) return [];
  const { path, writer } = node;
  const step = writer && config.ensembleScheduling?.step[writer.step];
  if (writer === undefined || step === undefined) {
    return [
      ...readElsewhere(config, tensor, ready, lookup),
      ...declareTensor(config, 'input', tensor, lookup),
    ];
  }
  if (graph.isUsed(tensor))
    return graph.leadsToItself(tensor) ? readElsewhere(config, tensor, ready, lookup) : [];
  const unwritten = config.output
    .map(({ name }) => name)
    .filter((name) => graph.tensors.get(name)?.writer === undefined);
  return [
    ...connectTo(path, tensor, unwritten),
    ...declareTensor(config, 'output', tensor, lookup),
    ...dropMapping(step, writer.step, writer.output),
  ];
}

/** Places for which a repair is offered. */
const MAX_PLACES = 10;

/** Whoever reads `tensor` reads something that is there instead. */
function readElsewhere(
  config: ModelConfig,
  tensor: string,
  ready: ReadonlySet<string>,
  lookup: ModelLookup | undefined,
): ConfigChange[] {
  const sources = new Set([...config.input.map((input) => input.name), ...ready]);
  const places = (config.ensembleScheduling?.step ?? []).flatMap((step, index) =>
    Object.entries(step.inputMap).flatMap(([name, read]) =>
      read === tensor ? [{ index, name, tensor }] : [],
    ),
  );
  return places.slice(0, MAX_PLACES).flatMap((place) => connectInput(config, place, sources, lookup));
}

/** `isExplained`: the message tells where the way to the output is broken. */
function notWritten(
  { config, graph, ready, lookup }: DataFlow,
  index: number,
  isExplained: boolean,
): ConfigIssue {
  const output = config.output[index]?.name ?? '';
  const source = isExplained ? graph.sourceOf(output, ready) : output;
  const cause =
    source === output ? '' : `: at least one of its depending tensors, '${source}', is not connected`;
  const own = `output[${index}].name`;
  const path = source === output ? own : (graph.tensors.get(source)?.path ?? own);
  const message = `output '${output}' for ensemble '${config.name}' is not written${cause}`;
  return explainedIssue('D50', message, { path }, () => ({
    hint: `A step must write ${output}, starting from the inputs of the ensemble.`,
    changes: source === output ? [] : readElsewhere(config, source, ready, lookup),
  }));
}
