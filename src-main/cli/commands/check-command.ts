// `conch check DIR`: lints a repository or one model folder without serving it.

import type { Command } from 'commander';

import { Disposer } from '../../base/disposer.ts';
import { createBackends } from '../../engine-backends.ts';
import { defaultEngineOptions } from '../../options/engine-options.ts';
import { checkPath } from '../../check/check-path.ts';
import { checkJson, checkText, countFindings } from '../../check/check-report.ts';
import type { CommandContext } from '../command-context.ts';

interface Options {
  readonly json?: boolean;
  readonly modelConfigName: string;
  readonly disableAutoCompleteConfig?: boolean;
}

/** Exit code 1 when there is an error among the findings; warnings alone are 0. */
export function registerCheck(program: Command, context: CommandContext): void {
  program
    .command('check')
    .description('check a repository or one model folder without serving it; exit code 1 on errors')
    .argument('<dir>', 'repository or model folder')
    .option('--json', 'print the findings as JSON')
    .option('--model-config-name <name>', 'use configs/<name>.pbtxt where it exists', '')
    .option('--disable-auto-complete-config', 'configurations must be complete by themselves')
    .action(async (dir: string, options: Options) => {
      await using owned = new Disposer();
      const models = await checkPath(dir, {
        modelConfigName: options.modelConfigName,
        isStrict: options.disableAutoCompleteConfig === true,
        backends: createBackends(defaultEngineOptions.backends, [], owned).registry,
      });
      context.print(options.json === true ? checkJson(models) : checkText(models, dir));
      context.setExitCode(countFindings(models).errors > 0 ? 1 : 0);
    });
}
