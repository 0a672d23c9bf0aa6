// Texts that make sense in a string field at a place: tensor and model names, backends, accelerators, parameters.

import type { BackendDescription } from './backend-description.ts';
import { CUSTOMIZABLE_METRIC_FAMILY } from './config-defaults.ts';
import { itemsOf, type PathContext } from './config-path.ts';
import type { EditorFacts } from './editor-facts.ts';
import { ENSEMBLE_PLATFORM } from './rules/identity-rules.ts';
import type { FieldSchema } from './schema/field-types.ts';
import type { MessageNode, TextTree } from './text-format/ast.ts';

interface StringValue {
  readonly text: string;
  readonly detail: string;
}

/** Candidates for `field` at `context`, best first. */
export function stringValuesFor(
  tree: TextTree,
  field: FieldSchema,
  context: PathContext,
  facts: EditorFacts,
): readonly StringValue[] {
  const type = context.schema?.typeName.replace(/^inference\./, '') ?? '';
  const known = FIXED[`${type}.${field.name}`];
  if (known !== undefined) return list(known, '');
  const inputs = facts.description?.inputs.map((tensor) => tensor.name) ?? [];
  const outputs = facts.description?.outputs.map((tensor) => tensor.name) ?? [];
  const backends = facts.backends ?? [];
  switch (`${type}.${field.name}`) {
    case 'ModelConfig.backend':
      return runnableFirst(backends).map(({ name, title, needs }) => ({
        text: name,
        detail: needs ?? title,
      }));
    case 'ModelConfig.platform':
      return platforms(backends);
    case 'ModelConfig.default_model_filename':
      return artefacts(writtenBackends(tree, backends));
    case 'ModelConfig.ParametersEntry.key':
      return writtenBackends(tree, backends).flatMap(({ parameters }) =>
        parameters.map(({ name, summary }) => ({ text: name, detail: summary })),
      );
    case 'ModelInput.name':
    case 'ModelSequenceBatching.ControlInput.name':
    case 'ModelSequenceBatching.State.input_name':
    case 'BatchInput.target_name':
      return list(unwritten(inputs, tree, 'input'), 'input of the model file');
    case 'ModelOutput.name':
    case 'ModelSequenceBatching.State.output_name':
      return list(unwritten(outputs, tree, 'output'), 'output of the model file');
    case 'BatchInput.source_input':
    case 'BatchOutput.source_input':
    case 'ModelWarmup.InputsEntry.key':
      return list(writtenNames(tree, 'input'), 'input');
    case 'BatchOutput.target_name':
      return list(writtenNames(tree, 'output'), 'output');
    case 'ModelEnsembling.Step.model_name':
      return list(facts.models?.map((model) => model.name) ?? [], 'model');
    case 'ModelEnsembling.Step.InputMapEntry.key':
    case 'ModelEnsembling.Step.OutputMapEntry.key':
      return stepTensors(context, facts, type.includes('InputMap') ? 'inputs' : 'outputs');
    case 'ModelEnsembling.Step.InputMapEntry.value':
    case 'ModelEnsembling.Step.OutputMapEntry.value':
      return list(ensembleTensors(tree), 'ensemble tensor');
    default:
      return [];
  }
}

const FIXED: Readonly<Record<string, readonly string[]>> = {
  'ModelOptimizationPolicy.ExecutionAccelerators.Accelerator.name': ['tensorrt', 'cuda', 'openvino'],
  'ModelMetrics.MetricControl.MetricIdentifier.family': [CUSTOMIZABLE_METRIC_FAMILY],
};

const runnableFirst = (backends: readonly BackendDescription[]): readonly BackendDescription[] =>
  backends.toSorted((a, b) => Number(a.needs !== undefined) - Number(b.needs !== undefined));

function platforms(backends: readonly BackendDescription[]): StringValue[] {
  const own = runnableFirst(backends).flatMap(({ title, artefacts: forms }) =>
    forms.flatMap(({ platform }) => (platform === undefined ? [] : [{ text: platform, detail: title }])),
  );
  return [...own, { text: ENSEMBLE_PLATFORM, detail: 'steps that are other models' }];
}

function artefacts(backends: readonly BackendDescription[]): StringValue[] {
  return backends.flatMap(({ artefacts: forms, title }) =>
    forms.map(({ name }) => ({ text: name, detail: title })),
  );
}

/** The backend that the text names, by itself or by its platform; all that run here when it names none. */
function writtenBackends(
  tree: TextTree,
  backends: readonly BackendDescription[],
): readonly BackendDescription[] {
  const [name] = stringsOf(tree.root, 'backend');
  const [platform] = stringsOf(tree.root, 'platform');
  const written = backends.find(
    (backend) =>
      backend.name === name ||
      backend.artefacts.some(
        (form) => form.platform === platform && name === undefined && platform !== undefined,
      ),
  );
  if (written !== undefined) return [written];
  return name === undefined ? backends.filter(({ needs }) => needs === undefined) : [];
}

const list = (texts: readonly string[], detail: string): StringValue[] =>
  [...new Set(texts)].filter((text) => text !== '').map((text) => ({ text, detail }));

/** Names of the tensors that `input` or `output` blocks of the document describe. */
function writtenNames(tree: TextTree, block: 'input' | 'output'): string[] {
  return itemsOf(tree.root, block).flatMap(({ value }) =>
    value.kind === 'message' ? stringsOf(value, 'name') : [],
  );
}

/** Names that have no block yet come first; the others stay, to be typed again. */
function unwritten(names: readonly string[], tree: TextTree, block: 'input' | 'output'): string[] {
  const written = new Set(writtenNames(tree, block));
  return [...names.filter((name) => !written.has(name)), ...names.filter((name) => written.has(name))];
}

function stringsOf(message: MessageNode, name: string): string[] {
  return itemsOf(message, name).flatMap(({ value }) => (value.kind === 'scalar' ? [value.value] : []));
}

/** The innermost step around the place is the message before the map entry. */
function stepTensors(
  context: PathContext,
  facts: EditorFacts,
  side: 'inputs' | 'outputs',
): readonly StringValue[] {
  const step = context.ancestors.at(-2)?.message;
  const [modelName] = step === undefined ? [] : stringsOf(step, 'model_name');
  const model = facts.models?.find((each) => each.name === modelName);
  return list(
    model?.[side] ?? [],
    `${side === 'inputs' ? 'input' : 'output'} of ${modelName ?? 'the model'}`,
  );
}

/** Every tensor the ensemble names: its own inputs and outputs, and what its steps read and write. */
function ensembleTensors(tree: TextTree): string[] {
  const steps = itemsOf(tree.root, 'ensemble_scheduling').flatMap(({ value }) =>
    value.kind === 'message' ? itemsOf(value, 'step') : [],
  );
  const mapped = steps.flatMap(({ value: step }) => {
    if (step.kind !== 'message') return [];
    return ['input_map', 'output_map'].flatMap((map) =>
      itemsOf(step, map).flatMap(({ value }) => (value.kind === 'message' ? stringsOf(value, 'value') : [])),
    );
  });
  return [...writtenNames(tree, 'input'), ...mapped, ...writtenNames(tree, 'output')];
}
