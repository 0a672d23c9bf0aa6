// Answers the calls about the source files of models, and makes models that begin as code.

import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { localFolder } from '../files/local-folder.ts';
import { findBackend } from '../../../src-shared/config/backend-description.ts';
import type { codeCalls } from '../../../src-shared/contract/code-calls.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import { pythonFolder } from '../../backends/python-host/host-files.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { readGitHead } from '../files/git-head.ts';
import { moveIn, stageBeside } from '../files/copy-folder.ts';
import { checkNewName } from '../files/new-names.ts';
import type { ModelFolder } from './code-files.ts';
import { codeFiles, locate, readCodeFile, writeCodeFile } from './code-files.ts';
import { knownRepository } from '../files/known-repository.ts';

interface CodeDependencies {
  readonly catalog: ModelCatalog;
  readonly repository: ModelRepository;
}

/**
 * Files are named relative to the model's folder; names that lead out of it are INVALID_ARG. Writing fails when
 * the file has changed since `expectedHash`.
 */
export function codeHandlers({ catalog, repository }: CodeDependencies): HandlersFor<typeof codeCalls> {
  const folderOf = (model: string): ModelFolder => ({ model, folder: localFolder(catalog.location(model)) });
  return {
    'code/files': async ({ model }) => {
      await catalog.refresh(model);
      const { backend, defaultModelFilename } = catalog.config(model);
      return codeFiles(
        catalog.facts(model).files,
        findBackend(catalog.backends, backend),
        defaultModelFilename,
      );
    },
    'code/read': ({ model, file }) => readCodeFile(folderOf(model), file),
    'code/write': ({ model, file, text, expectedHash }) =>
      writeCodeFile(folderOf(model), file, { text, expectedHash }),
    'code/gitHead': async ({ model, file }, { signal }) =>
      readGitHead(await locate(folderOf(model), file), signal),
    'code/createFromTemplate': async ({ template, repository: root, name }) => {
      checkNewName(name);
      const known = knownRepository(repository.roots, root);
      await writeTemplate(path.join(pythonFolder(), 'templates', template), known, name);
      await catalog.rescan();
      // What its load says is shown by the model itself: the folder is there either way.
      await repository.load(name).then(
        () => catalog.loaded(name, { hasOverride: false }),
        () => undefined,
      );
      return { file: '1/model.py' };
    },
  };
}

async function writeTemplate(source: string, repository: string, name: string): Promise<void> {
  const staged = await stageBeside(repository);
  try {
    const body = path.join(staged, 'body');
    await cp(source, body, { recursive: true });
    const config = path.join(body, CONFIG_FILE);
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replace(/^name: ".*"$/m, `name: "${name}"`));
    await moveIn(body, path.join(repository, name));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
