// `conch init DIR`: writes the sample repository.

import type { Command } from 'commander';
import path from 'node:path';

import { writeSampleRepository } from '../../samples/sample-repository.ts';
import type { CommandContext } from '../command-context.ts';

/** Writes each sample whole or not at all, and prints what to do next. */
export function registerInit(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write the sample repository; models that exist are left as they are')
    .argument('<dir>', 'folder to write into, made when missing')
    .action(async (dir: string) => {
      const written = await writeSampleRepository(dir);
      const lines = written.map((name) => `  ${name}`);
      const where = path.resolve(dir);
      if (lines.length === 0) context.print(`${where} has all samples already\n`);
      else context.print(`${[`written to ${where}:`, ...lines, ...hints(dir)].join('\n')}\n`);
    });
}

/** As the reference does, the server ends when a model fails at the start, and one sample is broken on purpose. */
function hints(dir: string): string[] {
  return [
    `Serve it: conch serve --exit-on-error=false --model-repository=${dir}`,
    `('broken_dims' has a mistake to learn from; without --exit-on-error=false the server ends because of it)`,
  ];
}
