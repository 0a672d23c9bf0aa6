// `npm run ab:configs [COUNT] [SEED] [KINDS] [FROM]`: lets a tritonserver and our server load the same random models (kinds: onnx,
// ensemble, sequence, python), and compares what both say: the answer to the load, the configuration and metadata of what was
// loaded, and answers to requests. The models before number FROM are drawn and left out, to look at one again. Exit code 1
// when any differ.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { startOurs, startPeer } from '../bench/peer/peer-servers.ts';
import { evened } from './ab/evened-answers.ts';
import { loadSteps, modelAnswers, NO_ANSWER } from './ab/model-answers.ts';
import type { Files } from './ab/random-models.ts';
import { RandomModels, stepModels } from './ab/random-models.ts';
import { neededPeerCommand } from './reference-command.ts';

const EXPLICIT = '--model-control-mode=explicit';
/** As the reference does on a machine without a GPU. */
const STRICT = '--gpu-policy=strict';
/** What models in Python call. */
const isVerbose = process.env['CONCH_AB_VERBOSE'] !== undefined;
const CALLED = ['copy', 'whole', 'helper', 'teller'];

async function writeModel(folder: string, files: Files): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, file);
    await mkdir(file.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!file.endsWith('/')) await writeFile(target, content);
  }
}

async function main(count: number, seed: number, kinds: string, from: number): Promise<number> {
  const command = neededPeerCommand();
  if (command === undefined) return 0;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  for (const [name, files] of Object.entries(stepModels())) await writeModel(path.join(folder, name), files);
  const ours = await startOurs(folder, [EXPLICIT, STRICT]);
  let theirs = await startPeer(command, folder, [EXPLICIT]);
  const steps = kinds.includes('python') ? CALLED : [];
  await Promise.all([ours, theirs].map(({ server }) => loadSteps(server, steps)));
  const models = new RandomModels(seed, kinds);
  const tally = { loaded: 0, ended: 0, differing: 0 };
  try {
    for (let index = 0; index < count; index += 1) {
      const name = `m${index}`;
      const model = models.model();
      if (index < from) continue;
      await writeModel(path.join(folder, name), model.files);
      const [mine, reference] = await Promise.all([
        modelAnswers(ours.server, name, model),
        modelAnswers(theirs.server, name, model),
      ]);
      await rm(path.join(folder, name), { recursive: true });
      if (theirs.server.hasEnded() || reference.some((answer) => answer.startsWith(NO_ANSWER))) {
        // Some configurations end the reference, or hang it: nothing to compare.
        tally.ended += 1;
        if (isVerbose)
          console.log(`-- ${index} ended the reference, answer ${reference.length - 1}\n${model.text}`);
        await theirs.server.stop();
        theirs = await startPeer(command, folder, [EXPLICIT]);
        await loadSteps(theirs.server, steps);
      } else {
        if (reference.length > 1) tally.loaded += 1;
        const at = mine.findIndex((answer, each) => evened(answer) !== evened(reference[each] ?? ''));
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

const [count = '1000', seed = '1', kinds = '', from = '0'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed), kinds, Number(from));
