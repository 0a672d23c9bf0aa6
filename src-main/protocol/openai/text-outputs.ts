// What a text model answered: a text, and counts of tokens where it gives them.

import { isDataType } from '../../../src-shared/datatypes.ts';
import type { InferenceResponse } from '../../inference/inference-response.ts';
import { decodeValues } from '../../tensor/value-codec.ts';
import { detailFault } from './openai-fault.ts';

/** What a language model answered, or a part of it. */
export interface TextOutput {
  readonly text: string;
  /** Undefined = the model tells none. */
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  /** Parsed; null = none. */
  readonly logprobs: unknown;
}

/** One more than a text may have, so that too many are seen. */
const TEXT_LIMIT = 2;

/** Throws the model's own error, and the fault with status 500 for an answer of more than one text. */
export function textOutput(response: InferenceResponse): TextOutput {
  if (response.error !== undefined) throw response.error;
  const valuesOf = (name: string): readonly string[] => {
    const output = response.outputs.find((one) => one.name === name);
    if (output === undefined || !isDataType(output.datatype)) return [];
    return decodeValues(output.bytes, output.datatype, TEXT_LIMIT);
  };
  const texts = valuesOf('text_output');
  if (texts.length > 1) {
    throw detailFault(500, `Expected to find 1 string in the output, found ${texts.length} instead.`);
  }
  const count = (name: string): number | undefined => {
    const [value] = valuesOf(name);
    return value === undefined ? undefined : Number(value);
  };
  return {
    text: texts[0] ?? '',
    promptTokens: count('num_input_tokens'),
    completionTokens: count('num_output_tokens'),
    logprobs: parsed(valuesOf('logprobs')[0]),
  };
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Counts of a whole answer: prompt tokens once, completion tokens of all its parts. */
export class TokenCounts {
  #promptTokens: number | undefined;
  #completionTokens: number | undefined;

  /** The counts of one response. The first one that tells prompt tokens counts. */
  add({ promptTokens, completionTokens }: TextOutput): void {
    this.#promptTokens ??= promptTokens;
    if (completionTokens !== undefined) {
      this.#completionTokens = (this.#completionTokens ?? 0) + completionTokens;
    }
  }

  /** Null where the model told neither. */
  get usage(): object | null {
    if (this.#promptTokens === undefined && this.#completionTokens === undefined) return null;
    const prompt = this.#promptTokens ?? 0;
    const completion = this.#completionTokens ?? 0;
    return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  }
}
