// Licences and origins in the metadata of ONNX files.

import { expect, test } from 'vitest';

import { licenceIn, originIn } from './file-licence.ts';

test.each([
  [{ license: 'Apache-2.0' }, 'Apache-2.0'],
  [{ License: ' MIT ' }, 'MIT'],
  [{ model_license: 'CC-BY-4.0' }, 'CC-BY-4.0'],
  [{ licence_name: 'BSD-3-Clause' }, 'BSD-3-Clause'],
  [{ license: '' }, undefined],
  [{ stride: '32', licensed_to: 'me' }, undefined],
])('%j', (metadata, licence) => {
  expect(licenceIn(metadata)).toBe(licence);
});

test('who made it and what for is told, and long texts are cut', () => {
  const origin = originIn({ author: 'Ultralytics', stride: '32', description: 'x'.repeat(300) });
  expect(origin.map(([name]) => name)).toEqual(['author', 'description']);
  expect(origin[1]?.[1]).toHaveLength(161);
});
