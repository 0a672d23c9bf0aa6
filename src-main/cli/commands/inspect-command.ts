// `conch inspect FILE.onnx`: what a model file says about itself, read without its weights.

import type { Command } from 'commander';

import { completeModelConfig } from '../../../src-shared/config/complete-model-config.ts';
import { emptyModelConfig } from '../../../src-shared/config/config-defaults.ts';
import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import { inspectOnnx } from '../../onnx/onnx-inspection.ts';
import type { CommandContext } from '../command-context.ts';
import { inspectText } from '../inspect-text.ts';

interface Options {
  readonly json?: boolean;
  readonly config?: boolean;
}

/** `--config` goes before `--json`. A file that is no ONNX model ends the command with the reader's words. */
export function registerInspect(program: Command, context: CommandContext): void {
  program
    .command('inspect')
    .description('inputs, outputs, operator sets, operators and external data of an ONNX file')
    .argument('<file>', 'the .onnx file')
    .option('--json', 'print JSON')
    .option('--config', 'print the configuration that would be completed for it')
    .action(async (file: string, options: Options) => {
      const facts = await inspectOnnx(file);
      if (options.config === true) {
        const name = facts.suggestedName;
        const written = emptyModelConfig({ name, backend: 'onnxruntime' });
        const { description } = facts;
        const completed = completeModelConfig(written, { directoryName: name, description });
        context.print(modelConfigToText(completed.config));
        return;
      }
      context.print(options.json === true ? `${JSON.stringify(facts, undefined, 2)}\n` : inspectText(facts));
    });
}
