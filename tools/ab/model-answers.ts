// What a server says to a random model, as texts that can be compared: the load, then what is loaded, then its answers.

import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { grpcCall, grpcStream } from '../../tests/reference/grpc-exchange.ts';
import type { ServedProcess } from '../served-process.ts';
import { NEWER } from './random-configs.ts';
import type { ModelRequest, RandomModel } from './random-models.ts';

const WAIT_MS = 20_000;
const LOG_WAITS = 20;
/** How answers begin that did not come. */
export const NO_ANSWER = 'no answer';

interface Body {
  readonly content: string | Uint8Array;
  readonly headLength?: number;
}

async function call(address: string, method: 'GET' | 'POST', where: string, body?: Body): Promise<string> {
  try {
    const response = await fetch(`http://${address}${where}`, {
      method,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(body === undefined ? {} : { body: body.content as string }),
      ...(body?.headLength === undefined
        ? {}
        : { headers: { 'inference-header-content-length': String(body.headLength) } }),
    });
    const whole = Buffer.from(await response.arrayBuffer());
    const length = response.headers.get('inference-header-content-length');
    const head = whole.subarray(0, length === null ? whole.length : Number(length));
    const rest = whole.subarray(head.length).toString('hex');
    return `${response.status} ${withSortedKeys(head.toString())}${rest === '' ? '' : ` ${rest}`}`;
  } catch (thrown) {
    return `${NO_ANSWER}: ${String(thrown)}`;
  }
}

/** The order of members, which are those of a map as often as not, says nothing. */
function withSortedKeys(text: string): string {
  try {
    const sorted = (_: string, read: unknown): unknown =>
      typeof read === 'object' && read !== null && !Array.isArray(read)
        ? Object.fromEntries(
            Object.entries(read)
              .filter(([key]) => !NEWER.includes(key))
              .sort(([a], [b]) => (a < b ? -1 : 1)),
          )
        : read;
    return JSON.stringify(JSON.parse(text, sorted));
  } catch {
    return text;
  }
}

/** Where our words say more on purpose, and where the reference takes any of several. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^failed to read text proto from .*$/, 'not readable'],
  [/^Error parsing text-format .*$/, 'not readable'],
  [/^ensemble tensor '.*' is unused in/, 'an ensemble tensor is unused in'],
];

/** Why a model could not be read is told to the log alone, which comes through a pipe of its own. */
async function pollFault(server: ServedProcess, name: string): Promise<string> {
  const begin = `Poll failed for model directory '${name}': `;
  const isThere = (): boolean => server.log().indexOf('\n', server.log().lastIndexOf(begin)) >= 0;
  for (let waits = 0; waits < LOG_WAITS && !(server.log().includes(begin) && isThere()); waits += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const log = server.log();
  const at = log.lastIndexOf(begin);
  if (at < 0) return '';
  return WORDS.reduce(
    (text, [pattern, words]) => text.replace(pattern, words),
    log.slice(at + begin.length, log.indexOf('\n', at)).replaceAll('\\"', '"'),
  );
}

function ask(server: ServedProcess, name: string, request: ModelRequest): Promise<string> {
  if (request.protocol === 'http') {
    const { body, headLength } = request;
    const content = { content: body, ...(headLength === undefined ? {} : { headLength }) };
    return call(server.http, 'POST', `/v2/models/${name}/infer`, content);
  }
  const port = Number(server.grpc.split(':').at(-1));
  const named = (message: PlainMessage): PlainMessage => ({ ...message, model_name: name });
  return within(
    request.protocol === 'grpc'
      ? grpcCall(port, 'ModelInfer', named(request.message))
      : grpcStream(port, request.messages.map(named)),
  );
}

async function within(answer: Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${NO_ANSWER} within ${WAIT_MS / 1000} s`), WAIT_MS);
  });
  const text = answer.then(
    (value) => withSortedKeys(JSON.stringify(value)),
    (thrown: unknown) => `${NO_ANSWER}: ${String(thrown)}`,
  );
  const first = await Promise.race([text, late]);
  clearTimeout(timer);
  return first;
}

/** The load's answer alone where a model is not served. */
export async function modelAnswers(
  server: ServedProcess,
  name: string,
  { requests }: RandomModel,
): Promise<readonly string[]> {
  const address = server.http;
  const empty = { content: '{}' };
  const loaded = await call(address, 'POST', `/v2/repository/models/${name}/load`, empty);
  if (loaded.includes('failed to poll')) return [`${loaded} ${await pollFault(server, name)}`];
  if (!loaded.startsWith('200')) return [loaded];
  const where = `/v2/models/${name}`;
  const said = [loaded, await call(address, 'GET', `${where}/config`), await call(address, 'GET', where)];
  for (const request of requests) {
    said.push(await ask(server, name, request));
    // What hung once hangs again.
    if (said.at(-1)?.startsWith(NO_ANSWER) === true) return said;
  }
  await call(address, 'POST', `/v2/repository/models/${name}/unload`, empty);
  return said;
}

/** Loads models that others call. */
export async function loadSteps(server: ServedProcess, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const answer = await call(server.http, 'POST', `/v2/repository/models/${name}/load`, { content: '{}' });
    if (!answer.startsWith('200')) throw new Error(`${name} cannot be loaded: ${answer}`);
  }
}
