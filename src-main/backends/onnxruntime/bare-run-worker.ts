// Entry of a short-lived worker that runs one model file alone, on the CPU, with nothing of the server in between: the
// yardstick of the parity check and of the batch probe. One message in per run, one answer out.

import { parentPort, workerData } from 'node:worker_threads';

import { toServerError } from '../../../src-shared/errors.ts';
import type { BareAnswer, BareRun, BareTensor } from './bare-run-messages.ts';
import { dataTypeOfOrt, numericView, ortTypeOf } from './ort-datatypes.ts';
import { loadOrt } from './ort-library.ts';

const { InferenceSession, Tensor } = loadOrt();
const { path } = workerData as { readonly path: string };
const session = InferenceSession.create(path, { executionProviders: ['cpu'], intraOpNumThreads: 1 });

async function run({ inputs, outputs }: BareRun): Promise<readonly BareTensor[]> {
  const ready = await session;
  const feeds = Object.fromEntries(inputs.map((input) => [input.name, feedOf(input)]));
  const wanted = outputs.length === 0 ? ready.outputNames : outputs;
  const results = await ready.run(feeds, wanted);
  return wanted.map((name) => {
    const tensor = results[name];
    if (tensor === undefined) throw new Error(`the model gave no output '${name}'`);
    return resultOf(name, tensor);
  });
}

type OrtTensor = InstanceType<typeof Tensor>;

function feedOf({ datatype, shape, bytes, texts }: BareTensor): OrtTensor {
  const type = ortTypeOf(datatype);
  if (type === undefined) throw new Error(`${datatype} cannot be given to ONNX Runtime here`);
  if (type === 'string') return new Tensor('string', [...(texts ?? [])], shape);
  const copy = Uint8Array.from(bytes);
  return new Tensor(type, numericView(type, copy.buffer, 0, copy.byteLength), shape);
}

function resultOf(name: string, tensor: OrtTensor): BareTensor {
  const datatype = dataTypeOfOrt(tensor.type);
  if (datatype === undefined) throw new Error(`output '${name}' has type ${tensor.type}`);
  if (tensor.type === 'string') {
    return { name, datatype, shape: tensor.dims, bytes: new Uint8Array(), texts: tensor.data as string[] };
  }
  const data = tensor.data as Exclude<typeof tensor.data, string[]>;
  return {
    name,
    datatype,
    shape: tensor.dims,
    bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    texts: undefined,
  };
}

parentPort?.on('message', (message: BareRun) => {
  run(message).then(
    (outputs) => parentPort?.postMessage({ outputs } satisfies BareAnswer),
    (thrown: unknown) =>
      parentPort?.postMessage({ error: toServerError(thrown).message } satisfies BareAnswer),
  );
});
