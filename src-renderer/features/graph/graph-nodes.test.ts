// From a graph and its layout to what the drawing and its picture show.

import { expect, test } from 'vitest';

import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { fakeChain, fakeGraphData, fakeOperator } from '../../testing/fake-graph.ts';
import { ensembleDag } from './ensemble-dag.ts';
import type { StepLoad } from './ensemble-load.ts';
import { ensembleEdges, ensembleLayoutInput, ensembleNodes, ensemblePicture } from './ensemble-nodes.ts';
import { indexGraph } from './graph-index.ts';
import { layOut } from './graph-layout.ts';
import { scopeTree } from './graph-scopes.ts';
import { drawnPicture, onnxEdges, onnxNodes } from './onnx-nodes.ts';
import { operatorFamily } from './operator-family.ts';
import type { Drawing } from './use-drawing.ts';
import { visibleGraph } from './visible-graph.ts';

const CONFIG = parseModelConfig(`name: "pair" platform: "ensemble"
  input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
  output [ { name: "CLASS" data_type: TYPE_FP32 dims: [ 4 ] } ]
  ensemble_scheduling { step [
    { model_name: "first" input_map { key: "IN" value: "RAW" } output_map { key: "OUT" value: "mid" } },
    { model_name: "second" input_map { key: "IN" value: "mid" } output_map { key: "OUT" value: "CLASS" } }
  ] }`).config;
const MODEL = parseModelConfig(`name: "m" backend: "onnxruntime"
  input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
  output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "MORE" data_type: TYPE_FP32 dims: [ 4 ] } ]`).config;
const ISSUE: ConfigIssueView = {
  ...{ code: 'D50', severity: 'error', message: 'bad line', hint: '', fixes: [] },
  ...{
    path: 'ensemble_scheduling.step[1].input_map["IN"]',
    line: 1,
    column: 1,
    startOffset: 0,
    endOffset: 0,
  },
};
const load = (changes: Partial<StepLoad> = {}): StepLoad => ({
  ...{
    state: 'ready',
    reason: undefined,
    meanUs: undefined,
    share: undefined,
    runCount: 0,
    failureCount: 0,
    isCritical: false,
  },
  ...changes,
});

const dag = ensembleDag(CONFIG, [ISSUE, { ...ISSUE, message: 'again' }], () => MODEL);
const layout = layOut(ensembleLayoutInput(dag, 'LR'));

test.each(['LR', 'TB'] as const)(
  'lines drawn %s end at the tensors they are about, at the border of their node',
  (direction) => {
    const placed = layOut(ensembleLayoutInput(dag, direction));
    const nodes = ensembleNodes(dag, [load(), load()], placed, direction);
    const handleOf = (id: string, port: string | null | undefined, type: string) =>
      nodes
        .find((node) => node.id === id)
        ?.handles?.find((handle) => handle.type === type && (handle.id ?? null) === port);
    for (const edge of ensembleEdges(dag, [load(), load()], '', placed)) {
      expect(handleOf(edge.source, edge.sourceHandle, 'source')).toBeDefined();
      expect(handleOf(edge.target, edge.targetHandle, 'target')).toBeDefined();
    }
    for (const { handles, width, height } of nodes) {
      for (const { x, y } of handles ?? []) {
        expect(x >= 0 && x <= width && y >= 0 && y <= height).toBe(true);
      }
    }
  },
);

test('a node says aloud its place, its model, its state and what is wrong with it', () => {
  const broken = ensembleDag(CONFIG, [{ ...ISSUE, path: 'ensemble_scheduling.step[0]' }], () => MODEL);
  const labels = ensembleNodes(broken, [load({ state: 'failed' }), load()], layout, 'LR').map(
    ({ data }) => data.label,
  );
  expect(labels).toEqual([
    'RAW FP32 [4]',
    'Step 1, first, failed. D50: bad line',
    'Step 2, second, ready',
    'CLASS FP32 [4]',
  ]);
});

test('a line names its tensor, each code once and all messages; it is critical between critical steps only', () => {
  const loads = [load({ isCritical: true }), load({ isCritical: true })];
  const edges = ensembleEdges(dag, loads, 'edge:step:1/IN', layout);
  expect(edges.map(({ data }) => data?.['isCritical'])).toEqual([false, true, false]);
  expect(edges[1]).toMatchObject({
    selected: true,
    ariaLabel: 'mid FP32 [4]',
    data: { codes: ['D50'], title: 'mid FP32 [4]\nbad line\nagain' },
  });
  expect(edges[0]?.selected).toBe(false);
  expect(ensembleEdges(dag, [load({ isCritical: true }), load()], '', layout)[1]?.data?.['isCritical']).toBe(
    false,
  );
});

test('the picture of an ensemble has a box per node where the layout put it', () => {
  const picture = ensemblePicture('pair', dag, layout);
  expect(picture.nodes.map(({ title, kind }) => `${kind} ${title}`)).toEqual([
    'input RAW',
    'operator 1 · first',
    'operator 2 · second',
    'output CLASS',
  ]);
  expect(picture.edges.every(({ points }) => points.length > 1)).toBe(true);
  for (const { x, y, width, height } of picture.nodes) {
    expect(x >= 0 && y >= 0 && x + width <= picture.width && y + height <= picture.height).toBe(true);
  }
});

function drawnOnnx(data: ReturnType<typeof fakeChain>) {
  const index = indexGraph(data);
  const tree = scopeTree(index, () => true);
  const visible = visibleGraph({ index, tree, open: new Set(), drawn: () => true, countText: String });
  const nodes = visible.nodes.map(({ id }) => ({ id, width: 168, height: 40 }));
  return { index, visible, layout: layOut({ direction: 'TB', nodes, edges: visible.edges }) };
}

test('inputs and outputs of a file carry what the config says, where it says something', () => {
  const { visible, layout: placed } = drawnOnnx(fakeChain(1));
  const subtitles = (configured: ReadonlyMap<string, string> | undefined) =>
    onnxNodes(visible, placed, configured).map(({ data }) => data['subtitle']);
  expect(subtitles(undefined)).toEqual(['float[N,4]', 'y', 'float[N,4]']);
  expect(subtitles(new Map([['x', 'TYPE_FP32 [4]']]))).toEqual(['FP32 [4]', 'y', 'float[N,4]']);
});

test('a line has the shape of its tensor, or how many tensors it stands for; large drawings have neither', () => {
  const split = fakeGraphData(
    [fakeOperator('Split', ['x'], ['a', 'b']), fakeOperator('Add', ['a', 'b'], ['y'])],
    { values: [{ name: 'a', type: 'float', shape: '[2]' }] },
  );
  const { visible, layout: placed, index } = drawnOnnx(split);
  expect(
    onnxEdges(visible, placed, index).map(({ data, ariaLabel }) => [data?.['label'], ariaLabel]),
  ).toEqual([
    ['[N,4]', 'x'],
    ['× 2', 'a, b'],
    ['[N,4]', 'y'],
  ]);
  const chain = indexGraph(fakeChain(200));
  const wide = visibleGraph({
    ...{ index: chain, tree: scopeTree(chain, () => true), open: new Set<string>(), drawn: () => true },
    countText: String,
  });
  const flat = { nodes: {}, edges: {}, labels: {}, width: 0, height: 0 };
  expect(new Set(onnxEdges(wide, flat, chain).map(({ data }) => data?.['label']))).toEqual(new Set(['']));
});

test('there is no picture before there is a layout', () => {
  const { visible, layout: placed } = drawnOnnx(fakeChain(2));
  expect(drawnPicture('m', { visible, job: undefined } as Drawing, undefined)).toBeUndefined();
  const picture = drawnPicture('m', { visible, job: { layout: placed } } as Drawing, undefined);
  expect(picture?.nodes.map(({ kind }) => kind)).toEqual(['input', 'operator', 'operator', 'output']);
  expect(picture?.width).toBe(placed.width);
});

test.each([
  ['Conv', 'matrix'],
  ['QLinearConv', 'matrix'],
  ['MatMulInteger', 'matrix'],
  ['MultiHeadAttention', 'matrix'],
  ['LeakyRelu', 'activation'],
  ['LogSoftmax', 'activation'],
  ['QuickGelu', 'activation'],
  ['LayerNormalization', 'normalisation'],
  ['GlobalAveragePool', 'normalisation'],
  ['ConstantOfShape', 'shape'],
  ['GatherND', 'shape'],
  ['Add', 'other'],
  ['MyConvert', 'other'],
] as const)('%s belongs to %s', (opType, family) => {
  expect(operatorFamily(opType)).toBe(family);
});
