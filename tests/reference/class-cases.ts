// Classes of outputs with equal values, with values that are no numbers, and with zeros below zero: their order and print.

import { grpcCall } from './grpc-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';

const counted = (count: number, value: (index: number) => number): readonly number[] =>
  Array.from({ length: count }, (_, index) => value(index));

const VALUES: Readonly<Record<string, readonly number[]>> = {
  'five equal ones': counted(5, () => 1),
  'seventeen equal ones': counted(17, () => 0),
  'a thousand equal ones': counted(1000, () => 0.5),
  'three values in turns': counted(50, (index) => index % 3),
  'one above many': counted(40, (index) => (index === 30 ? 1 : 0)),
  'some that are no numbers': [1, NaN, -Infinity, 3, NaN, Infinity],
  'zeros of both signs': [0, -0, 1e-9, -1e-9, 5e-7, -5e-7],
  'large and small ones': [1e20, 3e38, -3e38, 1e21, 1.0000005, 0.0000005],
};

/** Of the model `echo` of the scene of calls. */
export const CLASS_CASES: readonly ReferenceCase[] = Object.entries(VALUES).map(([title, values]) => ({
  name: `classes of ${title}`,
  run: async ({ grpcPort }) => {
    const answers: unknown[] = [];
    for (const count of [1, 3, 17, values.length]) {
      const { code, details, response } = await grpcCall(grpcPort, 'ModelInfer', {
        model_name: 'echo',
        inputs: [{ name: 'INPUT', datatype: 'FP32', shape: [values.length] }],
        outputs: [{ name: 'OUTPUT', parameters: { classification: { int64_param: count } } }],
        raw_input_contents: [Buffer.from(Float32Array.from(values).buffer)],
      });
      answers.push({ step: String(count), code, details, response });
    }
    return answers;
  },
}));
