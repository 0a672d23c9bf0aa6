// The graph of an ONNX file as the engine hands it out: packed, in a blob, read in pieces.

import { gzipSync } from 'node:zlib';

import type { GraphOperator, OnnxGraphData } from '../../src-shared/contract/graph-calls.ts';
import type { FakeEngine } from './fake-engine.ts';

/** An operator that reads and writes tensors of these names. */
export function fakeOperator(
  opType: string,
  inputs: readonly string[],
  outputs: readonly string[],
  changes: Partial<GraphOperator> = {},
): GraphOperator {
  return { name: '', opType, domain: '', scope: '', inputs, outputs, attributes: [], ...changes };
}

/** A file with the input x and the output y, both FLOAT [N,4], and these operators between them. */
export function fakeGraphData(
  operators: readonly GraphOperator[],
  changes: Partial<OnnxGraphData> = {},
): OnnxGraphData {
  return {
    operators,
    inputs: [{ name: 'x', type: 'float', shape: '[N,4]' }],
    outputs: [{ name: 'y', type: 'float', shape: '[N,4]' }],
    initializers: [],
    values: [],
    scopeNotes: {},
    ...changes,
  };
}

/** x -> `count` times Relu -> y; `scopeOf` gives the scope of each of them. */
export function fakeChain(count: number, scopeOf: (at: number) => string = () => ''): OnnxGraphData {
  return fakeGraphData(
    Array.from({ length: count }, (_, at) =>
      fakeOperator('Relu', [at === 0 ? 'x' : `t${at - 1}`], [at === count - 1 ? 'y' : `t${at}`], {
        scope: scopeOf(at),
      }),
    ),
  );
}

/** The engine answers with the graph that `read` gives for a version; whatever it throws is the engine's refusal. */
export function answerGraph(fake: FakeEngine, read: (version: string) => OnnxGraphData): void {
  const blobs = new Map<string, Buffer>();
  fake.overrides['graph/onnx'] = ({ version }) => {
    const data = read(version);
    const packed = gzipSync(JSON.stringify(data));
    const blob = `graph-${blobs.size}`;
    blobs.set(blob, packed);
    const operatorCount = data.operators.length;
    return { blob, byteSize: packed.byteLength, operatorCount, fileName: 'model.onnx' };
  };
  fake.overrides['blob/read'] = ({ blob, offset, byteSize }) => {
    const packed = blobs.get(blob) ?? Buffer.alloc(0);
    return {
      base64: packed.subarray(offset, offset + byteSize).toString('base64'),
      totalByteSize: packed.byteLength,
    };
  };
  fake.overrides['blob/release'] = () => undefined;
}
