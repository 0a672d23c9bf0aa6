// A compose file for one machine: the server, and on demand Prometheus and the clients beside it.

import path from 'node:path';

import type { HandoverFile } from '../../../src-shared/contract/handover-calls.ts';
import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { ExportContext, ExportedRepository, TargetDefinition } from '../export-context.ts';
import { wholeCommand } from '../export-context.ts';
import { imageName } from '../release-table.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';

const GOOGLE_KEY = 'GOOGLE_APPLICATION_CREDENTIALS';
const GOOGLE_KEY_INSIDE = '/var/secrets/google/key.json';

function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

function mountOf({ location, mount }: ExportedRepository): readonly string[] {
  if (mount === undefined) return [];
  switch (location.kind) {
    case 'folder':
      return [`${escaped(location.path)}:${mount}:ro`];
    case 'claim':
      return [`${location.claim}:${mount}:ro`];
    case 'nfs':
      return [`${volumeName(mount)}:${mount}:ro`];
    case 'store':
      return [];
  }
}

function volumeName(inside: string): string {
  return inside.slice(1);
}

function volumesOf(repositories: readonly ExportedRepository[]): YamlValue | undefined {
  const volumes = repositories.flatMap(({ location, mount }): [string, YamlValue][] => {
    if (location.kind === 'claim') return [[location.claim, { external: true }]];
    if (location.kind !== 'nfs' || mount === undefined) return [];
    const options = { type: 'nfs', o: `addr=${location.server},ro`, device: `:${location.path}` };
    return [[volumeName(mount), { driver: 'local', driver_opts: options }]];
  });
  return volumes.length === 0 ? undefined : Object.fromEntries(volumes);
}

function environmentOf({ variables }: ExportContext): YamlValue | undefined {
  if (variables.length === 0) return undefined;
  return variables.map((name) => (name === GOOGLE_KEY ? `${name}=${GOOGLE_KEY_INSIDE}` : name));
}

function serverService(context: ExportContext): YamlValue {
  const { plan, image, ports, graceSec, startSec, sharedMib, certificates, variables, repositories } =
    context;
  const volumes = [
    ...repositories.flatMap(mountOf),
    ...[...certificates].map(([inside, file]) => `${escaped(path.resolve(file))}:${inside}:ro`),
    ...(variables.includes(GOOGLE_KEY)
      ? [`\${${GOOGLE_KEY}:?the file of the service account}:${GOOGLE_KEY_INSIDE}:ro`]
      : []),
  ];
  const gpus = [{ driver: 'nvidia', count: 'all', capabilities: ['gpu'] }];
  return {
    image,
    command: ['tritonserver', ...wholeCommand(context)],
    ports: [
      `${ports.http}:${DEFAULT_PORTS.http}`,
      `${ports.grpc}:${DEFAULT_PORTS.grpc}`,
      `${ports.metrics}:${DEFAULT_PORTS.metrics}`,
    ],
    volumes: volumes.length === 0 ? undefined : volumes,
    environment: environmentOf(context),
    shm_size: sharedMib <= 1024 ? '1gb' : `${sharedMib}mb`,
    ulimits: { memlock: -1, stack: 67_108_864 },
    stop_grace_period: `${graceSec}s`,
    healthcheck: {
      test: ['CMD', 'curl', '-sf', `localhost:${DEFAULT_PORTS.http}/v2/health/ready`],
      interval: '10s',
      start_period: `${Math.max(300, startSec)}s`,
    },
    restart: 'unless-stopped',
    deploy: plan.device === 'gpu' ? { resources: { reservations: { devices: gpus } } } : undefined,
  };
}

function composeFiles(context: ExportContext): readonly HandoverFile[] {
  const { plan, comment, release, repositories } = context;
  const prometheus = {
    image: 'prom/prometheus',
    ports: ['9090:9090'],
    volumes: ['./prometheus.yaml:/etc/prometheus/prometheus.yml:ro'],
    depends_on: ['triton'],
  };
  const clients = {
    image: imageName(release.name, 'py3-sdk'),
    command: ['sleep', 'infinity'],
    depends_on: { triton: { condition: 'service_healthy' } },
  };
  const file = yamlFile('compose.yaml', comment, {
    name: plan.name,
    services: {
      triton: serverService(context),
      prometheus: plan.monitoring ? prometheus : undefined,
      clients: plan.clients ? clients : undefined,
    },
    volumes: volumesOf(repositories),
  });
  if (!plan.monitoring) return [file];
  const scrape = { job_name: 'triton', static_configs: [{ targets: [`triton:${DEFAULT_PORTS.metrics}`] }] };
  return [
    file,
    yamlFile('prometheus.yaml', comment, { global: { scrape_interval: '15s' }, scrape_configs: [scrape] }),
  ];
}

/** Repositories are folders of the machine, unless they lie in a store. */
export const composeTarget: TargetDefinition = {
  title: 'Docker Compose',
  style: { secret: (name) => `\${${name}:?set it before the start}`, escape: escaped },
  usualPlace: (_plan, source) => ({ kind: 'folder', path: path.resolve(source) }),
  files: composeFiles,
};
