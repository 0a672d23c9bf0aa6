// Follows docs/adding-a-route.md in a copy of the project: the route, where it is listed, its test.

import { expect, it } from 'vitest';

import { ProjectCopy } from './project-copy.ts';

it('gives a route that answers, refuses and is tested', async () => {
  await using copy = await ProjectCopy.create([
    'src-main',
    'src-shared',
    'resources',
    'tests/conformance/http',
    'package.json',
  ]);
  await copy.follow('docs/adding-a-route.md');
  const printed = await copy.run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=conformance',
    'http/batching',
  );
  expect(printed).toContain('1 passed');
});
