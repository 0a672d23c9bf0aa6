// `conch infer -m MODEL FILE`: sends an image or a JSON request to a running server and prints the answer.

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';

import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { CommandContext } from '../command-context.ts';
import { inferFile } from '../infer-call.ts';

interface Options {
  readonly model: string;
  readonly modelVersion: string;
  readonly url: string;
  readonly classes: number;
  readonly scaling: 'NONE' | 'INCEPTION' | 'VGG';
}

function count(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number.');
  return Number(text);
}

/** The files are sent one after the other; the first that fails ends the command with the server's words. */
export function registerInfer(program: Command, context: CommandContext): void {
  program
    .command('infer')
    .description('send an image or a JSON request to a running server and print the answer')
    .argument('<file...>', 'images, or .json files with a request body')
    .requiredOption('-m, --model <name>', 'model to ask')
    .option('-x, --model-version <version>', "version of the model; the server's choice when left out", '')
    .option('-u, --url <host:port>', 'HTTP endpoint of the server', `127.0.0.1:${DEFAULT_PORTS.http}`)
    .option('-c, --classes <count>', 'classes to print for an image; 0 = the output itself', count, 1)
    .addOption(
      new Option('-s, --scaling <kind>', 'scaling of pixel values')
        .choices(['NONE', 'INCEPTION', 'VGG'])
        .default('NONE'),
    )
    .action(async (files: string[], options: Options) => {
      for (const file of files) {
        const { model, modelVersion: version, url: address, classes: classCount, scaling } = options;
        const { signal } = context;
        context.print(await inferFile(file, { model, version, address, classCount, scaling, signal }));
      }
    });
}
