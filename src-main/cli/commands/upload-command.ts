// `conch handover upload DIR TARGET`: brings a repository to where another engine reads it.

import type { Command } from 'commander';
import path from 'node:path';

import { Disposer } from '../../base/disposer.ts';
import { objectStores } from '../../object-stores/shared-stores.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import { checkRepositoryPath } from '../../repository/repository-scanner.ts';
import { uploadRepository, uploadTarget } from '../../handover/upload/upload-repository.ts';
import type { CommandContext } from '../command-context.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
}

/** A subcommand of `parent`. What was written before a failure stays, and the next upload goes on from there. */
export function registerUpload(parent: Command, context: CommandContext): void {
  parent
    .command('upload')
    .description(
      'bring a repository to a folder or a store: new versions first, configurations last, only what has changed',
    )
    .argument('<dir>', 'repository')
    .argument('<target>', 's3://, gs:// or as://, or a folder such as a mounted claim')
    .option('--dry-run', 'only say what would be done')
    .option('--prune', 'remove what the repository does not have')
    .action(async (dir: string, address: string, options: Options) => {
      const repository = path.resolve(dir);
      await checkRepositoryPath(repository);
      const isDry = options.dryRun === true;
      await using owned = new Disposer();
      owned.add(objectStores);
      // A signature at the end of an address is secret, and what was uploaded is noted under the address.
      const place = isStorePath(address) ? objectStores.adopt(address) : path.resolve(address);
      const target = uploadTarget(place, objectStores);
      const { puts, removals, keptCount } = await uploadRepository(repository, place, target, {
        prune: options.prune === true,
        isDry,
        signal: context.signal,
      });
      const lines = [
        ...puts.map(({ name, byteSize }) => `  write ${name} (${byteSize} bytes)`),
        ...removals.map((name) => `  remove ${name}`),
        `${isDry ? 'to write' : 'written'}: ${puts.length}, ${isDry ? 'to remove' : 'removed'}: ${removals.length}, unchanged: ${keptCount}`,
      ];
      context.print(`${lines.join('\n')}\n`);
    });
}
