// Connections of an ensemble as edits of its text: what dragging a line, or choosing from a list, writes. Everything
// else of the text stays as it is. Pure.

import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import type { EnsembleStep, ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';

/** What writes a tensor: an input of the ensemble, or an output of a step. */
export type Source =
  | { readonly kind: 'input'; readonly tensor: string }
  | { readonly kind: 'step'; readonly step: number; readonly port: string };

/** What reads one: an input of a step, or an output of the ensemble. */
export type Target =
  | { readonly kind: 'output'; readonly tensor: string }
  | { readonly kind: 'step'; readonly step: number; readonly port: string };

/**
 * Why a line cannot be drawn: input straight to output, a circle, a place that is taken, a text that cannot be read.
 */
export type Refusal = 'direct' | 'cycle' | 'taken' | 'unreadable';

/** The new text, or why there is none. */
export type Connected = { readonly text: string } | { readonly refusal: Refusal };

/** The text with `target` reading what `source` writes. */
export function connect(text: string, source: Source, target: Target): Connected {
  const refusal = refusalOf(text, source, target);
  if (refusal !== undefined) return { refusal };
  return {
    text: target.kind === 'step' ? feedStep(text, source, target) : feedOutput(text, source, target.tensor),
  };
}

/** Why they cannot be connected; undefined = they can. */
export function refusalOf(text: string, source: Source, target: Target): Refusal | undefined {
  const { config, issues } = parseModelConfig(text);
  if (issues.some(({ severity }) => severity === 'error')) return 'unreadable';
  const steps = stepsOf(config);
  if (target.kind === 'output') {
    if (source.kind === 'input') return 'direct';
    const current = mapped(steps[source.step]?.outputMap, source.port);
    const isOther = current !== target.tensor && config.output.some(({ name }) => name === current);
    return isOther ? 'taken' : undefined;
  }
  return source.kind === 'step' && leadsTo(steps, target.step, source.step) ? 'cycle' : undefined;
}

/** The text with nothing leading to `target` any more. */
export function disconnect(text: string, target: Target): string {
  if (target.kind === 'step') return edit(text, mapPath(target, 'input'), undefined);
  const writer = writerOf(stepsOf(parseModelConfig(text).config), target.tensor);
  return writer === undefined ? text : freeTensor(text, writer, target.tensor);
}

/** What `target` reads now; undefined = nothing that is written. */
export function sourceOf(config: ModelConfig, target: Target): Source | undefined {
  const steps = stepsOf(config);
  const tensor = target.kind === 'output' ? target.tensor : mapped(steps[target.step]?.inputMap, target.port);
  if (tensor === '') return undefined;
  const writer = writerOf(steps, tensor);
  if (writer !== undefined) return writer;
  return target.kind === 'step' && config.input.some(({ name }) => name === tensor)
    ? { kind: 'input', tensor }
    : undefined;
}

type StepEnd = Extract<Source, { kind: 'step' }>;

function stepsOf(config: ModelConfig): readonly EnsembleStep[] {
  return config.ensembleScheduling?.step ?? [];
}

function mapped(map: Readonly<Record<string, string>> | undefined, key: string): string {
  return map !== undefined && Object.hasOwn(map, key) ? (map[key] ?? '') : '';
}

function edit(text: string, path: string, value: string | undefined): string {
  return applyTextEdits(text, editConfigValue(parseText(text), path, value));
}

function mapPath({ step, port }: Pick<StepEnd, 'step' | 'port'>, direction: 'input' | 'output'): string {
  return `ensemble_scheduling.step[${step}].${direction}_map[${JSON.stringify(port)}]`;
}

function writerOf(steps: readonly EnsembleStep[], tensor: string): StepEnd | undefined {
  for (const [step, { outputMap }] of steps.entries()) {
    const port = Object.entries(outputMap).find(([, name]) => name === tensor)?.[0];
    if (port !== undefined) return { kind: 'step', step, port };
  }
  return undefined;
}

/** `from` is `to`, or feeds it over any number of steps. */
function leadsTo(steps: readonly EnsembleStep[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const waiting = [from];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    if (step === to) return true;
    if (seen.has(step)) continue;
    seen.add(step);
    const written = new Set(Object.values(steps[step]?.outputMap ?? {}));
    for (const [next, { inputMap }] of steps.entries()) {
      if (Object.values(inputMap).some((tensor) => written.has(tensor))) waiting.push(next);
    }
  }
  return false;
}

function feedStep(text: string, source: Source, target: Extract<Target, { kind: 'step' }>): string {
  if (source.kind === 'input') return edit(text, mapPath(target, 'input'), source.tensor);
  const { config } = parseModelConfig(text);
  const known = mapped(stepsOf(config)[source.step]?.outputMap, source.port);
  if (known !== '') return edit(text, mapPath(target, 'input'), known);
  const name = freeName(config, source);
  return edit(edit(text, mapPath(source, 'output'), name), mapPath(target, 'input'), name);
}

/** The output's name is the tensor's, so the source takes it over, and its readers with it. */
function feedOutput(text: string, source: Source, tensor: string): string {
  if (source.kind === 'input') return text;
  const steps = stepsOf(parseModelConfig(text).config);
  const former = mapped(steps[source.step]?.outputMap, source.port);
  if (former === tensor) return text;
  const writer = writerOf(steps, tensor);
  const freed = writer === undefined ? text : freeTensor(text, writer, tensor);
  const written = edit(freed, mapPath(source, 'output'), tensor);
  return former === '' ? written : renameReaders(written, former, tensor);
}

/** `tensor` is no longer written: its writer gets another name when somebody else reads it, or none. */
function freeTensor(text: string, writer: StepEnd, tensor: string): string {
  const { config } = parseModelConfig(text);
  const isRead = stepsOf(config).some(({ inputMap }) => Object.values(inputMap).includes(tensor));
  if (!isRead) return edit(text, mapPath(writer, 'output'), undefined);
  const name = freeName(config, writer);
  return renameReaders(edit(text, mapPath(writer, 'output'), name), tensor, name);
}

function renameReaders(text: string, from: string, to: string): string {
  let next = text;
  for (const [step, { inputMap }] of stepsOf(parseModelConfig(text).config).entries()) {
    for (const [port, tensor] of Object.entries(inputMap)) {
      if (tensor === from) next = edit(next, mapPath({ step, port }, 'input'), to);
    }
  }
  return next;
}

/** A name for a new ensemble tensor: after the model and its output. */
function freeName(config: ModelConfig, { step, port }: StepEnd): string {
  const steps = stepsOf(config);
  const taken = new Set([
    ...config.input.map(({ name }) => name),
    ...config.output.map(({ name }) => name),
    ...steps.flatMap(({ inputMap, outputMap }) => [...Object.values(inputMap), ...Object.values(outputMap)]),
  ]);
  const base = `${steps[step]?.modelName ?? 'step'}_${port}`;
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
  return name;
}
