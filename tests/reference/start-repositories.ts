// Odd repositories: the same model in several, folders that are missing, nested, linked and named twice, odd version folders,
// names to load that nothing has.

import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { ONE_TO_ONE } from './python-models.ts';
import type { StartLife } from './start-lives.ts';
import { ask, bad, echo, ends, EXPLICIT, NO_ERROR } from './start-lives.ts';

const two = (first: RepositoryFiles, second: RepositoryFiles): readonly RepositoryFiles[] => [first, second];
const served = (
  name: string,
  files: readonly RepositoryFiles[],
  args: readonly string[] = [],
  prepare?: StartLife['prepare'],
): StartLife => ({
  name,
  files,
  args: [NO_ERROR, ...args],
  steps: [ask, ends],
  ...(prepare === undefined ? {} : { prepare }),
});
/** Files of further versions of one model. */
const versions = (name: string, folders: readonly string[], more: string): RepositoryFiles => {
  const { [`${name}/config.pbtxt`]: config, [`${name}/1/model.py`]: code } = echo(name, more);
  return {
    [`${name}/config.pbtxt`]: String(config),
    ...Object.fromEntries(
      folders.flatMap((folder) => [
        [`${name}/${folder}/model.py`, String(code)],
        [`${name}/${folder}/__pycache__`, ''],
      ]),
    ),
  };
};

/** Signs, points and numbers beyond 64 bits hang or end the reference: not asked. */
const ODD = ['1', '2', '03', '007', '10', 'x', '.hidden', 'v3', '00'];
const POLICIES = [
  '',
  'version_policy { all {} }',
  'version_policy { latest { num_versions: 2 } }',
  'version_policy { latest { num_versions: 99 } }',
  'version_policy { latest {} }',
  'version_policy { specific { versions: [ 1, 3 ] } }',
  'version_policy { specific { versions: [ 7 ] } }',
  'version_policy { specific { versions: [ 2, 2, 11 ] } }',
  'version_policy { specific {} }',
  'version_policy { specific { versions: [ 0, 1 ] } }',
];

export const REPOSITORY_LIVES: readonly StartLife[] = [
  served('the same model in two', two(echo('alpha'), echo('alpha'))),
  served('the same model in two, and others', two({ ...echo('alpha'), ...echo('beta') }, echo('alpha'))),
  served('the same model in two, one is broken', two(echo('alpha'), bad('alpha'))),
  served('the same model in two, explicit', two(echo('alpha'), echo('alpha')), [EXPLICIT, '--load-model=*']),
  served('the same model in two, by name', two(echo('alpha'), echo('alpha')), [
    EXPLICIT,
    '--load-model=alpha',
  ]),
  served('the same model in two, with namespaces', two(echo('alpha'), echo('alpha')), [
    '--model-namespacing=true',
  ]),
  served('the same model in two, with namespaces, by name', two(echo('alpha'), echo('alpha')), [
    '--model-namespacing=true',
    EXPLICIT,
    '--load-model=alpha',
  ]),
  ...[[], [EXPLICIT, '--load-model=*'], [EXPLICIT, '--load-model=alpha']].map((args): StartLife => ({
    name: 'the same model in two ends the server',
    files: two({ ...echo('alpha'), ...echo('beta') }, echo('alpha')),
    args,
    steps: [ends],
  })),
  served('one folder twice', [echo('alpha')], ['--model-repository=<repository 0>']),
  served('one folder twice, once with a slash', [echo('alpha')], ['--model-repository=<repository 0>/']),
  served('a slash at the end', [{}, echo('alpha')], ['--model-repository=<repository 1>/']),
  served(
    'a folder inside of the other',
    [{ ...echo('alpha'), 'inner/beta/1/': '' }],
    ['--model-repository=<repository 0>/inner'],
  ),
  served(
    'a folder with points',
    [{ ...echo('alpha'), 'inner/1/': '' }],
    ['--model-repository=<repository 0>/inner/..'],
  ),
  served('one is missing', [echo('alpha')], ['--model-repository=/nowhere/at/all']),
  served(
    'one is missing, explicit',
    [echo('alpha')],
    ['--model-repository=/nowhere/at/all', EXPLICIT, '--load-model=alpha'],
  ),
  served(
    'one is missing, polling',
    [echo('alpha')],
    ['--model-repository=/nowhere/at/all', '--model-control-mode=poll'],
  ),
  served(
    'one is a file',
    [{ ...echo('alpha'), 'notes.txt': 'x' }],
    ['--model-repository=<repository 0>/notes.txt'],
  ),
  served('one is a model folder', [echo('alpha')], ['--model-repository=<repository 0>/alpha']),
  served(
    'one is a link',
    [echo('alpha'), {}],
    ['--model-repository=<repository 1>/link'],
    ([first = '', second = '']) => symlink(first, path.join(second, 'link')),
  ),
  served(
    'one is a link to nothing',
    [echo('alpha'), {}],
    ['--model-repository=<repository 1>/link'],
    ([, second = '']) => symlink('/nowhere/at/all', path.join(second, 'link')),
  ),
  served('a model is a link', [{}, echo('alpha')], [], async ([first = '', second = '']) => {
    await rename(path.join(second, 'alpha'), path.join(second, 'real'));
    await symlink(path.join(second, 'real'), path.join(first, 'alpha'));
    await mkdir(path.join(second, 'alpha-rest'));
  }),
  served('a model is a link to nothing', [echo('alpha')], [], ([first = '']) =>
    symlink('/nowhere/at/all', path.join(first, 'beta')),
  ),
  served('a version is a link', [echo('alpha')], [], ([first = '']) =>
    symlink(path.join(first, 'alpha/1'), path.join(first, 'alpha/2')),
  ),
  served('a version is a file', [echo('alpha')], [], ([first = '']) =>
    writeFile(path.join(first, 'alpha/2'), 'x'),
  ),
  served('a configuration is empty', [{ 'alpha/config.pbtxt': '', 'alpha/1/': '' }]),
  served('a configuration of zeros', [{ 'alpha/config.pbtxt': '\0\0\0\0', 'alpha/1/': '' }]),
  served('hidden folders', [{ ...echo('alpha'), '.git/1/': '', '.x': 'y' }]),
  served(
    'another configuration',
    [
      {
        ...echo('alpha'),
        'alpha/configs/other.pbtxt': `backend: "python"\n${ONE_TO_ONE}\nversion_policy { all {} }`,
      },
    ],
    ['--model-config-name=other'],
  ),
  served(
    'another configuration that is broken',
    [{ ...echo('alpha'), 'alpha/configs/other.pbtxt': 'x' }],
    ['--model-config-name=other'],
  ),
  served(
    'other names to load',
    [echo('alpha')],
    [EXPLICIT, '--load-model=alpha', '--load-model=*', '--load-model=beta'],
  ),
  served('a name with a slash to load', [echo('alpha')], [EXPLICIT, '--load-model=alpha/']),
  served('a name with a version to load', [echo('alpha')], [EXPLICIT, '--load-model=alpha/1']),
  served('a name in capitals to load', [echo('alpha')], [EXPLICIT, '--load-model=ALPHA']),
  served('a name with blanks to load', [echo('alpha')], [EXPLICIT, '--load-model= alpha']),
  served(
    'no configuration, no completion',
    [{ 'alpha/1/model.py': 'x' }],
    ['--disable-auto-complete-config'],
  ),
  served('no configuration', [{ 'alpha/1/model.py': 'x' }]),
  served('no configuration, a strict server', [{ 'alpha/1/model.py': 'x' }], ['--strict-model-config=true']),
  served(
    'a half configuration, no completion',
    [{ ...echo('alpha'), 'alpha/config.pbtxt': 'backend: "python"' }],
    ['--disable-auto-complete-config'],
  ),
  served('a half configuration', [{ ...echo('alpha'), 'alpha/config.pbtxt': 'backend: "python"' }]),
  ...POLICIES.map((policy) => served(`odd version folders, ${policy}`, [versions('alpha', ODD, policy)])),
  served('versions of zeros', [versions('alpha', ['0', '00', '1'], 'version_policy { all {} }')]),
  served('the same version twice', [versions('alpha', ['1', '01', '001'], 'version_policy { all {} }')]),
  served('only odd versions', [versions('alpha', ['x', 'v1'], '')]),
];
