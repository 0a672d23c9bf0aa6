// `conch handover DIR`: the files that start another engine on a repository, and what will not run there.

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import path from 'node:path';

import { HANDOVER_TARGETS, handoverPlan, HELM_CHARTS } from '../../../src-shared/contract/handover-calls.ts';
import type { HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';
import { Disposer } from '../../base/disposer.ts';
import { checkJson, checkText } from '../../check/check-report.ts';
import { createBackends } from '../../engine-backends.ts';
import type { Handover } from '../../handover/handover.ts';
import { handOver } from '../../handover/handover.ts';
import { handoverErrors } from '../../handover/handover-errors.ts';
import { USUAL_PLAN } from '../../handover/plan-defaults.ts';
import { writeExport } from '../../handover/write-export.ts';
import type { CommandContext } from '../command-context.ts';
import { servedOptions } from '../served-options.ts';
import { registerUpload } from './upload-command.ts';

interface Options {
  readonly target: HandoverPlan['target'];
  readonly release: string;
  readonly gpus: number;
  readonly name: string;
  readonly at: readonly string[];
  readonly replicas: number;
  readonly autoscaling: HandoverPlan['autoscaling'];
  readonly chart: HandoverPlan['chart'];
  readonly completeConfigs?: boolean;
  readonly monitoring?: boolean;
  readonly clients?: boolean;
  readonly output?: string;
  readonly check?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly replace?: boolean;
}

function count(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('expected a whole number.');
  return Number(text);
}

const choice = (flags: string, text: string, choices: readonly string[], usual: string): Option =>
  new Option(flags, text).choices(choices).default(usual);

/** Exit code 1 when there is an error among the findings, and for `--check` that is all that happens. */
export function registerHandover(program: Command, context: CommandContext): void {
  const command = program
    .command('handover')
    .description(
      'write the files that start another engine on a repository, and check what will not run there',
    )
    .argument('[dir...]', "repositories; options of the server follow behind '--'")
    .addOption(choice('-t, --target <engine>', 'engine to start', HANDOVER_TARGETS, USUAL_PLAN.target))
    .option('-r, --release <yy.mm>', 'container release', USUAL_PLAN.release)
    .option('-g, --gpus <count>', 'GPUs of a server; 0 = it runs on the CPU', count, 0)
    .option('-n, --name <name>', 'name of the project and of its objects', USUAL_PLAN.name)
    .option(
      '-a, --at <place>',
      'where a repository will lie, once for each: a folder, pvc://claim/path, nfs://server/path, s3://, gs://, as://',
      (place: string, before: readonly string[]) => [...before, place],
      [],
    )
    .option('--replicas <count>', 'servers side by side', count, USUAL_PLAN.replicas)
    .addOption(
      choice(
        '--autoscaling <by>',
        'when servers are added',
        ['none', 'queue', 'cpu'],
        USUAL_PLAN.autoscaling,
      ),
    )
    .addOption(choice('--chart <name>', "helm: the reference's chart", HELM_CHARTS, USUAL_PLAN.chart))
    .option('--complete-configs', 'write completed configurations as well, and have nothing completed there')
    .option('--monitoring', 'compose: Prometheus beside the server; kubernetes: a ServiceMonitor')
    .option('--clients', 'compose: a container with clients and load generator beside the server')
    .option('-o, --output <folder>', 'folder to write into, made when missing')
    .option('--check', 'only check')
    .option('--json', 'print the findings as JSON')
    .option('--force', 'write although there are errors')
    .option('--replace', 'replace files in the folder that no export wrote, or that were changed since')
    .action(async (words: string[], options: Options) => {
      // Whatever begins with a dash came behind the `--`.
      const at = words.findIndex((word) => word.startsWith('-'));
      const folders = at < 0 ? words : words.slice(0, at);
      await using owned = new Disposer();
      const served = servedOptions(folders, at < 0 ? [] : words.slice(at), process.env);
      const handover = await handOver({
        plan: planOf(options),
        served,
        version: context.version,
        backends: createBackends(served.engine.backends, [], owned).registry,
        signal: context.signal,
      });
      report(handover, options, context);
      if (handover.errorCount > 0) context.setExitCode(1);
      await write(handover, options, { context, repositories: served.engine.repository.paths });
    });
  registerUpload(command, context);
}

/** Nothing where it was not asked for. */
async function write(
  handover: Handover,
  { check, output, force, replace, json }: Options,
  { context, repositories }: { readonly context: CommandContext; readonly repositories: readonly string[] },
): Promise<void> {
  if (check === true || output === undefined) return;
  if (handover.errorCount > 0 && force !== true) throw handoverErrors.notSafe({ count: handover.errorCount });
  const written = await writeExport(output, handover.files, { repositories, mayReplace: replace === true });
  if (force === true) context.setExitCode(0);
  if (json !== true) context.print(writtenText(output, handover, written));
}

function planOf({ gpus, at, completeConfigs, monitoring, clients, ...rest }: Options): HandoverPlan {
  const { target, release, name, replicas, autoscaling, chart } = rest;
  const made = handoverPlan.safeParse({
    ...{ target, release, name, replicas, autoscaling, chart },
    device: gpus > 0 ? 'gpu' : 'cpu',
    gpuCount: Math.max(1, gpus),
    locations: at.map(fromHere),
    completedConfigs: completeConfigs === true,
    monitoring: monitoring === true,
    clients: clients === true,
  });
  if (made.success) return made.data;
  const [fault] = made.error.issues;
  throw handoverErrors.plan({ field: fault?.path.join('.') ?? '', reason: fault?.message ?? '' });
}

/** A shell's paths start in its folder; addresses, and folders of other machines, stay as they are. */
function fromHere(place: string): string {
  return /^[a-z][a-z0-9+]*:/i.test(place) ? place : path.resolve(place);
}

function report({ models, server, files }: Handover, options: Options, { print }: CommandContext): void {
  if (options.json === true) {
    print(checkJson(models, server));
    return;
  }
  print(checkText(models, process.cwd(), server));
  if (options.check === true || options.output !== undefined) return;
  print(`\nWith --output FOLDER these are written: ${files.map(({ path: name }) => name).join(', ')}\n`);
}

function writtenText(folder: string, { files }: Handover, written: readonly string[]): string {
  const lines = files.map(({ path: name }) => `  ${name}${written.includes(name) ? '' : ' (unchanged)'}`);
  return `${[`written to ${path.resolve(folder)}:`, ...lines].join('\n')}\n`;
}
