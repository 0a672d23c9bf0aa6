// The drawing of an ensemble: that it is seen whole with labels that can be read, in the windows that people have.

import { describe, expect, test } from 'vitest';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { ensembleDag } from './ensemble-dag.ts';
import { ensembleEdges, ensembleLayoutInput, ensembleNodes } from './ensemble-nodes.ts';
import type { Direction } from './ensemble-sizes.ts';
import { labelSize, portPlace, stepSize } from './ensemble-sizes.ts';
import { fittingDirection } from './fitting-direction.ts';
import { layOut } from './graph-layout.ts';
import { startViewport } from './start-viewport.ts';
import { wirePath } from './wire-path.ts';

function step(model: string, input: [string, string], outputs: readonly [string, string][]): string {
  return `{ model_name: "${model}" model_version: -1
    input_map { key: "${input[0]}" value: "${input[1]}" }
    ${outputs.map(([key, value]) => `output_map { key: "${key}" value: "${value}" }`).join(' ')} }`;
}

/** As long as the one among the samples: an input, three steps, two outputs. */
const TEXT = `name: "pipeline" platform: "ensemble" max_batch_size: 8
input [ { name: "RAW" data_type: TYPE_UINT8 dims: [ 32, 32, 3 ] } ]
output [ { name: "CLASS" data_type: TYPE_INT64 dims: [ 1 ] }, { name: "CONFIDENCE" data_type: TYPE_FP32 dims: [ 1 ] } ]
ensemble_scheduling { step [
  ${step('prepare', ['RAW', 'RAW'], [['PREPARED', 'prepared_image']])},
  ${step('image', ['IMAGE', 'prepared_image'], [['SCORES', 'colour_scores']])},
  ${step(
    'best',
    ['SCORES', 'colour_scores'],
    [
      ['CLASS', 'CLASS'],
      ['CONFIDENCE', 'CONFIDENCE'],
    ],
  )}
] }`;

const tensor = (name: string, type: string, dims: string): string =>
  `{ name: "${name}" data_type: TYPE_${type} dims: [ ${dims} ] }`;
const MODELS: Readonly<Record<string, string>> = {
  prepare: `input [ ${tensor('RAW', 'UINT8', '32, 32, 3')} ] output [ ${tensor('PREPARED', 'FP32', '3, 32, 32')} ]`,
  image: `input [ ${tensor('IMAGE', 'FP32', '3, 32, 32')} ] output [ ${tensor('SCORES', 'FP32', '9')} ]`,
  best: `input [ ${tensor('SCORES', 'FP32', '9')} ]
    output [ ${tensor('CLASS', 'INT64', '1')}, ${tensor('CONFIDENCE', 'FP32', '1')} ]`,
};

function modelOf(name: string): ModelConfig | undefined {
  const text = MODELS[name];
  return text === undefined ? undefined : parseModelConfig(text).config;
}

const dag = ensembleDag(parseModelConfig(TEXT).config, [], modelOf);
const drawings = {
  LR: layOut(ensembleLayoutInput(dag, 'LR')),
  TB: layOut(ensembleLayoutInput(dag, 'TB')),
};

/** What a window leaves for the drawing, beside the rail and the column of connections and below the tabs. */
describe.each([
  ['1280x800', { width: 806, height: 572 }],
  ['1440x900', { width: 920, height: 672 }],
  ['1920x1080', { width: 1262, height: 852 }],
])('in a window of %s', (_window, pane) => {
  const direction = fittingDirection(drawings, pane, undefined);
  const drawing = drawings[direction];
  const { x, y, zoom } = startViewport(drawing, pane, direction);

  test('all of it is seen, with labels of 11 px and more', () => {
    expect(zoom * 12).toBeGreaterThanOrEqual(10.9);
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + drawing.width * zoom).toBeLessThanOrEqual(pane.width);
    expect(y + drawing.height * zoom).toBeLessThanOrEqual(pane.height);
  });
});

test.each(['LR', 'TB'] as const)(
  'outputs stand in the order of the step that writes them, %s',
  (direction) => {
    for (const order of [
      ['CLASS', 'CONFIDENCE'],
      ['CONFIDENCE', 'CLASS'],
    ] as const) {
      const [first, second] = order;
      const config = parseModelConfig(TEXT).config;
      const outputs = order.map((name) => tensor(name, 'FP32', '1')).join(', ');
      const best = parseModelConfig(`output [ ${outputs} ]`).config;
      const turned = ensembleDag(config, [], (name) => (name === 'best' ? best : modelOf(name)));
      const { nodes } = layOut(ensembleLayoutInput(turned, direction));
      const across = (name: string): number => nodes[`out:${name}`]?.[direction === 'LR' ? 'y' : 'x'] ?? NaN;
      expect(across(first)).toBeLessThan(across(second));
    }
  },
);

test('it goes to the right where there is room, keeps its direction while it fits, and shows the most when nothing fits', () => {
  const wide = { width: 3000, height: 2000 };
  const high = { width: 800, height: 2000 };
  const tiny = { width: 200, height: 150 };
  expect(fittingDirection(drawings, wide, undefined)).toBe('LR');
  expect(fittingDirection(drawings, wide, 'TB')).toBe('TB');
  expect(fittingDirection(drawings, high, 'LR')).toBe('TB');
  expect(fittingDirection(drawings, tiny, 'LR')).toBe('TB');
  expect(fittingDirection(drawings, { width: 3000, height: 150 }, 'TB')).toBe('LR');
  // Before anything was measured.
  expect(fittingDirection(drawings, { width: 0, height: 0 }, undefined)).toBe('LR');
});

test.each<Direction>(['LR', 'TB'])('steps, labels and ends of lines do not overlap (%s)', (direction) => {
  const layout = drawings[direction];
  const boxes = [
    ...ensembleNodes(dag, [], layout, direction).map(({ position, width, height }) => ({
      ...position,
      width,
      height,
    })),
    ...ensembleEdges(dag, [], '', layout).flatMap((edge) => {
      const at = layout.labels[edge.id];
      const dagEdge = dag.edges.find(({ id }) => id === edge.id);
      const size =
        dagEdge && labelSize(dagEdge, new Map(dag.nodes.map((node) => [node.id, node])), direction);
      return at === undefined || size === undefined
        ? []
        : [{ x: at.x - size.width / 2, y: at.y - size.height / 2, ...size }];
    }),
  ];
  expect(boxes).toHaveLength(6 + 2);
  const overlapping = boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      ),
  );
  expect(overlapping).toEqual([]);
});

test('a line that says no more than the input or output at its end has no label', () => {
  expect(Object.keys(drawings.LR.labels).sort()).toEqual(['step:1/IMAGE', 'step:2/SCORES']);
});

test('tensors sit on the edges of their step, each in a column that has room for its name', () => {
  const port = { tensor: '', value: '', isOptional: false, issues: [] };
  const many = {
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({ ...port, name })),
    outputs: [{ ...port, name: 'logits' }],
  };
  const { width, height } = stepSize(many, 'TB');
  expect(width / 3).toBeGreaterThan('token_type_ids'.length * 7);
  const places = many.inputs.map((_, at) => portPlace(many, 'input', at, 'TB'));
  expect(places.map(({ y }) => y)).toEqual([0, 0, 0]);
  expect(places.map(({ x }) => Math.round((x / width) * 6))).toEqual([1, 3, 5]);
  expect(portPlace(many, 'output', 0, 'TB')).toEqual({ x: width / 2, y: height });
  expect(portPlace(many, 'output', 0, 'LR').x).toBe(stepSize(many, 'LR').width);
});

test('a line passes its bends, and leaves and arrives along the flow', () => {
  const way = wirePath({ x: 0, y: 0 }, [{ x: 10, y: 40 }], { x: 20, y: 0 }, 'LR');
  expect(way).toBe('M0,0 C5,0 5,40 10,40 C15,40 15,0 20,0');
  expect(wirePath({ x: 0, y: 0 }, [], { x: 10, y: 20 }, 'TB')).toBe('M0,0 C0,10 10,10 10,20');
});
