// Request parameters: the names with a meaning, the reserved ones, and custom ones that go to the model.

import type { HeaderPattern } from '../../inference/header-pattern.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../../inference/inference-request.ts';
import { checkPartCount } from '../../base/request-limits.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';
import { checkedCorrelationId } from '../../inference/correlation-id.ts';
import { RESERVED_PARAMETERS } from '../../inference/reserved-parameters.ts';
import type { JsonValue } from '../../tensor/json-document.ts';
import { JsonObject } from '../../tensor/json-document.ts';
import { JsonDouble } from '../../tensor/json-values.ts';
import { httpBodyErrors } from './body-errors.ts';
import { asBoolean, asString, asUint } from './json-members.ts';
import type { ParsedInfer } from './parsed-infer.ts';

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/**
 * Puts the parameters of a request into `into`. Throws INVALID_ARG for reserved names and values of other
 * types.
 */
export function readParameters(value: JsonValue, into: ParsedInfer): void {
  if (!(value instanceof JsonObject)) {
    throw httpBodyErrors.parametersNoObject();
  }
  checkPartCount('parameters', value.keys.length);
  for (const [key, member] of value.members()) readParameter(key, member, into);
}

function readParameter(key: string, value: JsonValue, into: ParsedInfer): void {
  switch (key) {
    case 'sequence_id':
      into.correlationId = readSequenceId(value);
      return;
    case 'sequence_start':
      if (asBoolean(value, key)) into.flags |= SEQUENCE_START;
      return;
    case 'sequence_end':
      if (asBoolean(value, key)) into.flags |= SEQUENCE_END;
      return;
    case 'priority':
      into.priority = BigInt(asUint(value, key));
      return;
    case 'timeout':
      into.timeoutUs = Number(asUint(value, key));
      return;
    case 'binary_data_output':
      into.isBinaryByDefault = asBoolean(value, key);
      return;
    default:
      if (key.startsWith('triton_')) {
        throw httpBodyErrors.reservedParameter();
      }
      (into.parameters ??= new Map()).set(key, customParameter(key, value));
  }
}

function readSequenceId(value: JsonValue): bigint | string {
  if ((typeof value === 'number' || typeof value === 'bigint') && value >= 0) return BigInt(value);
  return checkedCorrelationId(asString(value, 'sequence_id'));
}

/** A parameter for the model. Integers are bigint; those above 2^63-1 become doubles. Throws INVALID_ARG. */
export function customParameter(key: string, value: JsonValue): ParameterValue {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return BigInt(value);
  if (typeof value === 'bigint') return value > MAX_INT64 ? Number(value) : value;
  if (value instanceof JsonDouble) return value.value;
  throw httpBodyErrors.parameterType({ key });
}

/** Forwarded request headers as parameters. `rawHeaders`: name, value, name, value ... as received. */
export function forwardHeaders(
  pattern: HeaderPattern,
  rawHeaders: readonly string[],
  parameters: Map<string, ParameterValue>,
): void {
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (!pattern.test(name)) continue;
    if (RESERVED_PARAMETERS.has(name) || name.startsWith('triton_')) {
      throw httpBodyErrors.reservedHeader({ name });
    }
    parameters.set(name, headerText(rawHeaders[i + 1] as string));
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Clients send UTF-8, which HTTP's parsers read byte by byte; what is none stays as it was read. */
function headerText(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}
