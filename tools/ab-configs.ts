// `npm run ab:configs [COUNT] [SEED] [KINDS]`: lets a tritonserver and our server load the same random models (kinds: onnx,
// ensemble, sequence), and compares what both say: the answer to the load, the configuration and metadata of what was loaded, and
// answers to a request. Exit code 1 when any differ.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { startOurs, startPeer } from '../bench/peer/peer-servers.ts';
import { NEWER } from './ab/random-configs.ts';
import type { Files, RandomModel } from './ab/random-models.ts';
import { RandomModels, stepModels } from './ab/random-models.ts';
import { peerCommand } from './reference-command.ts';
import type { ServedProcess } from './served-process.ts';

const WAIT_MS = 20_000;
const NO_ANSWER = 'no answer';
const EXPLICIT = '--model-control-mode=explicit';
/** As the reference does on a machine without a GPU. */
const STRICT = '--gpu-policy=strict';

async function call(address: string, method: 'GET' | 'POST', where: string, body?: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}${where}`, {
      method,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(body === undefined ? {} : { body }),
    });
    return `${response.status} ${withSortedKeys(await response.text())}`;
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

/** Why a model could not be read is told to the log alone. */
function pollFault(log: string, name: string): string {
  const begin = `Poll failed for model directory '${name}': `;
  const at = log.lastIndexOf(begin);
  if (at < 0) return '';
  return WORDS.reduce(
    (text, [pattern, words]) => text.replace(pattern, words),
    log.slice(at + begin.length, log.indexOf('\n', at)).replaceAll('\\"', '"'),
  );
}

/** What a server says to a model: the load, then what is loaded, then its answers. */
async function answers(
  { http, log }: ServedProcess,
  name: string,
  { requests }: RandomModel,
): Promise<readonly string[]> {
  const address = http;

  const loaded = await call(address, 'POST', `/v2/repository/models/${name}/load`, '{}');
  if (!loaded.startsWith('200')) return [`${loaded} ${pollFault(log(), name)}`];
  const where = `/v2/models/${name}`;
  const said = [loaded, await call(address, 'GET', `${where}/config`), await call(address, 'GET', where)];
  for (const request of requests) {
    said.push(await call(address, 'POST', `${where}/infer`, JSON.stringify(request)));
  }
  await call(address, 'POST', `/v2/repository/models/${name}/unload`, '{}');
  return said;
}

async function writeModel(folder: string, files: Files): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, file);
    await mkdir(file.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!file.endsWith('/')) await writeFile(target, content);
  }
}

async function main(count: number, seed: number, kinds: string): Promise<number> {
  const command = peerCommand();
  if (command === undefined) {
    console.log('no reference server: set CONCH_PEER to a command that takes the options of tritonserver');
    return 0;
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  for (const [name, files] of Object.entries(stepModels())) await writeModel(path.join(folder, name), files);
  const ours = await startOurs(folder, [EXPLICIT, STRICT]);
  let theirs = await startPeer(command, folder, [EXPLICIT]);
  const models = new RandomModels(seed, kinds);
  const tally = { loaded: 0, ended: 0, differing: 0 };
  try {
    for (let index = 0; index < count; index += 1) {
      const name = `m${index}`;
      const model = models.model();
      await writeModel(path.join(folder, name), model.files);
      const [mine, reference] = await Promise.all([
        answers(ours.server, name, model),
        answers(theirs.server, name, model),
      ]);
      await rm(path.join(folder, name), { recursive: true });
      if (reference.some((answer) => answer.startsWith(NO_ANSWER))) {
        // Some configurations end the reference, or hang it: nothing to compare.
        tally.ended += 1;
        await theirs.server.stop();
        theirs = await startPeer(command, folder, [EXPLICIT]);
      } else {
        if (reference.length > 1) tally.loaded += 1;
        const at = mine.findIndex((answer, each) => answer !== reference[each]);
        if (at >= 0) {
          tally.differing += 1;
          console.log(
            `## ${index}, answer ${at}\n${model.text}\n  reference ${reference[at]}\n  ours      ${mine[at]}`,
          );
        }
      }
      if (ours.server.hasEnded()) {
        console.log(`our server ended:\n${model.text}\n${ours.server.log().slice(-2000)}`);
        return 1;
      }
    }
    console.log(
      `${count} models of seed ${seed}: ${tally.loaded} loaded, ${tally.ended} ended the reference, ${tally.differing} answered differently`,
    );
    return tally.differing === 0 ? 0 : 1;
  } finally {
    await Promise.all([ours.server.stop(), theirs.server.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = '1000', seed = '1', kinds = ''] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed), kinds);
