// HTTP inference requests in the binary encoding, as complete messages ready to be written to a socket.

interface BenchTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

function inferMessage(model: string, inputs: readonly BenchTensor[], outputs: readonly string[]): Buffer {
  const header = Buffer.from(
    JSON.stringify({
      inputs: inputs.map(({ name, datatype, shape, bytes }) => ({
        name,
        datatype,
        shape,
        parameters: { binary_data_size: bytes.byteLength },
      })),
      outputs: outputs.map((name) => ({ name, parameters: { binary_data: true } })),
    }),
  );
  const body = Buffer.concat([header, ...inputs.map((input) => input.bytes)]);
  const head = [
    `POST /v2/models/${model}/infer HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/octet-stream',
    `Inference-Header-Content-Length: ${header.byteLength}`,
    `Content-Length: ${body.byteLength}`,
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), body]);
}

/** Two rows of sixteen integers. */
export function tinyMessage(): Buffer {
  const row = (factor: number) =>
    new Uint8Array(Int32Array.from({ length: 16 }, (_, index) => index * factor).buffer);
  const input = (name: string, factor: number): BenchTensor => ({
    name,
    datatype: 'INT32',
    shape: [1, 16],
    bytes: row(factor),
  });
  return inferMessage('tiny', [input('INPUT0', 1), input('INPUT1', 2)], ['OUTPUT0', 'OUTPUT1']);
}

/** One FP32 input filled with a slow wave. */
export function floatMessage(model: string, shape: readonly number[]): Buffer {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const values = Float32Array.from({ length: count }, (_, index) => Math.sin(index / 100));
  const input: BenchTensor = {
    name: 'INPUT',
    datatype: 'FP32',
    shape,
    bytes: new Uint8Array(values.buffer),
  };
  return inferMessage(model, [input], ['OUTPUT']);
}
