// The bodies of the OpenAI-compatible endpoint: fields, ranges and defaults. Unknown fields are refused. Ranges are those of
// OpenAI's own API.

import { z } from 'zod';

const count = z.int().min(0);
const penalty = z.number().min(-2).max(2).nullish();
const stop = z.union([z.string(), z.array(z.string())]).nullish();

const sampling = {
  max_tokens: count.nullish(),
  min_tokens: count.nullish(),
  ignore_eos: z.boolean().nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: penalty.nullish(),
  presence_penalty: penalty.nullish(),
  seed: z.int().nullish(),
  stop,
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.int().min(1).max(128).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  user: z.string().nullish(),
};

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

/** One message of a chat, as a chat template sees it. */
const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

const tool = z.looseObject({
  type: z.string().optional(),
  function: z.looseObject({ name: z.string(), parameters: z.unknown() }),
});

/** Body of `/v1/chat/completions`; unknown fields are refused. */
export const chatSchema = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1),
  max_completion_tokens: count.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: z.unknown().optional(),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  ...sampling,
});

/** Body of `/v1/completions`. */
export const completionSchema = z.strictObject({
  model: z.string(),
  prompt: z.union([z.string(), z.array(z.unknown())]).nullable(),
  temperature: z.number().min(0).max(2).nullish(),
  best_of: z.int().min(0).max(20).nullish(),
  echo: z.boolean().nullish(),
  suffix: z.string().nullish(),
  logprobs: z.int().min(0).max(5).nullish(),
  ...sampling,
});

/** Body of `/v1/embeddings`. */
export const embeddingSchema = z.strictObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.unknown()).min(1)]),
  dimensions: z.int().min(1).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  user: z.string().nullish(),
});

/** The body of a chat completion. */
export type ChatBody = z.infer<typeof chatSchema>;
/** The body of a completion. */
export type CompletionBody = z.infer<typeof completionSchema>;
/** The body of an embedding. */
export type EmbeddingBody = z.infer<typeof embeddingSchema>;
