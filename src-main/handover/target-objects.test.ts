// The objects of clusters whose schemas no package carries, against small ones written from their documents.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import type { HandoverPlan } from '../../src-shared/contract/handover-calls.ts';
import { writeSampleRepository } from '../samples/sample-repository.ts';
import { exportedText, findingsOf, handOverFolders } from '../testing/handover-run.ts';
import { TempRepository } from '../testing/temp-repository.ts';

const label = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const metadata = z.strictObject({ name: label, labels: z.record(z.string(), z.string()).optional() });
const memory = z.string().regex(/^\d+(Mi|Gi)$/);
const resources = z.strictObject({
  requests: z.strictObject({ cpu: z.string(), memory }),
  limits: z.strictObject({ memory, 'nvidia.com/gpu': z.number().int().optional() }),
});
const mounted = {
  volumeMounts: z
    .array(
      z.strictObject({
        name: label,
        mountPath: z.string().startsWith('/'),
        readOnly: z.boolean().optional(),
      }),
    )
    .optional(),
};
const volumes = z.array(z.looseObject({ name: label })).optional();
const env = z
  .array(
    z.strictObject({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z
        .strictObject({
          secretKeyRef: z.strictObject({ name: label, key: z.string(), optional: z.boolean() }),
        })
        .optional(),
    }),
  )
  .optional();
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.union([z.string(), z.number()]) }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});

const SERVING_RUNTIME = z.strictObject({
  apiVersion: z.literal('serving.kserve.io/v1alpha1'),
  kind: z.literal('ServingRuntime'),
  metadata,
  spec: z.strictObject({
    annotations: z.record(z.string(), z.string()),
    supportedModelFormats: z.tuple([
      z.strictObject({ name: z.literal('triton'), version: z.literal('2'), autoSelect: z.literal(false) }),
    ]),
    protocolVersions: z.array(z.enum(['v2', 'grpc-v2'])),
    containers: z.tuple([
      z.strictObject({
        name: z.literal('kserve-container'),
        image: z.string(),
        args: z.array(z.string()),
        env,
        ports: z.array(z.strictObject({ containerPort: z.number(), protocol: z.literal('TCP') })),
        startupProbe: probe,
        livenessProbe: probe,
        readinessProbe: probe,
        resources,
        securityContext: z.looseObject({ runAsUser: z.literal(1000) }),
        ...mounted,
      }),
    ]),
    volumes,
  }),
});

const INFERENCE_SERVICE = z.strictObject({
  apiVersion: z.literal('serving.kserve.io/v1beta1'),
  kind: z.literal('InferenceService'),
  metadata,
  spec: z.strictObject({
    predictor: z.strictObject({
      serviceAccountName: label.optional(),
      minReplicas: z.number().int(),
      maxReplicas: z.number().int(),
      terminationGracePeriodSeconds: z.number().int(),
      model: z.strictObject({
        modelFormat: z.strictObject({ name: z.literal('triton') }),
        protocolVersion: z.literal('v2'),
        runtime: label,
        storageUri: z.string().regex(/^(s3|gs|https|pvc):\/\//),
      }),
    }),
  }),
});

const SELDON_MODEL = z.strictObject({
  apiVersion: z.literal('mlops.seldon.io/v1alpha1'),
  kind: z.literal('Model'),
  metadata: z.strictObject({ name: label }),
  spec: z.strictObject({
    storageUri: z.string(),
    artifactVersion: z.number().int(),
    requirements: z.array(z.string()),
    memory,
    replicas: z.number().int(),
  }),
});

const SELDON_PIPELINE = z.strictObject({
  apiVersion: z.literal('mlops.seldon.io/v1alpha1'),
  kind: z.literal('Pipeline'),
  metadata: z.strictObject({ name: label }),
  spec: z.strictObject({
    steps: z.array(
      z.strictObject({
        name: label,
        inputs: z.array(z.string().regex(/^[a-z0-9-]+\.(inputs|outputs)\./)),
        tensorMap: z.record(z.string(), z.string()),
      }),
    ),
    output: z.strictObject({ steps: z.array(z.string().regex(/^[a-z0-9-]+\.outputs\./)) }),
  }),
});

const rayTemplate = z.strictObject({
  spec: z.strictObject({
    containers: z.tuple([z.strictObject({ name: label, image: z.string(), env, resources, ...mounted })]),
    volumes,
  }),
});

const SERVE_CONFIG = z.strictObject({
  applications: z.tuple([
    z.strictObject({
      name: label,
      route_prefix: z.string(),
      import_path: z.literal('serve_triton:app'),
      deployments: z.tuple([
        z.strictObject({
          name: z.literal('Triton'),
          num_replicas: z.number().optional(),
          autoscaling_config: z
            .strictObject({ min_replicas: z.number(), max_replicas: z.number() })
            .optional(),
          ray_actor_options: z.strictObject({ num_cpus: z.number(), num_gpus: z.number().optional() }),
        }),
      ]),
    }),
  ]),
});

const RAY_SERVICE = z.strictObject({
  apiVersion: z.literal('ray.io/v1'),
  kind: z.literal('RayService'),
  metadata,
  spec: z.strictObject({
    serveConfigV2: z.string().transform((text) => SERVE_CONFIG.parse(parse(text))),
    rayClusterConfig: z.strictObject({
      headGroupSpec: z.strictObject({
        rayStartParams: z.record(z.string(), z.string()),
        template: rayTemplate,
      }),
      workerGroupSpecs: z.tuple([
        z.strictObject({
          groupName: z.string(),
          replicas: z.number(),
          minReplicas: z.number(),
          maxReplicas: z.number(),
          rayStartParams: z.record(z.string(), z.string()),
          template: rayTemplate,
        }),
      ]),
    }),
  }),
});

let repository: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create();
  await writeSampleRepository(repository.path);
});
afterEach(() => repository.close());

const PYTHON = {
  'py/config.pbtxt':
    'backend: "python" input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]',
  'py/1/model.py': 'import json',
};

const run = (plan: Partial<HandoverPlan>) => handOverFolders({ repositories: [repository.path], plan });

describe.each(['cpu', 'gpu'] as const)('row 1 on %s', (device) => {
  test.each([
    [[], 'pvc://triton-models'],
    [['s3://bucket/models'], 's3://bucket/models'],
    [['as://account/container/models'], 'https://account.blob.core.windows.net/container/models'],
    [['pvc://mine/sub/folder'], 'pvc://mine/sub/folder'],
  ])('KServe with %o', async (locations, storageUri) => {
    await repository.write(PYTHON);
    const handover = await run({ target: 'kserve', device, locations });
    const { spec } = SERVING_RUNTIME.parse(parse(exportedText(handover, 'serving-runtime.yaml')));
    const { args } = spec.containers[0];
    expect(args.slice(1, 4)).toEqual(['--model-store=/mnt/models', '--grpc-port=9000', '--http-port=8080']);
    const service = INFERENCE_SERVICE.parse(parse(exportedText(handover, 'inference-service.yaml')));
    expect(service.spec.predictor.model.storageUri).toBe(storageUri);
  });

  test('Seldon', async () => {
    await repository.write(PYTHON);
    const handover = await run({ target: 'seldon', device, locations: ['s3://bucket/models'] });
    const models = handover.files.filter(({ path }) => path.startsWith('models/'));
    for (const { text } of models) SELDON_MODEL.parse(parse(text));
    expect(SELDON_MODEL.parse(parse(exportedText(handover, 'models/py.yaml'))).spec).toMatchObject({
      requirements: ['triton', 'python'],
      storageUri: 's3://bucket/models/py',
      artifactVersion: 1,
    });
  });

  test.each(['none', 'queue'] as const)('Ray, more servers by: %s', async (autoscaling) => {
    const handover = await run({ target: 'ray', device, autoscaling });
    RAY_SERVICE.parse(parse(exportedText(handover, 'ray-service.yaml')));
    SERVE_CONFIG.parse(parse(exportedText(handover, 'serve_config.yaml')));
    expect(exportedText(handover, 'serve_triton.py')).toContain('model_repository=["/models"]');
  });
});

describe('ensembles for Seldon', () => {
  test('become a pipeline', async () => {
    const handover = await run({ target: 'seldon', locations: ['s3://bucket/models'] });
    const pipeline = SELDON_PIPELINE.parse(parse(exportedText(handover, 'pipelines/pipeline.yaml')));
    expect(pipeline.spec.steps.map(({ name }) => name)).toEqual([
      'pipeline-prepare',
      'image-tiny',
      'pipeline-best',
    ]);
    expect(pipeline.spec.steps[0]?.inputs).toEqual([expect.stringMatching(/^pipeline\.inputs\./)]);
  });

  test('with a model twice they are refused', async () => {
    const step = (from: string, to: string): string =>
      `{ model_name: "py" model_version: -1 input_map { key: "X" value: "${from}" } output_map { key: "Y" value: "${to}" } }`;
    await repository.write({
      ...PYTHON,
      'twice/config.pbtxt': `platform: "ensemble" ${PYTHON['py/config.pbtxt'].replace('backend: "python"', '')} ensemble_scheduling { step [ ${step('X', 'M')}, ${step('M', 'Y')} ] }`,
      'twice/1/': '',
    });
    const handover = await run({ target: 'seldon', locations: ['s3://bucket/models'] });
    const refusals = findingsOf(handover, 'H12').filter(({ severity }) => severity === 'error');
    expect(refusals).toMatchObject([{ file: repository.at('twice/config.pbtxt') }]);
    expect(handover.files.some(({ path }) => path === 'pipelines/twice.yaml')).toBe(false);
  });

  test('names that become the same are told', async () => {
    const { 'py/config.pbtxt': config } = PYTHON;
    await repository.write({
      'A.b/config.pbtxt': config,
      'A.b/1/model.py': '',
      'a-b/config.pbtxt': config,
      'a-b/1/model.py': '',
    });
    const handover = await run({ target: 'seldon', locations: ['s3://bucket/models'] });
    expect(findingsOf(handover, 'H12').map(({ message }) => message)).toContain(
      'A.b and a-b would both be called a-b',
    );
  });
});
