// `npm run conformance:tritonclient`: starts servers on free ports and lets the official Python clients talk to them.
// Writes `.cache/test-reports/tritonclient.json` (rows and counts); exit code 1 when a row failed. A pattern as argument
// runs the rows whose name contains it.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fixture } from '../src-main/testing/fixtures.ts';
import type { RepositoryFiles } from '../src-main/testing/temp-repository.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { conformanceModels, NOT_STARTED, overrideModel } from '../tests/tritonclient/models.ts';
import { pipelineModels } from '../tests/tritonclient/pipeline-models.ts';
import { tutorialModels } from '../tests/tritonclient/tutorial-models.ts';
import { pythonEnvironment, runProgram } from './python-environment.ts';
import type { ServedAddresses, ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const root = path.resolve(import.meta.dirname, '..');
const reports = path.join(root, '.cache', 'test-reports');
const report = path.join(reports, 'tritonclient.json');
const PACKAGES = ['tritonclient[all]==2.73.0', 'pillow'];
const CHECKS_LIMIT_MS = 300_000;

async function main(pattern: string): Promise<number> {
  mkdirSync(reports, { recursive: true });
  const environment = await pythonEnvironment('venv-tritonclient', PACKAGES);
  if ('missing' in environment) {
    console.log(`conformance with the official client is skipped: ${environment.missing}`);
    writeFileSync(
      report,
      JSON.stringify({ passed: 0, failed: 0, skipped: 1, rows: [], reason: environment.missing }),
    );
    return 0;
  }
  await using repository = await TempRepository.create(conformanceModels());
  await using extra = await TempRepository.create({ 'override.onnx': overrideModel() });
  await using told = await TempRepository.create(toldModel());
  await using tutorials = await TempRepository.create({ ...tutorialModels(), ...pipelineModels() });
  const servers: ServedProcess[] = [];
  try {
    const [main, guarded, python] = await Promise.all([
      mainServer(repository.path),
      guardedServer(told.path),
      pythonServer(tutorials.path, environment.python),
    ]);
    servers.push(main, guarded, python);
    const world = extra.at('world.json');
    writeFileSync(world, JSON.stringify(describeWorld(main, guarded, python, extra.at('override.onnx'))));
    const checks = path.join(root, 'tests/tritonclient/conformance.py');
    const run = await runProgram(environment.python, [checks, world, report, pattern], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', GRPC_VERBOSITY: 'NONE' },
      limitMs: CHECKS_LIMIT_MS,
      echo: true,
    });
    return run.code;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The one model of the guarded server. */
function toldModel(): RepositoryFiles {
  return Object.fromEntries(Object.entries(conformanceModels()).filter(([file]) => file.startsWith('tell/')));
}

/** Explicit control over the models of the quick start and the generated ones. */
function mainServer(repository: string): Promise<ServedProcess> {
  const started = new Set(Object.keys(conformanceModels()).map((file) => file.split('/')[0] ?? ''));
  const names = [...started].filter((name) => !NOT_STARTED.includes(name));
  const others = [
    'simple',
    'simple_int8',
    'simple_string',
    'simple_sequence',
    'simple_dyna_sequence',
    'image_classifier',
  ];
  return serveConch([
    `--model-repository=${repository}`,
    `--model-repository=${fixture('models')}`,
    '--model-control-mode=explicit',
    ...[...names, ...others].map((name) => `--load-model=${name}`),
    '--allow-client-shm=true',
  ]);
}

/** Mode none and everything that needs a header, or lets headers through. */
function guardedServer(repository: string): Promise<ServedProcess> {
  const guarded = 'model-config,statistics,logging,shared-memory';
  return serveConch([
    `--model-repository=${repository}`,
    `--http-restricted-api=${guarded}:admin-key=secret`,
    `--grpc-restricted-protocol=${guarded}:admin-key=secret`,
    '--http-header-forward-pattern=my_header.*|authorization',
    '--grpc-header-forward-pattern=my_header.*|authorization',
  ]);
}

/** Models written in Python, on the Python of the clients, which has numpy. */
function pythonServer(repository: string, program: string): Promise<ServedProcess> {
  return serveConch([
    `--model-repository=${repository}`,
    `--backend-config=python,python-executable=${program}`,
  ]);
}

function describeWorld(
  main: ServedAddresses,
  guarded: ServedAddresses,
  python: ServedAddresses,
  override: string,
): object {
  const addresses = ({ http, grpc, metrics }: ServedAddresses): ServedAddresses => ({ http, grpc, metrics });
  return {
    main: addresses(main),
    guarded: addresses(guarded),
    python: addresses(python),
    override,
    images: fixture('images'),
    labels: fixture('models/image_classifier/labels.txt'),
  };
}

process.exitCode = await main(process.argv[2] ?? '');
