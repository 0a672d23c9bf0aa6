// What every pod that runs the server has, whoever makes the pod: mounts, variables, probes, resources.

import type { ExportContext, ExportedRepository } from '../export-context.ts';
import type { YamlValue } from '../yaml-file.ts';

const GOOGLE_KEY = 'GOOGLE_APPLICATION_CREDENTIALS';
const GOOGLE_FOLDER = '/var/secrets/google';

/** Secret with the values of variables and arguments; whoever runs the cluster makes it. */
export function secretName({ plan }: ExportContext): string {
  return `${plan.name}-secrets`;
}

/** Secret with the files of certificates and keys that arguments name. */
export function certificatesName({ plan }: ExportContext): string {
  return `${plan.name}-certificates`;
}

/** A `$(NAME)` of an argument is the value of that variable; any other one is written twice. */
export const podStyle = {
  secret: (name: string): string => `$(${name})`,
  escape: (text: string): string => text.replaceAll('$(', '$$$('),
};

/** Values come out of the secret; a variable that the secret lacks stays unset, an argument's must be there. */
export function podEnvironment(context: ExportContext): YamlValue | undefined {
  const { variables, secrets } = context;
  const entry = (name: string, optional: boolean): YamlValue =>
    name === GOOGLE_KEY
      ? { name, value: `${GOOGLE_FOLDER}/key.json` }
      : { name, valueFrom: { secretKeyRef: { name: secretName(context), key: name, optional } } };
  const entries = [
    ...variables.map((name) => entry(name, true)),
    ...secrets.map((name) => entry(name, false)),
  ];
  return entries.length === 0 ? undefined : entries;
}

interface Mount {
  readonly volume: { readonly [key: string]: YamlValue };
  readonly mount: { readonly [key: string]: YamlValue | undefined };
}

function repositoryMount({ location, mount: mountPath }: ExportedRepository): readonly Mount[] {
  if (mountPath === undefined) return [];
  const name = mountPath.slice(1);
  const mount = { name, mountPath, readOnly: true };
  switch (location.kind) {
    case 'folder':
      return [{ volume: { name, hostPath: { path: location.path, type: 'Directory' } }, mount }];
    case 'claim': {
      const source = { claimName: location.claim, readOnly: true };
      return [{ volume: { name, persistentVolumeClaim: source }, mount }];
    }
    case 'nfs':
      return [
        { volume: { name, nfs: { server: location.server, path: location.path, readOnly: true } }, mount },
      ];
    case 'store':
      return [];
  }
}

/** Without repositories: what the store, the certificates and Python models need. */
export function supportMounts(context: ExportContext): readonly Mount[] {
  const { variables, certificates, sharedMib } = context;
  const mounts: Mount[] = [];
  if (variables.includes(GOOGLE_KEY)) {
    const items = [{ key: GOOGLE_KEY, path: 'key.json' }];
    mounts.push({
      volume: { name: 'store-key', secret: { secretName: secretName(context), items } },
      mount: { name: 'store-key', mountPath: GOOGLE_FOLDER, readOnly: true },
    });
  }
  if (certificates.size > 0) {
    mounts.push({
      volume: { name: 'certificates', secret: { secretName: certificatesName(context) } },
      mount: { name: 'certificates', mountPath: '/certificates', readOnly: true },
    });
  }
  if (sharedMib > 0) {
    mounts.push({
      volume: { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: `${sharedMib}Mi` } },
      mount: { name: 'shared-memory', mountPath: '/dev/shm' },
    });
  }
  return mounts;
}

/** All of them, repositories first: each volume of the pod with its mount in the container. */
export function podMounts(context: ExportContext): readonly Mount[] {
  return [...context.repositories.flatMap(repositoryMount), ...supportMounts(context)];
}

/** Memory for what lies in the repository, once more for what runs, and for tensors of Python models. */
export function podResources({ plan, byteSize, sharedMib }: ExportContext): YamlValue {
  const memory = `${Math.max(2048, Math.ceil(byteSize / 2 ** 20) * 2 + 1024) + sharedMib}Mi`;
  return {
    requests: { cpu: '1', memory },
    limits: plan.device === 'gpu' ? { memory, 'nvidia.com/gpu': plan.gpuCount } : { memory },
  };
}

const get = (path: string, port: YamlValue): YamlValue => ({ path, port });

/** `port`: of HTTP, by name or number. The first probe gives the server as long as the repository needs to be read. */
export function podProbes({ startSec }: ExportContext, port: string | number): Record<string, YamlValue> {
  const ready = get('/v2/health/ready', port);
  return {
    startupProbe: {
      httpGet: ready,
      periodSeconds: 10,
      failureThreshold: Math.max(30, Math.ceil(startSec / 10)),
    },
    livenessProbe: { httpGet: get('/v2/health/live', port), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { httpGet: ready, periodSeconds: 5, failureThreshold: 3 },
  };
}
