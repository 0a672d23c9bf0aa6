// The sample about sequences: a running sum whose state the server carries from one request to the next.

import { floatTensor, writeOnnx } from '../onnx/onnx-writer.ts';
import type { WritableValue } from '../onnx/onnx-writer.ts';
import type { SampleModel } from './sample-model.ts';

function accumulateModel(): Uint8Array {
  const value = (name: string): WritableValue => ({ name, datatype: 'FP32', shape: ['batch', 1] });
  return writeOnnx({
    graph: {
      name: 'accumulate',
      nodes: [
        { opType: 'Sub', inputs: ['one', 'START'], outputs: ['keep'] },
        { opType: 'Mul', inputs: ['SUM_IN', 'keep'], outputs: ['before'] },
        { opType: 'Add', inputs: ['before', 'INPUT'], outputs: ['sum'] },
        { opType: 'Identity', inputs: ['sum'], outputs: ['OUTPUT'] },
        { opType: 'Identity', inputs: ['sum'], outputs: ['SUM_OUT'] },
      ],
      inputs: [value('INPUT'), value('START'), value('SUM_IN')],
      outputs: [value('OUTPUT'), value('SUM_OUT')],
      initializers: [floatTensor('one', [1], [1])],
    },
  });
}

const ACCUMULATE_CONFIG = `# A running sum. The server keeps SUM for each sequence: clients send INPUT with a sequence id, nothing else.
name: "accumulate"
platform: "onnxruntime_onnx"
max_batch_size: 4
input [
  {
    name: "INPUT"
    data_type: TYPE_FP32
    dims: [ 1 ]
  }
]
output [
  {
    name: "OUTPUT"
    data_type: TYPE_FP32
    dims: [ 1 ]
  }
]
instance_group [
  {
    count: 1
    kind: KIND_CPU
  }
]
sequence_batching {
  max_sequence_idle_microseconds: 60000000
  control_input [
    {
      name: "START"
      control [
        {
          kind: CONTROL_SEQUENCE_START
          fp32_false_true: [ 0, 1 ]
        }
      ]
    }
  ]
  state [
    {
      input_name: "SUM_IN"
      output_name: "SUM_OUT"
      data_type: TYPE_FP32
      dims: [ 1 ]
      initial_state [
        {
          name: "zero"
          data_type: TYPE_FP32
          dims: [ 1 ]
          zero_data: true
        }
      ]
    }
  ]
}
`;

/**
 * FP32 in and out, shape [1]; START sets the sum back to zero. Its state is an implicit one
 * (`sequence_batching.state`).
 */
export const accumulateSample = (): SampleModel => ({
  name: 'accumulate',
  summary: 'A running sum over the requests of a sequence.',
  files: { 'config.pbtxt': ACCUMULATE_CONFIG, '1/model.onnx': accumulateModel() },
  isLoadedAtStart: true,
});
