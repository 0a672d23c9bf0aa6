// `conch gpu status|install|remove`: the GPUs of this machine, and the libraries that NVIDIA's need.

import type { Command } from 'commander';

import type { CommandContext } from '../command-context.ts';
import {
  cudaWheels,
  gpuText,
  hasCudaLibraries,
  installCudaLibraries,
  readGpuFacts,
  removeCudaLibraries,
  wheelsText,
} from '../gpu-libraries.ts';

const MEBIBYTE = 1024 * 1024;

/** `install` and `remove` change the folder of the libraries alone; a server uses what it finds there at its start. */
export function registerGpu(program: Command, context: CommandContext): void {
  const gpu = program
    .command('gpu')
    .description("GPUs of this machine, and the libraries that NVIDIA's need");
  gpu
    .command('status')
    .description('GPUs of this machine, and what models run on')
    .action(async () => context.print(gpuText(await readGpuFacts(), process.platform)));
  gpu
    .command('install')
    .description('fetch the CUDA libraries from PyPI; what was cut off goes on where it ended')
    .option('--from <folder>', 'take the wheels from a folder instead, for machines without a network')
    .action(async ({ from }: { readonly from?: string }) => install(context, from));
  gpu
    .command('remove')
    .description('remove the CUDA libraries, and what is left of a broken installation')
    .action(async () => {
      const isRemoved = await removeCudaLibraries();
      context.print(
        isRemoved ? 'removed; the next start of the server goes without them\n' : 'there are none\n',
      );
    });
}

async function install(context: CommandContext, from: string | undefined): Promise<void> {
  if (hasCudaLibraries()) {
    context.print('the CUDA libraries are installed already\n');
    return;
  }
  const wheels = await cudaWheels();
  context.print(
    `fetching the CUDA libraries under NVIDIA's and Microsoft's licences: ${wheelsText(wheels)}\n`,
  );
  for (const { file } of wheels) context.print(`  ${file}\n`);
  let shown = '';
  const folder = await installCudaLibraries({
    from,
    signal: context.signal,
    report: (bytes, total, title) => {
      // A line for each tenth, so that a log stays readable.
      const line = `${Math.floor((bytes / total) * 10) * 10}% ${title}`;
      if (line === shown) return;
      shown = line;
      context.print(`${line}: ${Math.floor(bytes / MEBIBYTE)} of ${Math.ceil(total / MEBIBYTE)} MiB\n`);
    },
  });
  context.print(`installed in ${folder}; they are used from the next start of the server on\n`);
}
