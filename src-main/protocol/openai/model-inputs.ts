// The tensors of a text request. Models of vLLM take their sampling parameters as one JSON text, all others as a tensor
// each, under the names of TensorRT-LLM. Tensors that a model does not declare are left out; shapes and types are those that
// it declares.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { dataTypeFromConfig } from '../../../src-shared/datatypes.ts';
import { InferInput } from '../../inference/inference-request.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import { encodeValues } from '../../tensor/value-codec.ts';
import { detailFault } from './openai-fault.ts';
import { openaiErrors } from './openai-errors.ts';
import type { TextRequest } from './sampling.ts';

/** Which of the two forms a model takes. */
export type RequestFormat = 'vllm' | 'tensorrtllm';

/** The format of a model; `forced` "" = by its backend. */
export function formatOf({ backend }: ModelConfig, forced: RequestFormat | ''): RequestFormat {
  if (forced !== '') return forced;
  return backend === 'vllm' ? 'vllm' : 'tensorrtllm';
}

const ECHO_NAMES = ['exclude_input_in_output', 'sampling_param_exclude_input_from_output'];

type Values = readonly [name: string, values: readonly string[]];

/** Throws INVALID_ARG for a model that takes no text. */
export function textInputs(
  config: ModelConfig,
  request: TextRequest,
  format: RequestFormat,
): readonly InferInput[] {
  if (format !== 'vllm' && request.lora !== undefined) {
    throw detailFault(400, 'LoRA selection is currently not supported for TRT-LLM backend');
  }
  const common: Values[] = [
    ['text_input', [request.prompt]],
    ['stream', [String(request.isStream)]],
    ['return_num_input_tokens', ['true']],
    ['return_num_output_tokens', ['true']],
  ];
  if (format === 'vllm' || request.echo !== undefined) {
    const excludes = String(request.echo !== true);
    common.push(...ECHO_NAMES.map((name): Values => [name, [excludes]]));
  }
  const own = format === 'vllm' ? vllmValues(request) : tensorValues(request);
  return inputsOf(config, [...common, ...own]);
}

function vllmValues({ sampling, logprobs, lora, tool }: TextRequest): Values[] {
  const parameters = {
    ...sampling,
    ...(logprobs === undefined ? {} : { logprobs }),
    ...(lora === undefined ? {} : { lora_name: lora }),
    ...(tool === undefined ? {} : { structured_outputs: { json: JSON.parse(tool.schema) as unknown } }),
  };
  const values: Values[] = [['sampling_parameters', [JSON.stringify(parameters)]]];
  if (logprobs !== undefined) values.push(['return_logprobs', ['true']]);
  return values;
}

function tensorValues(request: TextRequest): Values[] {
  const values: Values[] = [
    ['max_tokens', [String(request.maxTokens)]],
    ['temperature', [String(request.temperature)]],
    ['top_p', [String(request.topP)]],
    ['frequency_penalty', [String(request.frequencyPenalty)]],
    ['presence_penalty', [String(request.presencePenalty)]],
  ];
  if (request.seed !== undefined) values.push(['seed', [String(request.seed)]]);
  if (request.stop.length > 0) values.push(['stop_words', request.stop]);
  if (request.tool !== undefined) {
    values.push(['guided_decoding_guide_type', ['json_schema']]);
    values.push(['guided_decoding_guide', [request.tool.schema]]);
  }
  return values;
}

/** Those of the values that the model has an input for. Throws INVALID_ARG where the first of them has none. */
export function inputsOf(config: ModelConfig, values: readonly Values[]): readonly InferInput[] {
  const [needed] = values;
  const inputs = values.flatMap(([name, list]) => {
    const declared = config.input.find((input) => input.name === name);
    const datatype = declared === undefined ? undefined : dataTypeFromConfig(declared.dataType);
    if (declared === undefined || datatype === undefined) return [];
    const rank = declared.dims.length + (config.maxBatchSize > 0 ? 1 : 0);
    const shape = Array.from({ length: rank }, (_, axis) => (axis === rank - 1 ? list.length : 1));
    return [new InferInput(name, datatype, shape, bytesOf(encodeValues(list, datatype)))];
  });
  if (!inputs.some(({ name }) => name === needed?.[0])) throw openaiErrors.lacksInput({ name: config.name });
  return inputs;
}
