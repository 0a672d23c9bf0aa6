// Values for the reference's charts, against the fields that each chart has.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

import type { HelmChart } from '../../src-shared/contract/handover-calls.ts';
import { exportedText, findingsOf, handOverFolders } from '../testing/handover-run.ts';
import { identityModel } from '../testing/onnx-test-models.ts';
import { TempRepository } from '../testing/temp-repository.ts';

const image = {
  imageName: z.literal('nvcr.io/nvidia/tritonserver:25.01-py3'),
  pullPolicy: z.literal('IfNotPresent'),
  numGpus: z.number().int(),
};
const args = z.array(z.string());
const inStore = (scheme: string) =>
  z.strictObject({
    replicaCount: z.number().int(),
    image: z.strictObject({ ...image, modelRepositoryPath: z.string().startsWith(scheme) }),
    service: z.strictObject({ type: z.literal('LoadBalancer') }),
  });

const VALUES: Readonly<Record<HelmChart, z.ZodType>> = {
  'k8s-onprem': z.strictObject({
    tags: z.strictObject({ autoscaling: z.boolean(), loadBalancing: z.boolean() }),
    image: z.strictObject({
      ...image,
      modelRepositoryServer: z.literal('files.example'),
      modelRepositoryPath: z.literal('/srv/models'),
    }),
    serverArgs: args,
    autoscaling: z.strictObject({
      minReplicas: z.literal(2),
      maxReplicas: z.literal(8),
      metrics: z.tuple([z.looseObject({ type: z.literal('Pods') })]),
    }),
    'prometheus-adapter': z.strictObject({ rules: z.strictObject({ custom: z.array(z.looseObject({})) }) }),
  }),
  aws: inStore('s3://'),
  gcp: inStore('gs://'),
  oci: inStore('s3://https://'),
  fleetcommand: z.strictObject({
    replicaCount: z.number().int(),
    image: z.strictObject({ ...image, serverCommand: z.literal('tritonserver'), serverArgs: args }),
    service: z.strictObject({
      type: z.literal('NodePort'),
      httpNodePort: z.literal(30_343),
      grpcNodePort: z.literal(30_344),
      metricsNodePort: z.literal(30_345),
    }),
    serviceMonitor: z.strictObject({ enabled: z.boolean() }),
  }),
  'gke-marketplace-app': z.strictObject({
    initReplicaCount: z.number(),
    minReplicaCount: z.literal(2),
    maxReplicaCount: z.literal(8),
    modelRepositoryPath: z.string().startsWith('gs://'),
    publishedVersion: z.literal('2.54.0'),
    image: z.strictObject({
      registry: z.literal('nvcr.io'),
      repository: z.literal('nvidia/tritonserver'),
      tag: z.literal('25.01-py3'),
      pullPolicy: z.literal('IfNotPresent'),
      numGpus: z.number(),
      strictModelConfig: z.boolean(),
    }),
  }),
};

const PLACES: Readonly<Record<HelmChart, string>> = {
  'k8s-onprem': 'nfs://files.example/srv/models',
  aws: 's3://bucket/models',
  gcp: 'gs://bucket/models',
  oci: 's3://https://ns.compat.objectstorage.eu.oraclecloud.com:443/bucket',
  fleetcommand: 'as://account/container',
  'gke-marketplace-app': 'gs://bucket/models',
};

let repository: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create({ 'm/1/model.onnx': identityModel('FP32', [4]) });
});
afterEach(() => repository.close());

const run = (chart: HelmChart, options: readonly string[] = []) =>
  handOverFolders({
    repositories: [repository.path],
    options,
    plan: {
      target: 'helm',
      chart,
      release: '25.01',
      replicas: 2,
      autoscaling: 'queue',
      locations: [PLACES[chart]],
    },
  });

test.each(Object.keys(VALUES) as HelmChart[])('row 1: values of %s', async (chart) => {
  const text = exportedText(await run(chart), 'values.yaml');
  expect(() => VALUES[chart].parse(parse(text))).not.toThrow();
  expect(text).toContain(`# Values for the chart deploy/${chart} of the branch r25.01`);
});

test('options that a chart cannot pass on are named', async () => {
  expect(findingsOf(await run('aws', ['--log-verbose=1']), 'H19')).toMatchObject([
    {},
    {
      severity: 'warning',
      message: 'the chart aws gives its server no options: --log-verbose=1 are left out',
    },
  ]);
});

test('secret values have no place in a chart', async () => {
  const found = findingsOf(await run('k8s-onprem', ['--http-restricted-api=health:key=S3CRET']), 'H19');
  expect(found).toMatchObject([{ severity: 'error' }]);
});
