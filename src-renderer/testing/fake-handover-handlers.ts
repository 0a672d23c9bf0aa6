// What the engine from memory answers about hand-overs: one model that fits, one that does not.

import type { CallHandlers } from '../../src-shared/contract/contract.ts';
import type { HandoverPlan, HandoverView } from '../../src-shared/contract/handover-calls.ts';

type HandoverCall = Extract<keyof CallHandlers, `handover/${string}`>;

const USUAL: HandoverPlan = {
  target: 'compose',
  release: '26.07',
  device: 'cpu',
  gpuCount: 1,
  name: 'triton',
  locations: [],
  replicas: 1,
  autoscaling: 'none',
  chart: 'k8s-onprem',
  completedConfigs: false,
  monitoring: false,
  clients: false,
};

/** `compose.yaml` alone for Docker, two objects for everything else; a JavaScript model stands against each. */
export function fakeHandoverView({ target, release }: HandoverPlan): HandoverView {
  const image = `image: nvcr.io/nvidia/tritonserver:${release}-py3\n`;
  return {
    findings: [
      {
        model: 'scale',
        severity: 'error',
        file: '/models/scale/config.pbtxt',
        line: 2,
        column: 1,
        code: 'H02',
        message: "only Conch runs models of the backend 'javascript'",
        hint: 'Rewrite it as a Python model.',
      },
      {
        model: '',
        severity: 'info',
        file: undefined,
        line: 0,
        column: 0,
        code: 'H16',
        message: 'the repository has 52 KiB',
        hint: '',
      },
    ],
    errorCount: 1,
    warningCount: 0,
    modelCount: 2,
    files:
      target === 'compose'
        ? [{ path: 'compose.yaml', text: `services:\n  triton:\n    ${image}` }]
        : [
            { path: 'deployment.yaml', text: `kind: Deployment\n${image}` },
            { path: 'service.yaml', text: 'kind: Service\n' },
          ],
  };
}

/** Answers of a server on the CPU with one repository. */
export function fakeHandoverHandlers(): Pick<CallHandlers, HandoverCall> {
  return {
    'handover/choices': () => ({
      releases: [
        { name: '26.07', server: '2.71.0', onnxruntime: '1.27.0' },
        { name: '25.01', server: '2.54.0', onnxruntime: '1.20.1' },
      ],
      repositories: ['/models'],
      usual: USUAL,
    }),
    'handover/prepare': ({ plan }) => fakeHandoverView(plan),
    'handover/save': ({ folder }) => ({ folder, fileCount: 1 }),
    'handover/pack': () => ({ blob: 'packed', byteSize: 3 }),
  };
}
