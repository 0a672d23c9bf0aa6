// What rows 10 to 13 of the checklist of Triton's Python backend ask beside what the other files try: a process that was
// killed is not ready, a stream that is cancelled is seen, parameters of responses reach the client, and a policy out of
// code is served.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { grpcCall, grpcStream, grpcStreamCancelled } from '../../reference/grpc-exchange.ts';
import { executing, indented, ONE_TO_ONE, PythonWorld } from './python-world.ts';

const PATIENT = { timeout: 60_000, interval: 50 };
const DECOUPLED = `${ONE_TO_ONE}\nmodel_transaction_policy { decoupled: true }`;
const IDENTITY =
  'return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]';

const TELLS = `given = {"whole": 5, "below": -1, "text": "schön", "yes": True, "no": False, "most": 2**63 - 1}
wrong = TritonError("wrong") if requests[0].request_id() == "wrong" else None
response = InferenceResponse([Tensor("OUTPUT0", np.ones(1, np.float32))], wrong, parameters=given)`;

const MODELS = {
  // Its second process takes as long as the test lets it.
  slow_to_return: {
    code: `${executing(IDENTITY)}
    def initialize(self, args):
        folder = args["model_repository"]
        print("pid", os.getpid(), flush=True)
        began = os.path.join(folder, "began")
        if os.path.exists(began):
            while not os.path.exists(os.path.join(folder, "go")): time.sleep(0.02)
        open(began, "w").close()
`,
  },
  tells: { code: executing(`${TELLS}\nreturn [response]`) },
  tells_in_a_stream: {
    config: DECOUPLED,
    code: executing(
      `${TELLS}\nsender = requests[0].get_response_sender()\nsender.send(response)\nsender.send(flags=1)`,
    ),
  },
  watches: {
    config: DECOUPLED,
    code: `def watch(request, sender):
    sender.send(InferenceResponse([Tensor("OUTPUT0", np.ones(1, np.float32))]))
    while not sender.is_cancelled(): time.sleep(0.02)
    print("saw it", request.is_cancelled(), flush=True)
    sender.send(flags=1)
${executing('threading.Thread(target=watch, args=(requests[0], requests[0].get_response_sender())).start()')}`,
  },
  out_of_code: {
    config: null,
    code: `${executing('sender = requests[0].get_response_sender()\nfor value in requests[0].inputs()[0].as_numpy(): sender.send(InferenceResponse([Tensor("OUTPUT0", np.array([value]))]))\nsender.send(flags=1)')}
    @staticmethod
    def auto_complete_config(config):
${indented('config.add_input({"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1]})\nconfig.add_output({"name": "OUTPUT0", "data_type": "TYPE_FP32", "dims": [-1]})\nconfig.set_model_transaction_policy({"decoupled": True})\nreturn config', 8)}
`,
  },
};

const message = (model: string, id = '', values: readonly number[] = [1]): Record<string, unknown> => ({
  model_name: model,
  id,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [BigInt(values.length)] }],
  raw_input_contents: [Buffer.from(Float32Array.from(values).buffer)],
});

const AS_MESSAGE = {
  whole: { int64_param: '5' },
  below: { int64_param: '-1' },
  text: { string_param: 'schön' },
  yes: { bool_param: true },
  no: { bool_param: false },
  most: { int64_param: '9223372036854775807' },
};

describe.skipIf(testPython() === undefined || process.platform === 'win32')(
  needsPython('rows 10 to 13 of Python models'),
  () => {
    let world: PythonWorld;
    beforeAll(async () => {
      world = await PythonWorld.create(MODELS);
    });
    afterAll(() => world[Symbol.asyncDispose]());

    const grpcPort = (): number => world.engine.ports.grpc ?? 0;
    const ready = async (model: string) => (await world.call(`models/${model}/ready`)).status;

    test('10 readiness: a process that was killed is not ready until another one is', async () => {
      expect(await ready('slow_to_return')).toBe(200);
      const pid = Number(world.logged('pid ').at(-1)?.split(' ')[1]);
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(async () => expect(await ready('slow_to_return')).toBe(400), PATIENT);
      expect((await world.call('health/ready')).status).toBe(400);
      expect(await grpcCall(grpcPort(), 'ServerReady', {})).toMatchObject({
        response: { ready: false },
      });
      expect((await world.call('health/live')).status).toBe(200);
      await world.repository.write({ 'slow_to_return/go': '' });
      await vi.waitFor(async () => expect(await ready('slow_to_return')).toBe(200), PATIENT);
      expect(await world.ask('slow_to_return', [4])).toMatchObject({ outputs: [{ data: [4] }] });
      expect((await world.call('health/ready')).status).toBe(200);
    });

    test.each([
      [true, 400],
      [false, 200],
    ])(
      '10 readiness: with strict readiness %s and a model that is not, the server is %d',
      async (strictReadiness, status) => {
        const code = `${executing(IDENTITY)}\n    def is_ready(self):\n        return False\n`;
        const server = { exitOnError: false, strictReadiness };
        await using other = await PythonWorld.create({ never: { code } }, { server });
        expect((await other.call('health/ready')).status).toBe(status);
        expect((await other.call('models/never/ready')).status).toBe(400);
        expect((await other.ask('never')).status).toBe(200);
      },
    );

    test('11 cancellation: a stream that is cancelled is seen by its sender and its request', async () => {
      expect(await grpcStreamCancelled(grpcPort(), message('watches'), 300)).toBe(1);
      await vi.waitFor(() => expect(world.logged('saw it True')).toHaveLength(1), PATIENT);
      expect(await ready('watches')).toBe(200);
    });

    test('12 parameters of a response reach the client over HTTP', async () => {
      const { parameters } = await world.ask('tells');
      expect(parameters).toEqual({
        ...{ whole: 5, below: -1, text: 'schön', yes: true, no: false },
        most: Number(2n ** 63n - 1n),
      });
    });

    test('12 parameters of a response reach the client over gRPC, but not with an error', async () => {
      const { response } = await grpcCall(grpcPort(), 'ModelInfer', message('tells'));
      expect(response).toMatchObject({ parameters: AS_MESSAGE });
      const wrong = await grpcCall(grpcPort(), 'ModelInfer', message('tells', 'wrong'));
      expect(wrong).toEqual({ code: 13, details: 'wrong', response: undefined });
    });

    test('12 parameters of a response in a stream', async () => {
      const [first] = await grpcStream(grpcPort(), [message('tells_in_a_stream')]);
      expect(first).toMatchObject({ infer_response: { parameters: AS_MESSAGE } });
    });

    test('13 auto-complete: a policy out of code is served as one', async () => {
      const seen = await grpcStream(grpcPort(), [message('out_of_code', '', [3, 4])]);
      expect(seen).toMatchObject([{ error_message: '' }, { error_message: '' }, { code: 0 }]);
      expect((await world.ask('out_of_code')).error).toBe(
        "HTTP end point doesn't support models with decoupled transaction policy",
      );
    });
  },
);
