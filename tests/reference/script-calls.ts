// Short forms of the calls that scripts of the twins are made of.

import type { Json } from './request-bodies.ts';
import { send } from './request-bodies.ts';
import type { WireCase } from './wire-cases.ts';

/** A call whose answer is compared without what these expressions match. */
export function call(
  method: string,
  path: string,
  body?: string | Json,
  ignore?: readonly RegExp[],
): WireCase {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return {
    name: `${method} ${path} ${text ?? ''}`.trim(),
    method,
    path,
    ...(text === undefined ? {} : { body: text }),
    ...(ignore === undefined ? {} : { ignore }),
  };
}

/** An INT32 input of a request. */
export const ints = (
  name: string,
  data: readonly number[],
  shape: readonly number[] = [data.length],
): Json => ({
  name,
  datatype: 'INT32',
  shape,
  data,
});

/** A request to infer with these inputs. */
export const infer = (model: string, inputs: readonly Json[], more: Json = {}): WireCase =>
  send(model, { inputs, ...more });

/** Metadata say which backend a model runs on, which the twins do not share. */
export const PLATFORM = [/"platform":"(python|javascript)"/];
