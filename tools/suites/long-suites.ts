// The suites that `.ci/run` runs after `npm test`: each too long for every change, or in need of something that not every
// machine has. Together below 50 minutes on two cores. One entry is all that a further suite needs: what it checks, how
// it is run, and why it cannot run where something is missing. A program that ends with `N passed, N failed, N skipped`
// is counted by that line, any other one as one case.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { ensureBuilt, pinnedNode, root } from '../bootstrap.mjs';
import { NO_SOFTWARE_VULKAN, softwareVulkan } from '../software-vulkan.ts';
import { inElectron, missingElectron, missingForPackage, packageAndTry } from './electron-suites.ts';
import type { Counts, Suite, SuiteShell } from './suite.ts';
import { countsOf } from './suite.ts';
import { vitest } from './test-programs.ts';

/** Files of other projects, which are tested where they are. */
const extraFixtures = path.resolve(process.env['CONCH_FIXTURES'] ?? path.join(root, '../shared'));
const NO_NETWORKS =
  'CONCH_FIXTURES names no folder with onnx_light, the backend test models of the ONNX project';

const resnet = path.join(extraFixtures, 'onnx_light/light_resnet50.onnx');

/** Why nothing can run on CUDA here. */
function missingNvidia(): string | undefined {
  return spawnSync('nvidia-smi', ['-L'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'there is no NVIDIA GPU with its driver (nvidia-smi -L)';
}

type LongSuite = Omit<Suite, 'cores' | 'after'>;

const LONG: readonly LongSuite[] = [
  {
    name: 'electron',
    checks: 'all end-to-end tests in the desktop app, in a real Electron',
    usualSeconds: 600,
    missing: missingElectron,
    run: (shell) => inElectron(shell, 'electron'),
  },
  {
    name: 'package',
    checks: 'the Linux folder and the deb are made, and what they hold serves a model',
    usualSeconds: 120,
    missing: missingForPackage,
    run: packageAndTry,
  },
  {
    name: 'react',
    checks: 'the window on React as one develops with it, which then complains of what it ships in silence',
    usualSeconds: 150,
    run: (shell) =>
      vitest(shell, 'react', ['renderer'], { environment: { CONCH_TEST_REACT: 'development' } }),
  },
  {
    name: 'networks',
    checks: 'published ResNet, DenseNet, SqueezeNet and ShuffleNet files through ONNX Runtime',
    usualSeconds: 60,
    missing: () => (existsSync(path.join(extraFixtures, 'onnx_light')) ? undefined : NO_NETWORKS),
    run: (shell) =>
      vitest(shell, 'networks', ['unit'], {
        files: ['real-models', 'dynamic-version', 'dynamic-first-dimension', 'onnx-reader'],
        environment: { CONCH_FIXTURES: extraFixtures },
      }),
  },
  {
    name: 'frameworks',
    checks: 'TorchScript, OpenVINO, TensorFlow and DALI models on the Python packages that are there',
    usualSeconds: 180,
    missing: () => (existsSync('/usr/bin/python3') ? undefined : 'there is no /usr/bin/python3'),
    run: (shell) => vitest(shell, 'frameworks', ['frameworks']),
  },
  {
    name: 'analyze',
    checks: 'searches for the fastest configuration, from the command line to the reports',
    usualSeconds: 40,
    run: (shell) => vitest(shell, 'analyze', ['conformance'], { files: ['tests/analyze/'] }),
  },
  {
    name: 'stores',
    checks: 'model repositories in S3, Google Cloud Storage and Azure, over an emulator of each',
    usualSeconds: 90,
    run: (shell) => vitest(shell, 'stores', ['stores']),
  },
  {
    name: 'webgpu',
    checks: 'models on the WebGPU provider, over SwiftShader',
    usualSeconds: 60,
    missing: () => (softwareVulkan() === undefined ? NO_SOFTWARE_VULKAN : undefined),
    run: (shell) =>
      vitest(shell, 'webgpu', ['gpu'], {
        environment: { CONCH_GPU_PROVIDER: 'webgpu', ...softwareVulkan() },
      }),
  },
  {
    name: 'gpu',
    checks: 'models on CUDA',
    usualSeconds: 120,
    missing: missingNvidia,
    run: (shell) =>
      vitest(shell, 'gpu', ['gpu'], {
        environment: { CONCH_GPU_PROVIDER: 'cuda' },
      }),
  },
  {
    name: 'gpu-plans',
    checks: 'plans that TensorRT builds for the card that is there',
    usualSeconds: 60,
    missing: missingNvidia,
    run: (shell) => vitest(shell, 'gpu-plans', ['frameworks'], { files: ['tests/frameworks/tensorrt-gpu'] }),
  },
  {
    name: 'gpu-bench',
    checks: 'ResNet-50 on CUDA against the CPU and against bare ONNX Runtime',
    usualSeconds: 60,
    missing: () => missingNvidia() ?? (existsSync(resnet) ? undefined : NO_NETWORKS),
    run: (shell) => program(shell, 'bench/gpu-models.ts', resnet),
  },
  {
    name: 'attack',
    checks: 'the long form of the hostile suite, one input in 25',
    usualSeconds: 240,
    missing: () => (process.platform === 'linux' ? undefined : 'what a server holds is read on Linux only'),
    run: (shell) => program(shell, 'tools/attack.ts', '--scale=0.04', '--seed=1'),
  },
  {
    name: 'faults',
    checks: 'kills, a full disk, limits of the system, jumps of the clock and signals, all in traffic',
    usualSeconds: 120,
    run: async (shell) => {
      await ensureBuilt();
      return vitest(shell, 'faults', ['faults']);
    },
  },
  {
    name: 'perf-analyzer',
    checks: "the reference's own load generator against a server, in every way it knows",
    usualSeconds: 90,
    run: (shell) => program(shell, 'tools/conformance-perf-analyzer.ts'),
  },
  {
    name: 'other-clients',
    checks: 'grpc-go, the HTTP client of Java, grpclib, httpx, aiohttp and requests against a server',
    usualSeconds: 120,
    run: (shell) => program(shell, 'tools/conformance-clients.ts'),
  },
  {
    name: 'handover',
    checks: 'exports against the schemas of Kubernetes and Docker Compose, and the reference started on one',
    usualSeconds: 60,
    run: (shell) => program(shell, 'tools/conformance-handover.ts'),
  },
  {
    name: 'fuzz-http',
    checks: 'hostile bytes on the HTTP port',
    usualSeconds: 120,
    run: (shell) => program(shell, 'tools/fuzz-http.ts'),
  },
  {
    name: 'fuzz-grpc',
    checks: 'hostile bytes on the gRPC port',
    usualSeconds: 120,
    run: (shell) => program(shell, 'tools/fuzz-grpc.ts'),
  },
];

/** One after the other, since some of them measure. */
export function longSuites(): readonly Suite[] {
  return LONG.map((suite) => ({ ...suite, cores: Number.POSITIVE_INFINITY }));
}

/** Runs a file of the repository with our Node. */
async function program(shell: SuiteShell, ...args: readonly string[]): Promise<Counts> {
  const code = await shell.run(pinnedNode(), args);
  return countsOf(code, await shell.output());
}
