// The table of models that servers print when they start: what was tried, under which name, and why it is not there.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { hideVolatile } from './normalise.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const NEVER = `${ONE_TO_ONE}\nversion_policy { specific { versions: [ 9 ] } }`;
const first: RepositoryFiles = {
  ...pythonFiles('good', ECHO_MODEL),
  ...pythonFiles('policy', ECHO_MODEL, NEVER),
  'broken/config.pbtxt': 'nonsense: 1\n',
  'broken/1/': '',
  'bare/config.pbtxt': `backend: "python"\n${ONE_TO_ONE}\n`,
  'far/config.pbtxt': `backend: "far"\n${ONE_TO_ONE}\n`,
  'far/1/': '',
  'far/2/': '',
  'chain/config.pbtxt': `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "far" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  'chain/1/': '',
};
const second: RepositoryFiles = { ...pythonFiles('good', ECHO_MODEL), ...pythonFiles('policy', ECHO_MODEL) };

const scene = (
  name: string,
  args: readonly string[],
  ...repositories: readonly RepositoryFiles[]
): Scene => ({
  name: `table ${name}`,
  repositories: sameFor(...repositories),
  args: ['--exit-on-error=false', ...args],
  together: 'tables',
  cases: [
    {
      name: `table of models, ${name}`,
      run: async (target) => {
        const [table = ''] = /\| Model .*?\n\n/s.exec(target.log()) ?? [];
        const rows = hideVolatile(table, target)
          .split('\n')
          .filter((row) => row.startsWith('| '))
          .map((row) => row.replaceAll(/ +/g, ' '));
        // Namespaces come in the order of their paths, which are made up.
        return { rows: name === 'namespaces' ? rows.sort() : rows };
      },
    },
  ],
});

const EXPLICIT = '--model-control-mode=explicit';

export const TABLE_SCENES: readonly Scene[] = [
  scene('everything', [], first),
  scene('explicit, none', [EXPLICIT], first),
  scene(
    'explicit, some',
    [EXPLICIT, ...['good', 'policy', 'broken', 'far', 'chain', 'nope'].map((one) => `--load-model=${one}`)],
    first,
  ),
  scene('two repositories', [], first, second),
  scene('namespaces', ['--model-namespacing=true'], first, second),
];
