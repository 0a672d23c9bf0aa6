// Reads a JSON body by its schema. What does not fit is told as a list, one entry for each fault, in the words that the
// reference's framework has for them.

import type { z } from 'zod';

import { OpenaiFault } from './openai-fault.ts';

interface Detail {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

const TYPES: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  string: ['string_type', 'Input should be a valid string'],
  int: ['int_type', 'Input should be a valid integer'],
  number: ['float_type', 'Input should be a valid number'],
  boolean: ['bool_type', 'Input should be a valid boolean'],
  array: ['list_type', 'Input should be a valid list'],
  object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  record: ['dict_type', 'Input should be a valid dictionary'],
};

/** Throws the fault with status 422. */
export function readBody<Schema extends z.ZodType>(bytes: Buffer, schema: Schema): z.infer<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch (thrown) {
    const detail: Detail = { type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} };
    throw unprocessable([{ ...detail, ctx: { error: (thrown as Error).message } } as Detail]);
  }
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw unprocessable(read.error.issues.flatMap((issue) => detailsOf(issue, body)));
}

function unprocessable(detail: readonly Detail[]): OpenaiFault {
  return new OpenaiFault(422, { detail }, detail.map(({ msg }) => msg).join('; '));
}

function detailsOf(issue: z.core.$ZodIssue, body: unknown): Detail[] {
  const loc = ['body', ...issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))];
  const input = valueAt(body, issue.path);
  const one = (type: string, msg: string): Detail[] => [{ type, loc, msg, input }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        type: 'extra_forbidden',
        loc: [...loc, key],
        msg: 'Extra inputs are not permitted',
        input: valueAt(body, [...issue.path, key]),
      }));
    case 'invalid_type': {
      if (input === undefined) return [{ type: 'missing', loc, msg: 'Field required', input: body }];
      const [type, msg] = TYPES[issue.expected] ?? ['value_error', issue.message];
      return one(type, msg);
    }
    case 'too_big':
      return one('less_than_equal', `Input should be less than or equal to ${issue.maximum}`);
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? one(
            'too_short',
            `Input should have at least ${issue.minimum} item${issue.minimum === 1 ? '' : 's'}`,
          )
        : one('greater_than_equal', `Input should be greater than or equal to ${issue.minimum}`);
    case 'invalid_union':
      if (input === undefined) return [{ type: 'missing', loc, msg: 'Field required', input: body }];
      return one('string_type', 'Input should be a valid string');
    case 'invalid_value':
      return one(
        'literal_error',
        `Input should be ${issue.values.map((value) => `'${String(value)}'`).join(', ')}`,
      );
    default:
      return one('value_error', issue.message);
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}
