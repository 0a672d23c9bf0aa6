// Traces of Python models that stream: what the client's side, the model and its execution leave.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OtlpReceiver } from '../../../src-main/testing/otlp-receiver.ts';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const STREAM = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in request.inputs()[0].as_numpy().reshape(-1):
        sender.send(InferenceResponse([Tensor("OUTPUT0", np.array([value], np.float32))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)`);
const SENT = ['SEND_START', 'SEND_END'];

describe.skipIf(testPython() === undefined)(needsPython('traces of python models'), () => {
  let receiver: OtlpReceiver;
  let world: PythonWorld;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    const settings = [
      ['', 'mode', 'opentelemetry'],
      ['', 'level', 'TIMESTAMPS'],
      ['', 'rate', '1'],
      ['opentelemetry', 'url', `http://127.0.0.1:${receiver.port}/v1/traces`],
      ['opentelemetry', 'bsp_schedule_delay', '10'],
    ].map(([mode = '', key = '', value = '']) => ({ mode, key, value }));
    world = await PythonWorld.create(
      { streams: { code: STREAM, config: `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }` } },
      { trace: { settings } },
    );
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await receiver.close();
  });

  /** The spans of one request, once all three are there. */
  async function spansOf(send: () => Promise<unknown>) {
    const before = receiver.spans.length;
    await send();
    await vi.waitFor(() => expect(receiver.spans.length).toBe(before + 3), { timeout: 30_000 });
    const spans = receiver.spans.slice(before);
    const named = (name: string) => spans.find((span) => span.name === name);
    return { root: named('InferRequest'), model: named('streams'), compute: named('compute') };
  }

  test('over HTTP every callback completes, and every event is sent by itself', async () => {
    const { root, model, compute } = await spansOf(() =>
      fetch(`${world.http}/v2/models/streams/generate_stream`, {
        method: 'POST',
        body: JSON.stringify({ INPUT0: [1, 2] }),
      }).then((reply) => reply.text()),
    );
    const names = (root?.events ?? []).map(({ name }) => name);
    expect(names.filter((name) => name === 'INFER_RESPONSE_COMPLETE')).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('HTTP_SEND'))).toEqual(
      [...SENT, ...SENT].map((name) => `HTTP_${name}`),
    );
    expect([model?.parentSpanId, compute?.parentSpanId]).toEqual([root?.spanId, model?.spanId]);
  });

  test('over gRPC the first callback completes, and every message is sent by itself', async () => {
    const { root, model, compute } = await spansOf(
      () =>
        new Promise<void>((resolve) => {
          const stream = world.grpc.stream({ onMessage: () => undefined, onEnd: () => resolve() });
          stream.send({
            model: 'streams',
            version: '',
            id: '',
            inputs: [
              {
                name: 'INPUT0',
                datatype: 'FP32',
                shape: [2],
                bytes: new Uint8Array(Float32Array.of(1, 2).buffer),
              },
            ],
            outputs: [],
            parameters: new Map(),
          });
          stream.halfClose();
        }),
    );
    expect(root?.events.map(({ name }) => name)).toEqual([
      'GRPC_WAITREAD_START',
      'GRPC_WAITREAD_END',
      'INFER_RESPONSE_COMPLETE',
      ...[...SENT, ...SENT].map((name) => `GRPC_${name}`),
    ]);
    expect([model?.parentSpanId, compute?.parentSpanId]).toEqual([root?.spanId, model?.spanId]);
  });
});
