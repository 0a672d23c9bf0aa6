// The files of an export as a whole.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import { writeSampleRepository } from '../samples/sample-repository.ts';
import { exportedText, findingsOf, handOverFolders } from '../testing/handover-run.ts';
import { TempRepository } from '../testing/temp-repository.ts';

interface Deployment {
  spec: { template: { spec: { containers: { args: string[]; resources: { limits: object } }[] } } };
}

interface Compose {
  services: { triton: { command: string[]; volumes: string[]; deploy?: object; environment?: string[] } };
}

const PLANS: readonly Partial<HandoverPlan>[] = [
  { target: 'compose', monitoring: true, clients: true },
  { target: 'kubernetes', monitoring: true, autoscaling: 'queue' },
  { target: 'helm', chart: 'k8s-onprem', locations: ['nfs://files.example/srv/models'] },
  { target: 'helm', chart: 'aws', locations: ['s3://bucket/models'] },
  { target: 'helm', chart: 'gcp', locations: ['gs://bucket/models'] },
  {
    target: 'helm',
    chart: 'oci',
    locations: ['s3://https://ns.compat.objectstorage.eu.oraclecloud.com:443/b'],
  },
  { target: 'helm', chart: 'fleetcommand', locations: ['s3://bucket/models'] },
  { target: 'helm', chart: 'gke-marketplace-app', locations: ['gs://bucket/models'] },
  { target: 'kserve' },
  { target: 'seldon', locations: ['gs://bucket/models'] },
  { target: 'ray' },
];

let repository: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create();
  await writeSampleRepository(repository.path);
});
afterEach(() => repository.close());

const run = (plan: Partial<HandoverPlan>, options: readonly string[] = [], environment = {}) =>
  handOverFolders({ repositories: [repository.path], plan, options, environment });

describe('an ensemble of two repositories', () => {
  const step = (name: string): string =>
    `platform: "ensemble" max_batch_size: 8 input { name: "A" data_type: TYPE_UINT8 dims: [ 32, 32, 3 ] } output { name: "Z" data_type: TYPE_FP32 dims: [ 3, 32, 32 ] } ensemble_scheduling { step { model_name: "${name}" model_version: -1 input_map { key: "RAW" value: "A" } output_map { key: "PREPARED" value: "Z" } } }`;
  const errorsOf = async (name: string, extra: readonly string[] = []): Promise<readonly string[]> => {
    const other = await TempRepository.create({ 'both/config.pbtxt': step(name), 'both/1/.keep': '' });
    try {
      const made = await handOverFolders({ repositories: [other.path, repository.path, ...extra], plan: {} });
      return findingsOf(made, 'D50').map(({ message }) => message);
    } finally {
      await other.close();
    }
  };

  test('finds its models in the other one', async () => {
    expect(await errorsOf('pipeline_prepare')).toEqual([]);
  });

  test('is told of one that is in none of them', async () => {
    expect(await errorsOf('nowhere')).toEqual([
      expect.stringContaining('not available or ambiguous: nowhere'),
    ]);
  });

  test('may have one in an object store that is not looked at', async () => {
    expect(await errorsOf('nowhere', ['s3://bucket/models'])).toEqual([]);
  });
});

describe('files', () => {
  test.each(PLANS)('$target $chart gives YAML, the same on a second run', async (plan) => {
    const first = await run(plan);
    expect(first.files.length).toBeGreaterThan(0);
    for (const { path, text } of first.files) {
      expect(text.startsWith('# Made by Conch 1.2.3'), path).toBe(true);
      if (path.endsWith('.yaml')) expect(parse(text), path).toBeTypeOf('object');
    }
    expect((await run(plan)).files).toEqual(first.files);
  });

  test.each(PLANS)('$target $chart asks for a GPU only where one is wanted', async (plan) => {
    const asks = /nvidia\.com\/gpu|driver: nvidia|num_gpus: [1-9]|numGpus: [1-9]/;
    const texts = async (device: 'cpu' | 'gpu'): Promise<string> =>
      (await run({ ...plan, device })).files.map(({ text }) => text).join('\n');
    expect(await texts('cpu')).not.toMatch(asks);
    // Seldon's servers say themselves which GPUs they have.
    if (plan.target !== 'seldon') expect(await texts('gpu')).toMatch(asks);
  });

  test('a release that is not known', async () => {
    await expect(run({ release: '31.01' })).rejects.toThrow(
      "release '31.01' is not known; known are 24.04 to 26.07",
    );
  });

  test.each([
    [{ target: 'seldon' } as const, 'Seldon Core 2 takes a repository from s3:// or gs://'],
    [{ target: 'helm', chart: 'aws' } as const, 'The chart aws takes a repository from s3://'],
    [
      { target: 'helm', chart: 'aws', locations: ['gs://b'] } as const,
      'The chart aws takes a repository from s3://',
    ],
    [
      { target: 'kserve', locations: ['nfs://a/b'] } as const,
      'KServe takes a repository from pvc://claim/path',
    ],
    [{ locations: ['ftp://a'] } as const, "'ftp://a' is no place for a repository"],
    [{ locations: ['s3://'] } as const, "'s3://' is not complete: such a place is s3://bucket or"],
    [{ locations: ['gs:///models'] } as const, "'gs:///models' is not complete: such a place is gs://bucket"],
    [
      { locations: ['as://account'] } as const,
      "'as://account' is not complete: such a place is as://account/c",
    ],
    [{ locations: ['as://?sv=2'] } as const, "'as://?sv=2' is not complete"],
    [
      { locations: ['pvc:///models'] } as const,
      "'pvc:///models' is not complete: such a place is pvc://claim",
    ],
    [
      { locations: ['nfs://server'] } as const,
      "'nfs://server' is not complete: such a place is nfs://server/p",
    ],
    [{ locations: ['models'] } as const, "'models' is a relative path"],
    [{ locations: ['/a', '/b'] } as const, '2 places were given for 1 repositories'],
  ])('a place that the target cannot use: %o', async (plan, message) => {
    await expect(run(plan as Partial<HandoverPlan>)).rejects.toThrow(message);
  });

  test('a folder of a Windows machine stays as it was written', async () => {
    const compose = exportedText(await run({ locations: ['C:\\srv\\models'] }), 'compose.yaml');
    expect(compose).toContain('C:\\srv\\models:/models:ro');
  });
});

const OPTIONS = [
  '--model-control-mode=explicit',
  '--load-model=simple',
  '--backend-config=onnxruntime,default-max-batch-size=8',
  '--rate-limit=execution_count',
  '--metrics-config=summary_latencies=true',
  '--log-verbose=1',
  '--strict-readiness=false',
  '--exit-timeout-secs=50',
  '--http-thread-count=4',
];

describe('options', () => {
  test('they are found in the arguments', async () => {
    const compose = parse(exportedText(await run({}, OPTIONS), 'compose.yaml')) as Compose;
    const { command } = compose.services.triton;
    expect(command.slice(0, 2)).toEqual(['tritonserver', '--model-repository=/models']);
    for (const option of OPTIONS) expect(command).toContain(option);
    expect(compose.services.triton).toMatchObject({ stop_grace_period: '60s' });
    const deployment = parse(
      exportedText(await run({ target: 'kubernetes' }, OPTIONS), 'deployment.yaml'),
    ) as Deployment;
    for (const option of OPTIONS) expect(deployment.spec.template.spec.containers[0]?.args).toContain(option);
  });

  test('ports and addresses are those of the container', async () => {
    const handover = await run({}, ['--http-port=9100', '--http-address=127.0.0.1', '--grpc-port=9101']);
    const text = exportedText(handover, 'compose.yaml');
    expect((parse(text) as Compose).services.triton).toMatchObject({
      command: ['tritonserver', '--model-repository=/models'],
      ports: ['9100:8000', '9101:8001', '8002:8002'],
    });
  });

  test('dropped ones are named', async () => {
    const handover = await run({}, [
      '--gpu-policy=strict',
      '--backend-directory=/home/u/backends',
      '--log-file=/home/u/log',
      '--backend-config=onnxruntime,gpu-providers=cuda',
      '--trace-config=triton,file=/home/u/trace.json',
    ]);
    const dropped = findingsOf(handover, 'H19').map(({ message }) => message);
    for (const name of [
      '--gpu-policy',
      '--backend-directory',
      '--log-file',
      '--backend-config=onnxruntime,gpu-providers',
    ])
      expect(
        dropped.some((message) => message.startsWith(`${name} was left out`)),
        name,
      ).toBe(true);
    expect(findingsOf(handover, 'H13')).toMatchObject([
      { message: '--trace-config=triton,file=/home/u/trace.json names a path of this machine' },
    ]);
    expect(exportedText(handover, 'compose.yaml')).not.toContain('gpu-p');
  });

  test('two repositories, one in a store', async () => {
    const handover = await run({}, ['--model-repository=s3://bucket/more']);
    const { triton } = (parse(exportedText(handover, 'compose.yaml')) as Compose).services;
    expect(triton.command.filter((word) => word.startsWith('--model-repository'))).toEqual([
      '--model-repository=/models',
      '--model-repository=s3://bucket/more',
    ]);
    expect(triton.volumes).toEqual([`${repository.path}:/models:ro`]);
    expect(triton.environment).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_DEFAULT_REGION', 'AWS_SECRET_ACCESS_KEY']);
  });

  test.each(PLANS)('no value of a secret in any file of $target $chart', async (plan) => {
    const environment = { AWS_SECRET_ACCESS_KEY: 'S3CRET-env', AZURE_STORAGE_KEY: 'S3CRET-azure' };
    const options = [
      '--http-restricted-api=model-repository:admin=S3CRET-http',
      '--grpc-restricted-protocol=shared-memory:admin=S3CRET-grpc',
      '--cache-config=redis,password=S3CRET-redis',
      '--backend-config=python,api_token=S3CRET-token',
    ];
    const { files, server } = await run(plan, options, environment);
    expect(JSON.stringify({ files, server })).not.toContain('S3CRET');
  });

  test('a secret of an option has a name where its value stood', async () => {
    const options = ['--http-restricted-api=model-repository:admin=S3CRET'];
    expect(exportedText(await run({}, options), 'compose.yaml')).toContain(
      '--http-restricted-api=model-repository:admin=${TRITON_HTTP_RESTRICTED_KEY_1:?',
    );
    const deployment = exportedText(await run({ target: 'kubernetes' }, options), 'deployment.yaml');
    expect(deployment).toContain(
      '--http-restricted-api=model-repository:admin=$(TRITON_HTTP_RESTRICTED_KEY_1)',
    );
    expect(deployment).toContain('key: TRITON_HTTP_RESTRICTED_KEY_1');
  });

  const SIGNED = 'as://account/container/models?sv=2&sig=S3CRET';
  test.each(PLANS)('a signature of an address is in no file of $target $chart', async (plan) => {
    const isPlaced =
      plan.target === 'compose' || plan.target === 'kubernetes' || plan.chart === 'fleetcommand';
    const locations = plan.target === 'kserve' || isPlaced ? [SIGNED] : plan.locations;
    const repositories = locations === undefined || locations[0] === SIGNED ? [repository.path] : [SIGNED];
    const { files, server } = await handOverFolders({
      repositories,
      plan: { ...plan, ...(locations === undefined ? {} : { locations }) },
    });
    expect(JSON.stringify({ files, server })).not.toContain('S3CRET');
  });

  test('a signature has a name where it stood', async () => {
    const plan = { locations: [SIGNED] };
    const compose = await run(plan);
    expect(exportedText(compose, 'compose.yaml')).toContain(
      '--model-repository=as://account/container/models?${MODEL_REPOSITORY_SIGNATURE:?',
    );
    expect(compose.server.map(({ message }) => message)).toContain(
      'the signature at the end of as://account/container/models is written nowhere',
    );
    const deployment = exportedText(await run({ ...plan, target: 'kubernetes' }), 'deployment.yaml');
    expect(deployment).toContain(
      '--model-repository=as://account/container/models?$(MODEL_REPOSITORY_SIGNATURE)',
    );
    expect(deployment).toContain('key: MODEL_REPOSITORY_SIGNATURE');
  });

  test('a dollar of an option stays one', async () => {
    const options = ['--http-header-forward-pattern=^X-$', '--id=$(HOME)'];
    const compose = exportedText(await run({}, options), 'compose.yaml');
    expect(compose).toContain('--id=$$(HOME)');
    expect(compose).toContain('^X-$$');
    expect(exportedText(await run({ target: 'kubernetes' }, options), 'deployment.yaml')).toContain(
      '--id=$$(HOME)',
    );
  });
});
