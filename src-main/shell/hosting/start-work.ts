// Which repositories an engine of the app opens and which models it loads: what the command line names; else what was
// open before a crash or a restart; else what was open when the app was last used; else the samples.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { RepositoryOptions } from '../../repository/repository-options.ts';
import { locateModels } from '../../repository/repository-scanner.ts';
import { sampleModels } from '../../samples/sample-repository.ts';
import type { OpenWork } from '../supervision/engine-messages.ts';
import { openSampleRepository, sampleFolder } from './sample-repository.ts';

const ALL = '*';

/** Repositories that were open when the app was last used; empty at the first start. */
export async function rememberedRepositories(userDataPath: string): Promise<readonly string[]> {
  try {
    const stored: unknown = JSON.parse(await readFile(fileOf(userDataPath), 'utf8'));
    const { repositories } = stored as { repositories?: unknown };
    return Array.isArray(repositories) ? repositories.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

/** Absolute paths of what is open, for the next start. */
export async function rememberRepositories(
  userDataPath: string,
  repositories: readonly string[],
): Promise<void> {
  await writeFileAtomic(fileOf(userDataPath), `${JSON.stringify({ repositories }, null, 2)}\n`);
}

/** What decides with which repositories and models an engine starts. */
export interface StartWorkInput {
  readonly repository: RepositoryOptions;
  readonly userDataPath: string;
  /** Start without any repository rather than with the samples. */
  readonly isWithoutSamples: boolean;
  readonly work: OpenWork | undefined;
}

/** `repository` with the paths and the start set that count. Writes the samples where they are needed for the first time. */
export async function withStartWork(input: StartWorkInput): Promise<RepositoryOptions> {
  const { repository, userDataPath, work } = input;
  const paths = work?.repositories ?? (await firstPaths(input));
  const isSampled = paths.includes(sampleFolder(userDataPath));
  const isPlain = !isSampled && (work === undefined || work.unloaded.length === 0);
  if (repository.controlMode !== 'explicit') return { ...repository, paths };
  if (isPlain && repository.startupModels.includes(ALL)) return { ...repository, paths };
  const base = repository.startupModels.includes(ALL)
    ? await namesBelow(paths, userDataPath)
    : repository.startupModels;
  const unloaded = new Set(work?.unloaded);
  const names = new Set([...base, ...(work?.loaded ?? [])]);
  return { ...repository, paths, startupModels: [...names].filter((name) => !unloaded.has(name)) };
}

async function firstPaths(input: StartWorkInput): Promise<readonly string[]> {
  const { repository, userDataPath, isWithoutSamples } = input;
  if (repository.paths.length > 0) return repository.paths;
  const remembered = await rememberedRepositories(userDataPath);
  if (remembered.length > 0) return remembered;
  return isWithoutSamples ? [] : [(await openSampleRepository(userDataPath)).path];
}

/** Every model folder but the samples that are broken on purpose. */
async function namesBelow(paths: readonly string[], userDataPath: string): Promise<readonly string[]> {
  const { locations } = await locateModels(paths);
  const broken = new Set(
    sampleModels().flatMap(({ name, isLoadedAtStart }) => (isLoadedAtStart ? [] : [name])),
  );
  const samples = sampleFolder(userDataPath);
  return locations.filter((at) => at.repository !== samples || !broken.has(at.name)).map(({ name }) => name);
}

function fileOf(userDataPath: string): string {
  return path.join(userDataPath, 'workspace.json');
}
