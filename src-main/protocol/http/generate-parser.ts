// The flat JSON object of a generate request to tensors and parameters, guided by the model's inputs. Pure, so that
// large bodies can be read in a worker. Keys are converted in text order: the first fault wins.

import { inputErrors } from '../../inference/input-errors.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import type { WireError } from '../../../src-shared/errors.ts';
import { ServerError, errorToWire, toServerError } from '../../../src-shared/errors.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';
import { decodeJsonTensor, hasJsonForm } from '../../tensor/json-codec.ts';
import type { JsonValue } from '../../tensor/json-document.ts';
import { JsonArray, parseJson } from '../../tensor/json-document.ts';
import { decodeJsonScalar } from '../../tensor/json-scalar.ts';
import { customParameter } from './infer-parameters.ts';
import { checkPartCount } from '../../base/request-limits.ts';
import { requestPrefix } from '../../inference/request-prefix.ts';
import { httpBodyErrors } from './body-errors.ts';
import { asMembers, asObject, asString } from './json-members.ts';

/** What the conversion must know of the model. */
export interface GenerateModel {
  readonly inputs: readonly GenerateModelInput[];
}

/** An input of the model that `generate` fills from JSON. */
export interface GenerateModelInput {
  readonly name: string;
  readonly datatype: DataType;
  /** Batch dimension (-1) in front for batching models. */
  readonly dims: readonly number[];
}

interface GenerateInput {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** `fault` is the first one found; what was read before it stays in the other fields. */
export interface ParsedGenerate {
  id: string;
  readonly parameters: Map<string, ParameterValue>;
  readonly inputs: GenerateInput[];
  fault: WireError | undefined;
}

/** Never throws: a fault is part of the result. */
export function parseGenerate(json: Buffer, model: GenerateModel, maxInputByteSize: number): ParsedGenerate {
  const into: ParsedGenerate = { id: '', parameters: new Map(), inputs: [], fault: undefined };
  try {
    new GenerateReader(model, maxInputByteSize, into).read(parseJson(json));
  } catch (thrown) {
    into.fault = errorToWire(thrown);
  }
  return into;
}

const NESTED = 'parameters';

class GenerateReader {
  readonly #inputs: ReadonlyMap<string, GenerateModelInput>;
  readonly #limit: number;
  readonly #into: ParsedGenerate;
  #byteSize = 0;

  constructor(model: GenerateModel, limit: number, into: ParsedGenerate) {
    this.#inputs = new Map(model.inputs.map((input) => [input.name, input]));
    this.#limit = limit;
    this.#into = into;
  }

  read(root: JsonValue): void {
    const body = asMembers(root);
    checkPartCount('parameters', body.keys.length);
    const id = body.get('id');
    if (id !== undefined) this.#into.id = asString(id, 'id');
    // A key that stands there twice has its first value both times.
    for (const key of body.keys) {
      const value = body.get(key) ?? null;
      if (key === NESTED) this.#nested(value);
      else this.#convert(key, value);
    }
  }

  #nested(value: JsonValue): void {
    if (this.#inputs.has(NESTED)) {
      throw httpBodyErrors.repeatedKeyword({ keyword: NESTED });
    }
    const parameters = prefixed(`Expected JSON object for keyword: '${NESTED}': `, () => asObject(value, ''));
    checkPartCount('parameters', parameters.keys.length);
    prefixed(`Converting keyword: '${NESTED}': `, () => {
      for (const key of parameters.keys) this.#convert(key, parameters.get(key) ?? null);
    });
  }

  #convert(key: string, value: JsonValue): void {
    const input = this.#inputs.get(key);
    if (input === undefined) this.#into.parameters.set(key, customParameter(key, value));
    else this.#tensor(input, value);
  }

  #tensor(input: GenerateModelInput, value: JsonValue): void {
    const { name, datatype } = input;
    const count = value instanceof JsonArray ? value.count : 1;
    // Their size is known once they are read, so a fault among them comes before one of the shape.
    const texts = datatype === 'BYTES' ? decodeElements(value, datatype, count) : undefined;
    const shape = fitShape(input, count);
    if (this.#into.inputs.some((other) => other.name === name)) {
      throw inputErrors.repeated({ prefix: requestPrefix(this.#into.id), name });
    }
    if (!hasJsonForm(datatype)) {
      throw httpBodyErrors.withoutJsonForm({ datatype, input: name });
    }
    this.#claim(name, texts?.byteLength ?? count * elementByteSize(datatype));
    const bytes = texts ?? decodeElements(value, datatype, count);
    this.#into.inputs.push({ name, datatype, shape, bytes });
  }

  #claim(name: string, byteSize: number): void {
    this.#byteSize += byteSize;
    if (this.#byteSize <= this.#limit) return;
    throw httpBodyErrors.generateTooLarge({
      total: this.#byteSize,
      name,
      size: byteSize,
      limit: this.#limit,
    });
  }
}

function decodeElements(value: JsonValue, datatype: DataType, count: number): Uint8Array {
  if (count === 0) return new Uint8Array(0);
  return value instanceof JsonArray
    ? decodeJsonTensor(value, datatype, count)
    : decodeJsonScalar(value, datatype);
}

/** The innermost variable dimension takes what the fixed ones leave, the other variable ones become 1. */
function fitShape(input: GenerateModelInput, count: number): number[] {
  const { dims } = input;
  let fixed = 1;
  for (const dim of dims) if (dim !== -1) fixed *= dim;
  const rest = count / fixed;
  const variableAt = dims.lastIndexOf(-1);
  if (!Number.isInteger(rest) || (variableAt < 0 && rest !== 1)) {
    throw httpBodyErrors.generateShape({ name: input.name });
  }
  return dims.map((dim, index) => {
    if (dim !== -1) return dim;
    return index === variableAt ? rest : 1;
  });
}

/** Runs `action`; its fault gets words in front and keeps its code. */
function prefixed<T>(prefix: string, action: () => T): T {
  try {
    return action();
  } catch (thrown) {
    const fault = toServerError(thrown);
    throw new ServerError(fault.code, prefix + fault.message, { cause: fault });
  }
}
