// Follows docs/adding-a-config-rule.md in a copy of the project: the rule, where it is asked, its test, a model.

import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { ProjectCopy } from './project-copy.ts';

it('gives a rule that `conch check` applies, and a test that passes', async () => {
  await using copy = await ProjectCopy.create([
    'src-main',
    'src-shared',
    // What is set up before each test file lies there.
    'src-renderer',
    'package.json',
  ]);
  await copy.follow('docs/adding-a-config-rule.md');
  await mkdir(copy.at('models/patient/1'));

  const checked = await copy.run('src-main/shell/headless/main.ts', 'check', copy.at('models'));
  expect(checked).toContain("requests to 'patient' may wait 2 s for a batch");
  await copy.run('node_modules/vitest/vitest.mjs', 'run', '--project=unit', 'delay-rules');
});
