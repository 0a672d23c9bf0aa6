import { expect, test } from 'vitest';

import { codePlaceOf } from './error-place.ts';

const models = {
  names: () => ['after', 'before', 'whole'],
  location: (name: string) => ({ path: `/models/${name}` }),
};

const RAISED = `Failed to process the request(s) for model 'before_0', message: NameError: name 'x' is not defined

At:
  /usr/lib/python3/json.py(7): loads
  /models/before/1/model.py(19): execute
`;

test('the line is found in the model that was asked, or in a step of it', () => {
  expect(codePlaceOf(models, 'before', RAISED)).toEqual({ model: 'before', file: '1/model.py', line: 19 });
  expect(codePlaceOf(models, 'whole', RAISED)).toEqual({ model: 'before', file: '1/model.py', line: 19 });
  expect(codePlaceOf(models, 'gone', RAISED)?.model).toBe('before');
});

test('an answer, an error in words and code of somebody else have no line', () => {
  expect(codePlaceOf(models, 'before', undefined)).toBeUndefined();
  expect(codePlaceOf(models, 'before', 'unexpected shape for input')).toBeUndefined();
  expect(codePlaceOf(models, 'before', RAISED.replaceAll('/models/before', '/elsewhere'))).toBeUndefined();
});
