// Parameters as JSON between engine and Python host: integers are `["<decimal text>"]`, since a JSON number of
// JavaScript has 53 bits, so that a plain number is always a double. Doubles that JSON has no number for are a text, too,
// with their kind behind it.

import type { ParameterValue } from '../../inference/inference-response.ts';

/** A parameter as JSON carries it: an integer of 64 bits is its text in a list, and so is NaN, with `d` behind it. */
export type WireParameter = string | boolean | number | readonly [string] | readonly [string, 'd'];
/** Parameters of a request or an answer, by name. */
export type WireParameters = Readonly<Record<string, WireParameter>>;

/** Parameters of a request or a response for the host; integers keep all of their 64 bits. */
export function parametersToWire(parameters: ReadonlyMap<string, ParameterValue>): WireParameters {
  return Object.fromEntries(
    [...parameters].map(([name, value]): [string, WireParameter] => [
      name,
      typeof value === 'bigint' ? [String(value)] : typeof value === 'number' ? realToWire(value) : value,
    ]),
  );
}

function realToWire(value: number): WireParameter {
  if (Object.is(value, -0)) return ['-0', 'd'];
  return Number.isFinite(value) ? value : [String(value), 'd'];
}

/** Parameters as the host sent them; none where it sent none. */
export function parametersFromWire(wire: WireParameters | undefined): ReadonlyMap<string, ParameterValue> {
  return new Map(
    Object.entries(wire ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? BigInt(value[0] as string) : (value as ParameterValue),
    ]),
  );
}
