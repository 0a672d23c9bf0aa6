// A model repository that goes with the test that asked for it.

import { onTestFinished } from 'vitest';

import type { RepositoryFiles } from './temp-repository.ts';
import { TempRepository } from './temp-repository.ts';

/** To be called within a test, at whose end the folder is removed. */
export async function repositoryOfTest(files: RepositoryFiles): Promise<TempRepository> {
  const repository = await TempRepository.create(files);
  onTestFinished(() => repository.close());
  return repository;
}
