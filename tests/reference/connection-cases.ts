// The end of gRPC connections, frame by frame: those of some age, those whose client answers no ping, and those whose
// client pings too often. Pings with which the reference measures the line are left out.

import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { RawGrpcClient } from '../../src-main/testing/raw-grpc.ts';
import { wait } from './life-calls.ts';
import { executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const ANNOUNCED = `goaway ${2 ** 31 - 1}`;
const SLEEPER = executing(`time.sleep(3)
return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]) for request in requests]`);
const REQUEST = Buffer.from(
  serviceMethods('inference.GRPCInferenceService')
    .get('ModelInfer')
    ?.request.encode({
      model_name: 'sleeper',
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: ['1'] }],
      raw_input_contents: [Buffer.alloc(4)],
    }) ?? [],
);

interface Walk {
  readonly name: string;
  /** Whether pings of the server are answered; default true. */
  readonly answersPings?: false;
  readonly walk: (client: RawGrpcClient) => Promise<void> | void;
  readonly lastsMs: number;
}

const ends = ({ name, answersPings, walk, lastsMs }: Walk): ReferenceCase => ({
  name: `connections: ${name}`,
  run: async ({ grpcPort }) => {
    const client = new RawGrpcClient(grpcPort, answersPings ?? true);
    await wait(200);
    await walk(client);
    await wait(lastsMs);
    const { seen } = client;
    const told = seen.filter((word, at) => word !== 'ping' || seen[at - 1] === ANNOUNCED);
    client.close();
    return told;
  },
});

const infers = (client: RawGrpcClient): void => client.call(1, 'ModelInfer', REQUEST);
const streams = (client: RawGrpcClient): void => client.call(1, 'ModelStreamInfer', REQUEST, true);
const nothing = (): void => undefined;
const pings =
  (count: number, first: Walk['walk'] = nothing): Walk['walk'] =>
  async (client) => {
    await first(client);
    for (let sent = 0; sent < count; sent += 1) {
      client.ping();
      await wait(50);
    }
  };
const live = (client: RawGrpcClient): void => client.call(1, 'ServerLive', Buffer.alloc(0));

const scene = (name: string, args: readonly string[], walks: readonly Walk[]): Scene => ({
  name: `connections ${name}`,
  repositories: () => [
    pythonFiles('sleeper', SLEEPER, `${ONE_TO_ONE}\ninstance_group [ { count: 4 kind: KIND_CPU } ]`),
  ],
  args,
  atOnce: 4,
  cases: walks.map(ends),
});

export const CONNECTION_SCENES: readonly Scene[] = [
  scene(
    'of some age',
    ['--grpc-max-connection-age=1500'],
    [
      { name: 'idle', walk: nothing, lastsMs: 2500 },
      { name: 'with a call', walk: infers, lastsMs: 4500 },
      { name: 'without an answer to the ping', answersPings: false, walk: nothing, lastsMs: 3000 },
      {
        name: 'a call behind the announcement',
        answersPings: false,
        walk: async (client) => {
          await wait(2000);
          live(client);
          await wait(300);
          client.answerPing();
        },
        lastsMs: 700,
      },
    ],
  ),
  scene(
    'of some age and grace',
    ['--grpc-max-connection-age=1500', '--grpc-max-connection-age-grace=700'],
    [
      { name: 'grace, idle', walk: nothing, lastsMs: 2500 },
      { name: 'grace, a call', walk: infers, lastsMs: 3500 },
      { name: 'grace, a stream', walk: streams, lastsMs: 3500 },
    ],
  ),
  scene(
    'of the silent',
    ['--grpc-keepalive-time=1000', '--grpc-keepalive-timeout=700'],
    [
      { name: 'silent, idle', answersPings: false, walk: nothing, lastsMs: 2500 },
      { name: 'silent, a call', answersPings: false, walk: infers, lastsMs: 2600 },
      { name: 'silent, a stream', answersPings: false, walk: streams, lastsMs: 2600 },
      { name: 'answering, a call', walk: infers, lastsMs: 4000 },
    ],
  ),
  ...[0, 1, 2].map((strikes) =>
    scene(
      `with ${strikes} strikes`,
      [`--grpc-http2-max-ping-strikes=${strikes}`],
      [
        { name: `${strikes} strikes, idle`, walk: pings(6), lastsMs: 500 },
        { name: `${strikes} strikes, a call before`, walk: pings(6, live), lastsMs: 500 },
      ],
    ),
  ),
];
