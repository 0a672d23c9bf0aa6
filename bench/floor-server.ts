// The floor for the tiny model: node:http and an inline session, nothing else. It blocks its loop, batches nothing and
// checks nothing, so no server that does its work can be faster on one thread.

import http from 'node:http';
import { createRequire } from 'node:module';
import type * as OrtModule from 'onnxruntime-node';

const ort = createRequire(import.meta.url)('onnxruntime-node') as typeof OrtModule;
const session = await ort.InferenceSession.create(process.argv[2] ?? '', { intraOpNumThreads: 1 });

interface Header {
  readonly inputs: readonly {
    readonly name: string;
    readonly shape: number[];
    readonly parameters: { readonly binary_data_size: number };
  }[];
}

async function infer(body: Buffer, headerByteSize: number): Promise<readonly [string, Buffer]> {
  const header = JSON.parse(body.toString('utf8', 0, headerByteSize)) as Header;
  const feeds: Record<string, OrtModule.Tensor> = {};
  let at = headerByteSize;
  for (const { name, shape, parameters } of header.inputs) {
    const end = at + parameters.binary_data_size;
    const bytes = new Uint8Array(body.subarray(at, end));
    feeds[name] = new ort.Tensor('int32', new Int32Array(bytes.buffer), shape);
    at = end;
  }
  const results = await session.run(feeds);
  const parts: Buffer[] = [];
  const outputs = session.outputNames.map((name) => {
    const tensor = results[name] as OrtModule.Tensor;
    const data = tensor.data as Int32Array;
    parts.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
    return { name, datatype: 'INT32', shape: tensor.dims, parameters: { binary_data_size: data.byteLength } };
  });
  const json = JSON.stringify({ model_name: 'tiny', model_version: '1', outputs });
  return [json, Buffer.concat(parts)];
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks);
    infer(body, Number(request.headers['inference-header-content-length'])).then(
      ([json, data]) => {
        response.writeHead(200, {
          'Content-Type': 'application/octet-stream',
          'Inference-Header-Content-Length': Buffer.byteLength(json),
          'Content-Length': Buffer.byteLength(json) + data.byteLength,
        });
        response.end(Buffer.concat([Buffer.from(json), data]));
      },
      (thrown: unknown) => response.writeHead(500).end(String(thrown)),
    );
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
