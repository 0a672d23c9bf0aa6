// `conch gpu install|status`: the CUDA libraries of ONNX Runtime.

import type { Command } from 'commander';

import type { CommandContext } from '../command-context.ts';
import { gpuText, hasCudaLibraries, installCudaLibraries, readGpuFacts } from '../gpu-libraries.ts';

export function registerGpu(program: Command, context: CommandContext): void {
  const gpu = program.command('gpu').description("ONNX Runtime's CUDA libraries");
  gpu
    .command('status')
    .description('GPUs of this machine, and what models run on')
    .action(async () => context.print(gpuText(await readGpuFacts(), process.platform)));
  gpu
    .command('install')
    .description('fetch the CUDA libraries, some hundred megabytes')
    .action(async () => {
      if (hasCudaLibraries()) {
        context.print('the CUDA libraries are installed already\n');
        return;
      }
      context.print('fetching the CUDA libraries; this takes some minutes\n');
      await installCudaLibraries(context.signal);
      context.print('installed; they are used from the next start of the server on\n');
    });
}
