import { expect, test } from 'vitest';

import { graphData } from './graph-view.ts';
import type { OnnxGraph, OnnxModel, OnnxNode } from './onnx-model.ts';

function node(opType: string, changes: Partial<OnnxNode> = {}): OnnxNode {
  return { name: '', opType, domain: '', inputs: [], outputs: [], attributes: [], ...changes };
}

function graph(changes: Partial<OnnxGraph> = {}): OnnxGraph {
  return { name: 'g', inputs: [], outputs: [], values: [], initializers: [], nodes: [], ...changes };
}

function model(main: OnnxGraph, functions: OnnxModel['functions'] = []): OnnxModel {
  return {
    irVersion: 8,
    producerName: '',
    producerVersion: '',
    domain: '',
    modelVersion: 0,
    opsets: [],
    metadata: {},
    graph: main,
    functions,
    fileByteSize: 0,
  };
}

test('scopes come from names with slashes; a name without one lies in no scope', () => {
  const nodes = [
    node('MatMul', { name: '/encoder/layer.0/MatMul', inputs: ['x', 'w'], outputs: ['a'] }),
    node('Add', { name: 'encoder/Add', inputs: ['a', ''], outputs: ['b'] }),
    node('Relu', { name: 'Relu_7', inputs: ['b'], outputs: ['y'] }),
  ];
  const { operators } = graphData(model(graph({ nodes })));
  expect(operators.map(({ opType, scope }) => [opType, scope])).toEqual([
    ['MatMul', 'encoder/layer.0'],
    ['Add', 'encoder'],
    ['Relu', ''],
  ]);
  expect(operators[1]?.inputs).toEqual(['a', '']);
});

test('shapes keep names of dimensions, and what the file leaves out is undefined', () => {
  const inputs: OnnxGraph['inputs'] = [
    {
      name: 'x',
      type: {
        kind: 'tensor',
        elementType: 1,
        dims: [
          { size: -1, symbol: 'batch' },
          { size: 3, symbol: undefined },
          { size: -1, symbol: undefined },
        ],
      },
    },
    { name: 'rankless', type: { kind: 'tensor', elementType: 7, dims: undefined } },
    { name: 'scalar', type: { kind: 'tensor', elementType: 1, dims: [] } },
    { name: 'list', type: { kind: 'sequence', elementType: 0, dims: undefined } },
    { name: 'bare', type: { kind: 'none', elementType: 0, dims: undefined } },
  ];
  expect(graphData(model(graph({ inputs }))).inputs).toEqual([
    { name: 'x', type: 'float', shape: '[batch,3,?]' },
    { name: 'rankless', type: 'int64', shape: undefined },
    { name: 'scalar', type: 'float', shape: '[]' },
    { name: 'list', type: 'sequence', shape: undefined },
    { name: 'bare', type: undefined, shape: undefined },
  ]);
});

test('a function of the file is written out where it is called, with the tensors of the call', () => {
  const gelu = {
    name: 'Gelu',
    domain: 'custom',
    inputs: ['X'],
    outputs: ['Y'],
    nodes: [
      node('Erf', { inputs: ['X'], outputs: ['inner'] }),
      node('Mul', { inputs: ['X', 'inner'], outputs: ['Y'] }),
    ],
  };
  const nodes = [
    node('Gelu', { domain: 'custom', name: '/block/act', inputs: ['a'], outputs: ['b'] }),
    node('Gelu', { domain: 'custom', name: '/block/act_2', inputs: ['b'], outputs: ['c'] }),
  ];
  const { operators, scopeNotes } = graphData(model(graph({ nodes }), [gelu]));
  expect(operators.map(({ opType, scope, inputs, outputs }) => [opType, scope, inputs, outputs])).toEqual([
    ['Erf', 'block/act', ['a'], ['block/act/inner']],
    ['Mul', 'block/act', ['a', 'block/act/inner'], ['b']],
    ['Erf', 'block/act_2', ['b'], ['block/act_2/inner']],
    ['Mul', 'block/act_2', ['b', 'block/act_2/inner'], ['c']],
  ]);
  expect(scopeNotes).toEqual({ 'block/act': 'function Gelu', 'block/act_2': 'function Gelu' });
});

test('a function that calls itself ends', () => {
  const endless = {
    name: 'F',
    domain: 'custom',
    inputs: ['X'],
    outputs: ['Y'],
    nodes: [node('F', { domain: 'custom', inputs: ['X'], outputs: ['Y'] })],
  };
  const call = node('F', { domain: 'custom', inputs: ['a'], outputs: ['b'] });
  const { operators } = graphData(model(graph({ nodes: [call] }), [endless]));
  expect(operators).toMatchObject([{ opType: 'F', inputs: ['a'], outputs: ['b'] }]);
});

test('bodies of control flow see outer tensors, and their results go into their operator', () => {
  const value = (name: string): OnnxGraph['outputs'][number] => ({
    name,
    type: { kind: 'none', elementType: 0, dims: undefined },
  });
  const body = graph({
    outputs: [value('out')],
    nodes: [node('Neg', { inputs: ['x'], outputs: ['out'] })],
  });
  const branch = { name: 'then_branch', summary: 'graph of 1 nodes', graphs: [body], tensors: [] };
  const nodes = [node('If', { name: 'choose', inputs: ['condition'], outputs: ['y'], attributes: [branch] })];
  const { operators, scopeNotes } = graphData(model(graph({ nodes })));
  expect(operators.map(({ opType, scope, inputs, outputs }) => [opType, scope, inputs, outputs])).toEqual([
    ['If', '', ['condition', 'choose/then_branch/out'], ['y']],
    ['Neg', 'choose/then_branch', ['x'], ['choose/then_branch/out']],
  ]);
  expect(scopeNotes).toEqual({ 'choose/then_branch': 'body of If' });
});
