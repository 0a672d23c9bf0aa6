import { describe, expect, test } from 'vitest';

import { modelConfig } from '../../testing/tensors.ts';
import type { JavaScriptModel, ModelRequest } from './model-api.ts';
import { ModelRunner } from './model-runner.ts';
import type { FromWorker, RequestMessage } from './worker-messages.ts';

type Sent = Extract<FromWorker, { kind: 'response' }>;

function request(key: number): RequestMessage {
  return {
    key,
    id: '',
    correlationId: 0n,
    flags: 0,
    priority: 0n,
    timeoutUs: 0,
    parameters: {},
    batchSize: 1,
    inputs: [],
    wantedOutputs: ['OUTPUT0'],
    requestedOutputs: [],
  };
}

/** A model that answers every request through send(), and waits for nothing. */
function flooding(count: number, isDecoupled: boolean): { runner: ModelRunner; sent: Sent[] } {
  const sent: Sent[] = [];
  const model: JavaScriptModel = {
    execute: (requests: readonly ModelRequest[]) => {
      for (const one of requests) {
        for (let i = 0; i < count; i += 1) void one.send({ parameters: { i } });
        if (isDecoupled) void one.end();
      }
      return undefined;
    },
  };
  const config = modelConfig({
    name: 'm',
    ...(isDecoupled ? { modelTransactionPolicy: { decoupled: true } } : {}),
  });
  const setup = {
    modelFile: '/m/1/model.js',
    modelName: 'm',
    modelVersion: '1',
    modelDir: '/m',
    versionDir: '/m/1',
    instanceName: 'm_0',
    config,
  };
  const runner = new ModelRunner({
    model,
    setup,
    context: {} as never,
    post: (message) => {
      if (message.kind === 'response') sent.push(message);
    },
  });
  return { runner, sent };
}

describe('a model that does not wait for what it sends', () => {
  test('has 64 responses to a request on their way, and the next one when one was taken', async () => {
    const { runner, sent } = flooding(1000, true);
    await runner.execute({ kind: 'execute', execution: 1, requests: [request(1)], data: new ArrayBuffer(0) });
    expect(sent).toHaveLength(64);
    runner.sent(sent[0]?.serial ?? 0, undefined);
    expect(sent).toHaveLength(65);
    for (let at = 1; at < sent.length; at += 1) runner.sent(sent[at]?.serial ?? 0, undefined);
    expect(sent).toHaveLength(1001);
    expect(sent.map(({ response }) => response?.parameters['i'])).toEqual([
      ...Array.from({ length: 1000 }, (_, i) => i),
      undefined,
    ]);
    expect(sent.findIndex(({ isFinal }) => isFinal)).toBe(1000);
  });

  test('holds up no other request of its instance', async () => {
    const { runner, sent } = flooding(100, true);
    const requests = [request(1), request(2)];
    await runner.execute({ kind: 'execute', execution: 1, requests, data: new ArrayBuffer(0) });
    const of = (key: number): readonly Sent[] => sent.filter((one) => one.key === key);
    expect([of(1).length, of(2).length]).toEqual([64, 64]);
    // The client of the first one reads nothing.
    for (let at = 0; at < of(2).length; at += 1) runner.sent(of(2)[at]?.serial ?? 0, undefined);
    expect([of(1).length, of(2).length]).toEqual([64, 101]);
  });

  test('has no limit where a request is over with execute()', async () => {
    const { runner, sent } = flooding(1, false);
    const requests = Array.from({ length: 100 }, (_, index) => request(index));
    await runner.execute({ kind: 'execute', execution: 1, requests, data: new ArrayBuffer(0) });
    expect(sent).toHaveLength(100);
  });
});
