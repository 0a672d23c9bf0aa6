// The reference server out of the `nvidia-pytriton` wheel: a real tritonserver with the Python backend, on the CPU.

import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment } from './python-environment.ts';
import type { ServedProcess } from './served-process.ts';
import { serveCommand } from './served-process.ts';
import { freePorts } from './free-ports.ts';

const PACKAGES = ['nvidia-pytriton==0.7.0'];

export type ReferenceServer = { readonly server: ServedProcess } | { readonly missing: string };

/** `args` are tritonserver's own; ports and directories are filled in. */
export async function startReferenceServer(args: readonly string[]): Promise<ReferenceServer> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'the reference server is only published for Linux on x64' };
  const environment = await pythonEnvironment('venv-reference', PACKAGES);
  if ('missing' in environment) return environment;
  const home = findServer(environment.folder);
  if (home === undefined) return { missing: `no tritonserver in ${environment.folder}` };
  const [http, grpc, metrics] = await freePorts(3);
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: path.join(home, 'external_libs'),
    PATH: `${path.join(environment.folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const server = await serveCommand(
    path.join(home, 'bin/tritonserver'),
    [
      `--backend-directory=${path.join(home, 'backends')}`,
      `--cache-directory=${path.join(home, 'caches')}`,
      `--http-port=${http}`,
      `--grpc-port=${grpc}`,
      `--metrics-port=${metrics}`,
      ...args,
    ],
    env,
    // Its models are processes of their own, which would outlive a crash.
    { ownGroup: true },
  );
  return { server };
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
