// Text generation as people serve it: a decoupled Python model with `transformers`, its words streamed as they come. The
// network is tiny and its weights are random, so what it writes is nonsense, and always the same.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../src-main/client/grpc-client.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { FrameworkWorld } from './framework-world.ts';

const MODEL = 'writer';

interface Expected {
  readonly prompt: string;
  readonly words: readonly string[];
}

describe.skipIf(testPython('transformers') === undefined)(
  needsPython('text generation', 'transformers'),
  () => {
    let world: FrameworkWorld;
    let expected: Expected;

    beforeAll(async () => {
      world = await FrameworkWorld.create('text_models.py', 'transformers', 'python');
      expect(await world.load(MODEL, { made: MODEL, at: '1', config: 'backend: "python"' })).toBe('');
      const file = path.join(world.repository.path, MODEL, '1/expected.json');
      expected = JSON.parse(await readFile(file, 'utf8')) as Expected;
    }, 240_000);
    afterAll(() => world[Symbol.asyncDispose]());

    const generate = (way: string, body: object) =>
      fetch(`http://127.0.0.1:${world.engine.ports.http}/v2/models/${MODEL}/${way}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });

    const events = async (body: object): Promise<string[]> => {
      const reply = await generate('generate_stream', body);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('text/event-stream'),
      ]);
      return (await reply.text())
        .split('\n\n')
        .filter((event) => event.startsWith('data: '))
        .map((event) => (JSON.parse(event.slice(6)) as { text_output: string }).text_output);
    };

    it('its configuration comes from its code', async () => {
      expect(await world.config(MODEL)).toMatchObject({
        max_batch_size: 0,
        input: [{ name: 'text_input' }, { name: 'max_tokens', optional: true }],
        model_transaction_policy: { decoupled: true },
      });
    });

    it('generate_stream: one event for each piece', async () => {
      const pieces = await events({ text_input: expected.prompt });
      expect(pieces.length).toBeGreaterThan(4);
      expect(pieces.join('').trim().split(' ')).toEqual(expected.words);
    });

    it('generate_stream: as many words as were asked for', async () => {
      const pieces = await events({ text_input: expected.prompt, max_tokens: 3 });
      expect(pieces.join('').trim().split(' ')).toEqual(expected.words.slice(0, 3));
    });

    it('gRPC: the same words in a stream, several prompts at once', async () => {
      const grpc = new GrpcInferClient(`127.0.0.1:${world.engine.ports.grpc}`, { clock: systemClock });
      const texts = await Promise.all([1, 2, 3].map(() => streamed(grpc, expected.prompt)));
      await grpc.close();
      for (const pieces of texts) {
        expect(pieces.length).toBeGreaterThan(4);
        expect(pieces.join('').trim().split(' ')).toEqual(expected.words);
      }
    });

    it('generate says that it is for one answer; with status 200, as the reference', async () => {
      const reply = await generate('generate', { text_input: expected.prompt });
      expect(reply.status).toBe(200);
      expect(await reply.text()).toContain('generate expects model to produce exactly 1 response');
    });
  },
);

/** The pieces of one prompt, read to the end. */
function streamed(grpc: GrpcInferClient, prompt: string): Promise<string[]> {
  const pieces: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  const stream = grpc.stream({
    onMessage: ({ errorMessage, response }) => {
      if (errorMessage !== '') reject(new Error(errorMessage));
      // A string on the wire stands behind its length.
      const bytes = response.outputs[0]?.bytes;
      if (bytes !== undefined) pieces.push(Buffer.from(bytes).toString('utf8', 4));
    },
    onEnd: () => resolve(pieces),
  });
  const text = Buffer.from(prompt);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.byteLength);
  stream.send({
    model: MODEL,
    version: '',
    id: '',
    inputs: [{ name: 'text_input', datatype: 'BYTES', shape: [1], bytes: Buffer.concat([length, text]) }],
    outputs: [],
    parameters: new Map(),
  });
  stream.halfClose();
  return promise;
}
