// The reference server: the one that a command names (all backends it was made with), else the one out of the
// `nvidia-pytriton` wheel, a real tritonserver with the Python backend on the CPU.

import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { peerCommand } from './reference-command.ts';
import { pythonEnvironment } from './python-environment.ts';
import type { ServedProcess } from './served-process.ts';
import { serveCommand } from './served-process.ts';
import { freePorts } from './free-ports.ts';

const PACKAGES = ['nvidia-pytriton==0.7.0'];

/** Bytecode beside a model makes the model a changed one. */
const QUIET: NodeJS.ProcessEnv = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

/** How to start one. */
export interface ReferenceProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly backends: readonly string[];
}

/** `missing` says in words why no reference can run on this machine. */
export async function findReference(): Promise<ReferenceProgram | { readonly missing: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'the reference server is only published for Linux on x64' };
  const [program, ...args] = peerCommand() ?? [];
  if (program !== undefined)
    return { command: program, args, env: QUIET, backends: ['python', 'onnxruntime'] };
  const environment = await pythonEnvironment('venv-reference', PACKAGES);
  if ('missing' in environment) return environment;
  const home = findServer(environment.folder);
  if (home === undefined) return { missing: `no tritonserver in ${environment.folder}` };
  const directories = ['backend', 'cache'].map(
    (name) => `--${name}-directory=${path.join(home, `${name}s`)}`,
  );
  const env = {
    ...QUIET,
    LD_LIBRARY_PATH: path.join(home, 'external_libs'),
    PATH: `${path.join(environment.folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  };
  return { command: path.join(home, 'bin/tritonserver'), args: directories, env, backends: ['python'] };
}

/**
 * `args` are tritonserver's own; ports are filled in. It aborts now and then while several of its models start on a
 * machine that is busy (a timed lock between it and a model's process), so it gets a second try.
 */
export async function startReferenceServer(
  program: ReferenceProgram,
  args: readonly string[],
): Promise<ServedProcess> {
  try {
    return await startOnce(program, args);
  } catch (error) {
    if (!String(error).includes('SIGABRT')) throw error;
    console.log('the reference aborted while it started, so it is started once more');
    return startOnce(program, args);
  }
}

async function startOnce(program: ReferenceProgram, args: readonly string[]): Promise<ServedProcess> {
  const ports = await freePorts(3);
  const portArgs = ['http', 'grpc', 'metrics'].map((name, index) => `--${name}-port=${ports[index]}`);
  // Its models are processes of their own, which would outlive a crash.
  return serveCommand(program.command, [...program.args, ...portArgs, ...args], program.env, {
    ownGroup: true,
  });
}

/** The server's folder inside the environment, with the stub for this Python in its place. */
function findServer(environment: string): string | undefined {
  const lib = path.join(environment, 'lib');
  const python = existsSync(lib) ? readdirSync(lib).find((name) => name.startsWith('python3.')) : undefined;
  if (python === undefined) return undefined;
  const home = path.join(lib, python, 'site-packages/pytriton/tritonserver');
  const stub = path.join(home, 'python_backend_stubs', python.slice(6), 'triton_python_backend_stub');
  if (!existsSync(path.join(home, 'bin/tritonserver')) || !existsSync(stub)) return undefined;
  const inPlace = path.join(home, 'backends/python/triton_python_backend_stub');
  if (!existsSync(inPlace)) copyFileSync(stub, inPlace);
  return home;
}
