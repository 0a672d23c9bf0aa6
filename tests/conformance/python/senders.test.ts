// Rows 6 and 7 of the checklist of Triton's Python backend where requests of one batch are answered in different ways.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, PythonWorld } from './python-world.ts';
import { streamValues } from './python-streams.ts';

const BATCH_OF_THREE = `max_batch_size: 4
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 10000000 }`;

/** Below 2 a request is returned, above 2 sent, and 2 itself is neither. */
const MIXED = executing(`answers = []
for each in requests:
    value = each.inputs()[0].as_numpy()
    response = InferenceResponse([Tensor("OUTPUT0", value * 10 + len(requests))])
    if value[0][0] > 2:
        each.get_response_sender().send(response, pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
    answers.append(response if value[0][0] < 2 else None)
return answers`);

/** Two requests are kept; the second of them is answered first, after both were given to execute. */
const TURNED = `class TritonPythonModel:
    kept = []

    def execute(self, requests):
        for each in requests:
            self.kept.append((each.inputs()[0].as_numpy()[0], each.get_response_sender()))
        if len(self.kept) < 2:
            return None
        for value, sender in reversed(self.kept):
            pb_utils.Logger.log_info(f"answers {value}")
            sender.send(InferenceResponse([Tensor("OUTPUT0", np.array([value], np.float32))]))
            sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        return None
`;

describe.skipIf(testPython() === undefined)(needsPython('senders of Python models'), () => {
  let world: PythonWorld;
  beforeAll(async () => {
    world = await PythonWorld.create({
      mixed: { code: MIXED, config: BATCH_OF_THREE },
      turned: {
        code: TURNED,
        config: `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
model_transaction_policy { decoupled: true }`,
      },
    });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const ask = (value: number) =>
    world.infer('mixed', { inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [value] }] });

  test('7 default-mode sender: responses that are returned and sent share a batch', async () => {
    const replies = await Promise.all([1, 3, 4].map(ask));
    expect(replies.map(({ outputs }) => outputs[0]?.data)).toEqual([[13], [33], [43]]);
    const { body } = await world.call('models/mixed/stats');
    expect(body).toMatchObject({ model_stats: [{ inference_count: 3, execution_count: 1 }] });
  });

  test('7 default-mode sender: what is neither returned nor sent ends, and leaves its batch alone', async () => {
    const replies = await Promise.all([1, 2, 3].map(ask));
    expect(replies.map(({ status }) => status)).toEqual([200, 500, 200]);
    expect(replies[1]?.error).toBe('expected a single response, got 0');
  });

  test('6 decoupled: requests are answered in another order than they came', async () => {
    const [first, second] = await Promise.all([streamValues(world, 'turned', {}, [1]), later(2)]);
    expect([first.values, second.values]).toEqual([[1], [2]]);
    expect(world.logged('answers ')).toEqual(['answers 2.0', 'answers 1.0']);
  });

  /** Sent when the model has the first request. */
  async function later(value: number) {
    await expect
      .poll(() => world.call('models/turned/stats'), { timeout: 30_000 })
      .toMatchObject({
        body: { model_stats: [{ execution_count: 1 }] },
      });
    return streamValues(world, 'turned', {}, [value]);
  }
});
