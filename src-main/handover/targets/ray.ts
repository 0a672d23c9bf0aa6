// Ray Serve: the server inside a Python process of Ray, with a small module that is the interface for clients.

import type { HandoverFile } from '../../../src-shared/contract/handover-calls.ts';
import type { Finding } from '../../../src-shared/contract/finding.ts';
import type { ExportContext, TargetDefinition } from '../export-context.ts';
import { ownClaim } from '../export-context.ts';
import { serverFinding } from '../handover-finding.ts';
import type { YamlValue } from '../yaml-file.ts';
import { yamlFile } from '../yaml-file.ts';
import { stringify } from 'yaml';
import { claimFiles, secretComment } from './kubernetes.ts';
import { podEnvironment, podMounts, podResources, podStyle } from './kubernetes-pod.ts';

const MODULE = 'serve_triton';
const STRICT = '--disable-auto-complete-config';

function imageTag({ plan }: ExportContext): string {
  return `${plan.name}-ray:${plan.release}`;
}

function serveConfig({ plan }: ExportContext): { readonly [key: string]: YamlValue } {
  const actor = plan.device === 'gpu' ? { num_cpus: 1, num_gpus: plan.gpuCount } : { num_cpus: 1 };
  const scaling: Record<string, YamlValue> =
    plan.autoscaling === 'none'
      ? { num_replicas: plan.replicas }
      : { autoscaling_config: { min_replicas: plan.replicas, max_replicas: plan.replicas * 4 } };
  return {
    applications: [
      {
        name: plan.name,
        route_prefix: '/',
        import_path: `${MODULE}:app`,
        deployments: [{ name: 'Triton', ...scaling, ray_actor_options: actor }],
      },
    ],
  };
}

function rayService(context: ExportContext): YamlValue {
  const { plan } = context;
  const mounts = podMounts(context);
  const container = (name: string): YamlValue => ({
    name,
    image: imageTag(context),
    env: podEnvironment(context),
    resources: podResources(context),
    volumeMounts: mounts.length === 0 ? undefined : mounts.map(({ mount }) => mount),
  });
  const template = (name: string): YamlValue => ({
    spec: {
      containers: [container(name)],
      volumes: mounts.length === 0 ? undefined : mounts.map(({ volume }) => volume),
    },
  });
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: plan.name, labels: { app: plan.name } },
    spec: {
      serveConfigV2: stringify(serveConfig(context)),
      rayClusterConfig: {
        headGroupSpec: { rayStartParams: { 'num-cpus': '0' }, template: template('ray-head') },
        workerGroupSpecs: [
          {
            groupName: 'triton',
            replicas: plan.replicas,
            minReplicas: plan.replicas,
            maxReplicas: plan.autoscaling === 'none' ? plan.replicas : plan.replicas * 4,
            rayStartParams: {},
            template: template('ray-worker'),
          },
        ],
      },
    },
  };
}

function pythonModule({ repositories, arguments: options, comment }: ExportContext): string {
  const places = repositories.map(({ argument }) => JSON.stringify(argument)).join(', ');
  return `${comment.map((line) => `# ${line}`).join('\n')}
# The interface for clients is what stands here: JSON in, JSON out, numbers only. Clients of the inference protocol do not
# work unchanged.

import numpy
import tritonserver
from ray import serve
from starlette.requests import Request


@serve.deployment
class Triton:
    def __init__(self):
        self.server = tritonserver.Server(
            model_repository=[${places}],
            model_control_mode=tritonserver.ModelControlMode.EXPLICIT,
            strict_model_config=${options.includes(STRICT) ? 'True' : 'False'},
        )
        self.server.start(wait_until_ready=True)

    def model(self, name):
        model = self.server.model(name)
        return model if model.ready() else self.server.load(name)

    async def __call__(self, request: Request):
        """POST {"model": NAME, "inputs": {TENSOR: {"dtype": "float32", "data": [...]}}}."""
        asked = await request.json()
        inputs = {
            name: numpy.array(tensor["data"], dtype=tensor["dtype"])
            for name, tensor in asked["inputs"].items()
        }
        answers = self.model(asked["model"]).infer(inputs=inputs)
        return [
            {name: numpy.from_dlpack(tensor).tolist() for name, tensor in answer.outputs.items()}
            for answer in answers
        ]


app = Triton.bind()
`;
}

function rayFiles(context: ExportContext): readonly HandoverFile[] {
  const { comment, image } = context;
  const head = comment.map((line) => `# ${line}`).join('\n');
  const docker = [
    `FROM ${image}`,
    'RUN pip install --no-cache-dir "ray[serve]" /opt/tritonserver/python/tritonserver*.whl',
    `COPY ${MODULE}.py /opt/serve/`,
    'ENV PYTHONPATH=/opt/serve',
  ];
  return [
    { path: 'Dockerfile', text: `${head}\n# docker build -t ${imageTag(context)} .\n${docker.join('\n')}\n` },
    { path: `${MODULE}.py`, text: pythonModule(context) },
    yamlFile('serve_config.yaml', comment, serveConfig(context)),
    ...claimFiles(context),
    yamlFile(
      'ray-service.yaml',
      [
        ...comment,
        `Needs the image ${imageTag(context)}, built of the Dockerfile`,
        ...secretComment(context),
      ],
      rayService(context),
    ),
  ];
}

function rayFindings({ arguments: options }: ExportContext): readonly Finding[] {
  const others = options.filter((option) => option !== STRICT);
  return [
    serverFinding(
      'warning',
      'H20',
      'Ray calls the server inside its own process: clients of the inference protocol do not work unchanged',
      `Write the interface that clients need into ${MODULE}.py, or take another engine.`,
    ),
    ...(others.length === 0
      ? []
      : [
          serverFinding(
            'info',
            'H19',
            `${others.join(' ')} are left out: the server has no command line there`,
            `Give them to tritonserver.Server in ${MODULE}.py where they have to hold.`,
          ),
        ]),
  ];
}

/** Repositories are claims of volumes, unless another place is named. */
export const rayTarget: TargetDefinition = {
  title: 'Ray Serve',
  style: podStyle,
  usualPlace: (plan, _source, index) => ownClaim(plan, index),
  files: rayFiles,
  findings: rayFindings,
};
