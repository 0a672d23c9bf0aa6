// Requests through the normalizer of a model: what becomes of them, or why they are refused.

import type { ModelConfig, ModelInput } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { InferenceRequest, InferenceRequestInit, InferInput } from '../inference/inference-request.ts';
import { createNormalizer } from '../inference/request-normalizer.ts';
import { AnswerBook, inputConfig, int32Input, modelConfig } from './tensors.ts';

/** What a test says of a request; the rest has defaults. */
export type RequestParts = Partial<Omit<InferenceRequestInit, 'onResponse'>>;

/** A request with id `r1` as the model takes it. Throws ServerError when it is refused. */
export function normalize(config: Partial<ModelConfig>, init: RequestParts): InferenceRequest {
  const request = new AnswerBook().request({ id: 'r1', ...init });
  createNormalizer(modelConfig(config))(request);
  return request;
}

/** Why the request is refused, with the code in front unless it is INVALID_ARG; else `accepted`. */
export function failure(config: Partial<ModelConfig>, init: RequestParts): string {
  try {
    normalize(config, init);
  } catch (thrown) {
    const error = thrown as ServerError;
    return error.code === 'INVALID_ARG' ? error.message : `${error.code}: ${error.message}`;
  }
  return 'accepted';
}

/** How errors name the request of `normalize`. */
export const RID = '[request id: r1] ';

/** An input of the configuration with dims [2]. */
export const named = (name: string, change: Partial<ModelInput> = {}): ModelInput =>
  inputConfig({ name, dims: [2], ...change });
/** Two inputs, which `tensorA` and `tensorB` fit. */
export const PAIR = { input: [named('A'), named('B')] };

const zeros = (name: string, rows: number): InferInput =>
  int32Input(name, [rows, 2], new Array<number>(rows * 2).fill(0));
/** Zeros of shape [rows, 2]. */
export const tensorA = (rows = 1): InferInput => zeros('A', rows);
/** Zeros of shape [rows, 2]. */
export const tensorB = (rows = 1): InferInput => zeros('B', rows);
