// What the recipes show goes through lint as it is: every export of theirs says what it is.

import { expect, it } from 'vitest';

import { undocumented } from '../../tools/docs/missing-docstrings.ts';
import { recipeBlocks } from './recipe-page.ts';

it.each(['backend', 'config-rule', 'route', 'screen'])('adding-a-%s.md documents its exports', (name) => {
  const newFiles = recipeBlocks(`docs/adding-a-${name}.md`).filter(
    ({ path, after }) => after === undefined && /(?<!\.test)\.tsx?$/.test(path),
  );
  expect(newFiles).not.toEqual([]);
  expect(newFiles.flatMap(({ path, text }) => undocumented(path, text))).toEqual([]);
});
