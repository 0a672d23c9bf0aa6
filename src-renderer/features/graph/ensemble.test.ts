// An ensemble's text as a graph, what connecting writes into it, and what live numbers say about its steps.

import { describe, expect, test } from 'vitest';

import { checkConfigText } from '../../../src-shared/config/check-config.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { EnsembleActivity } from '../../../src-shared/contract/graph-calls.ts';
import { issueView } from '../../config/language/config-language.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { ensembleDag, idAtPath } from './ensemble-dag.ts';
import type { Source, Target } from './ensemble-edits.ts';
import { connect, disconnect, refusalOf, sourceOf } from './ensemble-edits.ts';
import { criticalSteps, ensembleLoad } from './ensemble-load.ts';

const TEXT = `# Two steps
name: "pair"
platform: "ensemble"
max_batch_size: 8
input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "CLASS" data_type: TYPE_INT64 dims: [ 1 ] } ]
ensemble_scheduling {
  step [
    {
      model_name: "prepare"
      model_version: -1
      input_map { key: "IN" value: "RAW" }
      output_map { key: "OUT" value: "prepared" }
    },
    {
      model_name: "best"
      model_version: -1
      input_map { key: "SCORES" value: "prepared" }  # kept
      output_map { key: "CLASS" value: "CLASS" }
    }
  ]
}
`;

const MODELS: Readonly<Record<string, string>> = {
  prepare: `name: "prepare" backend: "onnxruntime" max_batch_size: 8
    input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
    output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 9 ] }, { name: "EXTRA" data_type: TYPE_FP32 dims: [ 9 ] } ]`,
  best: `name: "best" backend: "onnxruntime" max_batch_size: 8
    input [ { name: "SCORES" data_type: TYPE_FP32 dims: [ 9 ] } ]
    output [ { name: "CLASS" data_type: TYPE_INT64 dims: [ 1 ] }, { name: "SURE" data_type: TYPE_INT64 dims: [ 1 ] } ]`,
};

function modelOf(name: string): ModelConfig | undefined {
  const text = MODELS[name];
  return text === undefined ? undefined : parseModelConfig(text).config;
}

function issuesOf(text: string): readonly ConfigIssueView[] {
  return checkConfigText(text, {
    directoryName: 'pair',
    lookup: (name) => {
      const config = modelOf(name);
      return config && { config, readyVersions: [1] };
    },
  }).issues.map(issueView);
}

function dagOf(text: string) {
  return ensembleDag(parseModelConfig(text).config, issuesOf(text), modelOf);
}

const raw: Source = { kind: 'input', tensor: 'RAW' };
const out: Source = { kind: 'step', step: 0, port: 'OUT' };
const extra: Source = { kind: 'step', step: 0, port: 'EXTRA' };
const sure: Source = { kind: 'step', step: 1, port: 'SURE' };
const scores: Target = { kind: 'step', step: 1, port: 'SCORES' };
const first: Target = { kind: 'step', step: 0, port: 'IN' };
const output: Target = { kind: 'output', tensor: 'CLASS' };

function connected(text: string, source: Source, target: Target): string {
  const result = connect(text, source, target);
  if (!('text' in result)) throw new Error(result.refusal);
  return result.text;
}

describe('the graph of an ensemble', () => {
  test('has a line per tensor that is read, with type and shape of the writer', () => {
    const { nodes, edges, issues } = dagOf(TEXT);
    expect(nodes.map(({ id }) => id)).toEqual(['in:RAW', 'step:0', 'step:1', 'out:CLASS']);
    expect(edges.map(({ from, to, tensor, value }) => [from.node, to.node, tensor, value])).toEqual([
      ['in:RAW', 'step:0', 'RAW', 'FP32 [4]'],
      ['step:0', 'step:1', 'prepared', 'FP32 [9]'],
      ['step:1', 'out:CLASS', 'CLASS', 'INT64 [1]'],
    ]);
    expect(issues).toEqual([]);
    expect(edges.flatMap((edge) => edge.issues)).toEqual([]);
  });

  test('marks the line that reads a tensor nobody writes', () => {
    const { nodes, edges } = dagOf(TEXT.replace('"SCORES" value: "prepared"', '"SCORES" value: "nonsense"'));
    expect(nodes.find(({ kind }) => kind === 'loose')).toMatchObject({ tensor: 'nonsense' });
    const edge = edges.find(({ tensor }) => tensor === 'nonsense');
    expect(edge).toMatchObject({ from: { node: 'loose:nonsense' }, to: { node: 'step:1', port: 'SCORES' } });
    expect(edge?.issues.map(({ code }) => code)).toContain('D50');
    expect(idAtPath({ nodes, edges, issues: [] }, edge?.issues[0]?.path ?? '')).toBe(`edge:${edge?.id}`);
    expect(idAtPath({ nodes, edges, issues: [] }, 'parameters')).toBeUndefined();
  });

  test('marks a tensor of the model that does not exist, and a type that differs', () => {
    const wrongName = dagOf(TEXT.replace('key: "SCORES"', 'key: "SCORE"'));
    const step = wrongName.nodes.find(({ id }) => id === 'step:1');
    const names = step?.kind === 'step' ? step.inputs.map(({ name }) => name) : [];
    expect(names).toEqual(['SCORES', 'SCORE']);
    expect(wrongName.edges.find(({ to }) => to.port === 'SCORE')?.issues).not.toEqual([]);
    const wrongType = dagOf(TEXT.replace('TYPE_FP32 dims: [ 4 ]', 'TYPE_INT8 dims: [ 4 ]'));
    expect(wrongType.edges[0]?.issues.map(({ message }) => message).join()).toContain(
      'inconsistent data type',
    );
  });

  test('a model that is not there is a ghost with what the maps name', () => {
    const { nodes } = dagOf(TEXT.replace('"best"', '"ocr_rec"'));
    expect(nodes.find(({ id }) => id === 'step:1')).toMatchObject({
      isMissing: true,
      inputs: [{ name: 'SCORES', value: undefined }],
      issues: [{ code: 'D50' }],
    });
  });
});

describe('connecting', () => {
  test('an input of a step changes one value and nothing else of the text', () => {
    expect(connected(TEXT, raw, scores)).toBe(
      TEXT.replace('"SCORES" value: "prepared"', '"SCORES" value: "RAW"'),
    );
  });

  test('an output that was not mapped gets a tensor of its own', () => {
    const text = connected(TEXT, extra, scores);
    const { config, issues } = parseModelConfig(text);
    expect(issues).toEqual([]);
    const [prepare, best] = config.ensembleScheduling?.step ?? [];
    expect(prepare?.outputMap).toEqual({ OUT: 'prepared', EXTRA: 'prepare_EXTRA' });
    expect(best?.inputMap).toEqual({ SCORES: 'prepare_EXTRA' });
    expect(text).toContain('# kept');
  });

  test('what was disconnected can be connected again', () => {
    const without = disconnect(TEXT, scores);
    expect(parseModelConfig(without).config.ensembleScheduling?.step[1]?.inputMap).toEqual({});
    const again = parseModelConfig(connected(without, out, scores));
    expect(again.issues).toEqual([]);
    expect(sourceOf(again.config, scores)).toEqual(out);
  });

  test('an output of the ensemble is taken over from the step that wrote it', () => {
    const text = connected(TEXT, sure, output);
    expect(parseModelConfig(text).config.ensembleScheduling?.step[1]?.outputMap).toEqual({ SURE: 'CLASS' });
    expect(issuesOf(text)).toEqual([]);
  });

  test('readers follow a tensor that becomes an output, and one that stops being one', () => {
    const text = connected(TEXT, out, output);
    const { config } = parseModelConfig(text);
    expect(config.ensembleScheduling?.step[0]?.outputMap).toEqual({ OUT: 'CLASS' });
    expect(sourceOf(config, scores)).toEqual(out);
    const back = parseModelConfig(connected(text, { kind: 'step', step: 1, port: 'CLASS' }, output)).config;
    expect(sourceOf(back, scores)).toEqual(out);
    expect(sourceOf(back, output)).toEqual({ kind: 'step', step: 1, port: 'CLASS' });
  });

  test.each<[string, string, Source, Target, string]>([
    ['an input straight to an output', TEXT, raw, output, 'direct'],
    ['a step to itself', TEXT, out, first, 'cycle'],
    ['a step to one that feeds it', TEXT, sure, first, 'cycle'],
    ['anything in a text that cannot be read', `${TEXT}}`, raw, scores, 'unreadable'],
  ])('%s is refused', (_what, text, source, target, refusal) => {
    expect(refusalOf(text, source, target)).toBe(refusal);
    expect(connect(text, source, target)).toEqual({ refusal });
  });
});

describe('live numbers', () => {
  const dag = dagOf(TEXT);
  const ready = (name: string) => fakeModel(name, { state: 'ready' });
  const activity = (changes: Partial<EnsembleActivity> = {}): EnsembleActivity => ({
    runCount: 2,
    failureCount: 0,
    meanUs: 4000,
    lastError: undefined,
    steps: [
      { stepIndex: 0, model: 'prepare', runCount: 2, failureCount: 0, meanUs: 1000, hasFailedLast: false },
      { stepIndex: 1, model: 'best', runCount: 2, failureCount: 1, meanUs: 2000, hasFailedLast: false },
    ],
    ...changes,
  });
  const models = new Map([
    ['prepare', ready('prepare')],
    ['best', ready('best')],
  ]);
  const ensemble = fakeModel('pair', { state: 'ready', isEnsemble: true });

  test('give each step its share of the whole', () => {
    const loads = ensembleLoad({ dag, ensemble, models, activity: activity() });
    expect(loads.map(({ state, share }) => [state, share])).toEqual([
      ['ready', 0.25],
      ['ready', 0.5],
    ]);
    // Every request waits for both of them: there is nothing to tell apart.
    expect(loads.some(({ isCritical }) => isCritical)).toBe(false);
  });

  test('a step that is not loaded while others are has failed', () => {
    const unloaded = new Map([
      ...models,
      ['best', fakeModel('best', { state: 'unloaded', reason: 'unloaded' })],
    ]);
    const broken = fakeModel('pair', { state: 'failed', isEnsemble: true });
    const states = ensembleLoad({ dag, ensemble: broken, models: unloaded, activity: undefined });
    expect(states.map(({ state }) => state)).toEqual(['ready', 'failed']);
    const none = new Map([...unloaded, ['prepare', fakeModel('prepare', { state: 'unloaded' })]]);
    const idle = ensembleLoad({ dag, ensemble: broken, models: none, activity: undefined });
    expect(idle.map(({ state }) => state)).toEqual(['unloaded', 'unloaded']);
  });

  test('the step that broke the newest request has failed, with the words of the error', () => {
    const [, best] = activity().steps;
    const steps = [
      { ...activity().steps[0], hasFailedLast: false },
      { ...best, hasFailedLast: true },
    ];
    const broken = activity({ lastError: 'in ensemble', steps: steps as EnsembleActivity['steps'] });
    expect(ensembleLoad({ dag, ensemble, models, activity: broken })[1]).toMatchObject({
      state: 'failed',
      reason: 'in ensemble',
    });
  });

  test('the critical path is the chain with the greatest sum', () => {
    const edge = (from: number, to: number) => ({
      id: `${from}-${to}`,
      from: { node: `step:${from}`, port: '' },
      to: { node: `step:${to}`, port: '' },
      tensor: '',
      value: '',
      issues: [],
    });
    const step = (index: number) => ({ ...dag.nodes[1], id: `step:${index}`, index });
    const wide = {
      nodes: [0, 1, 2, 3].map(step) as (typeof dag)['nodes'],
      edges: [edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3), edge(3, 0)],
      issues: [],
    };
    const means = [1, 5, 2, 1];
    expect([...criticalSteps(wide, ({ index }) => means[index] ?? 0)].sort()).toEqual([0, 1, 3]);
    expect(criticalSteps(wide, () => 0).size).toBe(0);
    const steps = means.map((meanUs, stepIndex) => ({ ...activity().steps[0], stepIndex, meanUs }));
    const measured = activity({ steps: steps as EnsembleActivity['steps'] });
    const loads = ensembleLoad({ dag: wide, ensemble, models, activity: measured });
    expect(loads.map(({ isCritical }) => isCritical)).toEqual([true, true, false, true]);
  });
});
