// `npm run ab [COUNT] [SEED]`: sends the same random requests to a tritonserver and to our server, and compares the answers:
// status, kind of body, what its JSON says, and every byte of tensors. Exit code 1 when any differ.

import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { credentials, Client } from '@grpc/grpc-js';

import { writePeerRepository } from '../bench/peer/peer-models.ts';
import { startOurs, startPeer } from '../bench/peer/peer-servers.ts';
import { neededPeerCommand } from './reference-command.ts';
import { decodeInferResponse } from '../src-main/grpc-wire/infer-response-decoder.ts';
import type { AbRequest } from './ab/random-requests.ts';
import { RandomRequests } from './ab/random-requests.ts';
import type { ServedAddresses } from './served-process.ts';

const IN_FLIGHT = 8;
const SHOWN = 10;
const METHOD = '/inference.GRPCInferenceService/ModelInfer';

/** One of the two servers. */
class Side {
  readonly #http: string;
  readonly #grpc: Client;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });

  constructor(addresses: ServedAddresses) {
    this.#http = addresses.http;
    this.#grpc = new Client(addresses.grpc, credentials.createInsecure());
  }

  /** The answer as one text: equal texts are equal answers. */
  answer(request: AbRequest): Promise<string> {
    return request.protocol === 'http' ? this.#overHttp(request) : this.#overGrpc(request);
  }

  #overHttp({ path: where, headers, body }: AbRequest): Promise<string> {
    return new Promise((resolve) => {
      const broken = (thrown: Error): void => resolve(`no answer: ${thrown.message}`);
      const options = {
        agent: this.#agent,
        method: 'POST',
        headers: { ...headers, 'content-length': body.length },
      };
      const sent = http.request(`http://${this.#http}${where}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', broken);
        response.on('end', () => {
          const whole = Buffer.concat(chunks);
          const length = response.headers['inference-header-content-length'];
          const json = whole.subarray(0, length === undefined ? whole.length : Number(length));
          const text = JSON.stringify([values(json), whole.subarray(json.length).toString('hex')]);
          // Errors are always typed here; the reference leaves some as text.
          const type = response.statusCode === 200 ? (response.headers['content-type'] ?? '') : '';
          resolve(`${response.statusCode} ${type} ${text}`);
        });
      });
      sent.on('error', broken);
      sent.end(body);
    });
  }

  #overGrpc({ body }: AbRequest): Promise<string> {
    const same = (bytes: Buffer): Buffer => bytes;
    return new Promise((resolve) => {
      this.#grpc.makeUnaryRequest(METHOD, same, same, body, (error, reply) => {
        // A message with a blank at its end gets lost on the way from the reference to this client.
        if (error !== null) resolve(`${error.code} ${error.details.endsWith(' ') ? '' : error.details}`);
        else if (reply !== undefined) resolve(readable(reply));
      });
    });
  }

  close(): void {
    this.#agent.destroy();
    this.#grpc.close();
  }
}

/** What a text says: the reference writes some numbers with a digit more than they need. */
function values(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString(), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value));
  } catch {
    return json.toString();
  }
}

function readable(reply: Buffer): string {
  const { outputs, parameters, ...head } = decodeInferResponse(reply);
  const tensors = outputs.map(({ bytes, ...rest }) => ({
    ...rest,
    bytes: Buffer.from(bytes).toString('hex'),
  }));
  return JSON.stringify({ ...head, parameters: [...parameters.keys()].sort(), tensors });
}

/** Words in which this release of the reference and the one that is followed here differ, made the same. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Missing a comma or '(.)' after/g, 'Missing a comma or $1 after'],
  [
    /Unable to parse 'data': Shape does not match true shape of 'data' field/g,
    "Failed to parse 'data' field: shape does not match true shape",
  ],
];

function evened(answer: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), answer);
}

interface Tally {
  count: number;
  differing: number;
  /** By the beginning of our answer: how often. */
  readonly kinds: Map<string, number>;
}

async function compare(ours: Side, theirs: Side, count: number, seed: number): Promise<Tally> {
  const requests = new RandomRequests(seed);
  const tally: Tally = { count: 0, differing: 0, kinds: new Map() };
  const worker = async (): Promise<void> => {
    while (tally.count < count) {
      tally.count += 1;
      const request = requests.request();
      const [mine, reference] = await Promise.all([ours.answer(request), theirs.answer(request)]);
      const kind = `${request.protocol} ${mine.startsWith('{') ? '0' : (mine.split(' ')[0] ?? '')}`;
      tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
      if (mine === reference || evened(mine) === evened(reference)) continue;
      tally.differing += 1;
      if (tally.differing > SHOWN) continue;
      const shown = request.protocol === 'http' ? request.body.toString('latin1').slice(0, 400) : 'gRPC';
      console.log(
        `## ${request.path} ${shown}\n  reference ${reference.slice(0, 600)}\n  ours      ${mine.slice(0, 600)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return tally;
}

async function main(count: number, seed: number): Promise<number> {
  const command = neededPeerCommand();
  if (command === undefined) return 0;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  try {
    await writePeerRepository(folder);
    const [ours, theirs] = await Promise.all([startOurs(folder), startPeer(command, folder)]);
    const sides = [new Side(ours.server), new Side(theirs.server)] as const;
    try {
      const tally = await compare(...sides, count, seed);
      for (const { server } of [ours, theirs])
        if (server.hasEnded()) console.log(`a server ended:\n${server.log().slice(-2000)}`);
      const kinds = [...tally.kinds].sort().map(([kind, times]) => `${kind}: ${times}`);
      console.log(
        `${tally.count} requests of seed ${seed}: ${tally.differing} answers differ (${kinds.join(', ')})`,
      );
      return tally.differing === 0 ? 0 : 1;
    } finally {
      for (const side of sides) side.close();
      await Promise.all([ours.server.stop(), theirs.server.stop()]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = '100000', seed = '1'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed));
