import { expect, expectTypeOf, test } from 'vitest';

import { defineErrors } from './error-catalogue.ts';
import { errorFromWire, errorToWire, ServerError } from './errors.ts';

const { errors } = defineErrors('door', {
  locked: {
    code: 'UNAVAILABLE',
    text: "the door '{door}' is locked by {owner}",
    cause: 'Somebody locked it.',
    remedy: 'Ask the owner.',
  },
  gone: {
    code: 'NOT_FOUND',
    text: 'there is no door',
    cause: 'It was taken out.',
    remedy: 'Use the window.',
  },
});

test('a text is filled with its values', () => {
  const error = errors.locked({ door: 'front', owner: 12n });
  expect(error).toBeInstanceOf(ServerError);
  expect([error.code, error.message]).toEqual(['UNAVAILABLE', "the door 'front' is locked by 12"]);
});

test('a value is put in as it is, even when it looks like a place for one', () => {
  expect(errors.locked({ door: '{owner}', owner: '$&' }).message).toBe("the door '{owner}' is locked by $&");
});

test('a text without values takes none, but a cause and details', () => {
  const cause = new Error('why');
  const error = errors.gone({ cause, details: { floor: 2 } });
  expect([error.message, error.cause, error.details]).toEqual([
    'there is no door',
    cause,
    { floor: 2, errorId: 'door/gone', cause: 'It was taken out.', remedy: 'Use the window.' },
  ]);
});

test('what is known about an error crosses a port with it', () => {
  const arrived = errorFromWire(errorToWire(errors.locked({ door: 'a', owner: 'b' })));
  expect(arrived.details).toEqual({
    errorId: 'door/locked',
    cause: 'Somebody locked it.',
    remedy: 'Ask the owner.',
  });
});

test('values that are missing or unknown do not compile', () => {
  expectTypeOf(errors.locked)
    .parameter(0)
    .toEqualTypeOf<Readonly<Record<'door' | 'owner', string | number | bigint>>>();
  expectTypeOf(errors.gone).parameter(0).not.toHaveProperty('door');
});
