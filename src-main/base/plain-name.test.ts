import { expect, test } from 'vitest';

import { plainName } from './plain-name.ts';

test.each([
  ['resnet-50.v1', 'resnet-50.v1'],
  ['my model (2)', 'my_model_2_'],
  ['12', '12'],
  ['мой модель 1', 'model_1'],
  ['模型', 'model'],
  ['größe_äöü', 'grosse_aou'],
  ['café', 'cafe'],
  ['..', 'model'],
  ['..hidden.', 'hidden.'],
  ['-rf', 'rf'],
  ['_v2', 'v2'],
  ['😀', 'model'],
])('%s becomes %s', (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
