// Model files with flipped bits, cut ends, repeated and inserted runs, sent with load calls. What loads is asked once.

import { sampleModels } from '../../../src-main/samples/sample-repository.ts';
import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { bendMessage } from '../../../src-main/testing/grpc-fuzz.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';

const SOURCES = sampleModels().flatMap(({ files }) =>
  Object.entries(files)
    .filter(([name]) => name.endsWith('.onnx'))
    .map(([, content]) => Buffer.from(content)),
);
const MAX_ELEMENTS = 100_000;
/** Many more than are on the way at a time. */
const NAMES = 64;

interface Metadata {
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
  }[];
}

async function ask(name: string, { http }: Victim): Promise<void> {
  const { inputs } = JSON.parse((await http.get(`/v2/models/${name}`)).text) as Metadata;
  const tensors = inputs.map(({ name: input, datatype, shape }) => {
    const dims = shape.map((size) => (Number(size) < 0 ? 1 : Number(size)));
    const count = dims.reduce((product, size) => product * size, 1);
    const element = datatype === 'BYTES' ? '' : datatype === 'BOOL' ? false : 0;
    return {
      name: input,
      datatype,
      shape: dims,
      data: Array.from({ length: Math.min(count, MAX_ELEMENTS) }, () => element),
    };
  });
  await http.post(`/v2/models/${name}/infer`, JSON.stringify({ inputs: tensors }));
}

export const onnxFiles = attackClass<Buffer>({
  name: 'onnx-files',
  sends: 'bent model files with load calls, and a request to those that load',
  inputs: 2000,
  width: 3,
  limitMs: 20_000,
  make: (random: Random) => {
    const source = random.pick(SOURCES);
    // A change in the front, where the graph lies, does more than one among the weights.
    const front = random.below(2) === 0 ? Math.min(source.length, 600) : source.length;
    return Buffer.concat([bendMessage(source.subarray(0, front), random), source.subarray(front)]);
  },
  send: async (bytes, victim, index) => {
    // Names are used again, since a server remembers each that failed, with the reason.
    const name = `onnx_${Math.abs(index % NAMES)}`;
    const parameters = { config: '{"backend":"onnxruntime"}', 'file:1/model.onnx': bytes.toString('base64') };
    const { status, text } = await victim.http.post(
      `/v2/repository/models/${name}/load`,
      JSON.stringify({ parameters }),
    );
    if (status !== 200) return text.startsWith('{"error":') ? undefined : `${status} ${text.slice(0, 200)}`;
    await ask(name, victim);
    const unloaded = await victim.http.post(`/v2/repository/models/${name}/unload`, '{}');
    return unloaded.status === 200 ? undefined : `unload: ${unloaded.status} ${unloaded.text}`;
  },
});
