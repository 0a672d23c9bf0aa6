// Text models in JavaScript. `told` answers what it was told; `pieces` answers its prompt word by word.

import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';

const TENSORS = `
input { name: "text_input" data_type: TYPE_STRING dims: [ 1 ] }
input { name: "stream" data_type: TYPE_BOOL dims: [ 1 ] optional: true }
input { name: "max_tokens" data_type: TYPE_INT32 dims: [ 1 ] optional: true }
input { name: "temperature" data_type: TYPE_FP32 dims: [ 1 ] optional: true }
input { name: "seed" data_type: TYPE_UINT64 dims: [ 1 ] optional: true }
input { name: "stop_words" data_type: TYPE_STRING dims: [ -1 ] optional: true }
input { name: "guided_decoding_guide" data_type: TYPE_STRING dims: [ 1 ] optional: true }
output { name: "text_output" data_type: TYPE_STRING dims: [ -1 ] }
output { name: "num_input_tokens" data_type: TYPE_INT32 dims: [ 1 ] }
output { name: "num_output_tokens" data_type: TYPE_INT32 dims: [ 1 ] }`;

const ANSWER = `
const text = (input) => input.texts().join('|');
const answer = (words) => ({
  outputs: {
    text_output: { shape: [1], data: [words] },
    num_input_tokens: { shape: [1], data: [7] },
    num_output_tokens: { shape: [1], data: [1] },
  },
});
`;

const TOLD = `${ANSWER}
export function execute(requests) {
  return requests.map(({ inputs }) => {
    if (text(inputs.text_input).startsWith('fail')) throw new Error('the model is tired');
    const shown = Object.values(inputs).map(({ name, datatype, data, texts }) =>
      name + '=' + (datatype === 'BYTES' ? text(inputs[name]) : [...data].map((one) => Number(Number(one).toPrecision(6))).join(',')));
    return answer(shown.sort().join(' '));
  });
}`;

const PIECES = `${ANSWER}
async function* pieces({ inputs, signal }) {
  for (const word of text(inputs.text_input).split(' ').filter((one) => one !== '')) {
    if (word === 'fail') throw new Error('lost the thread');
    if (word === 'forever') while (!signal.aborted) {
      yield answer('on and on');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    yield answer(word);
  }
}
export const execute = (requests) => requests.map(pieces);`;

export const TEXT_MODELS: RepositoryFiles = {
  'told/config.pbtxt': `backend: "javascript"${TENSORS}`,
  'told/1/model.mjs': TOLD,
  'pieces/config.pbtxt': `backend: "javascript" model_transaction_policy { decoupled: true }${TENSORS}`,
  'pieces/1/model.mjs': PIECES,
  // Says its prompt in pieces that end at each bar.
  'cut/config.pbtxt': `backend: "javascript" model_transaction_policy { decoupled: true }${TENSORS}`,
  'cut/1/model.mjs': `${ANSWER}
async function* cut({ inputs }) {
  for (const piece of text(inputs.text_input).split('|')) yield answer(piece);
}
export const execute = (requests) => requests.map(cut);`,
  // Says the sampling parameters that it was given.
  'sampled/config.pbtxt': `backend: "javascript"
input { name: "text_input" data_type: TYPE_STRING dims: [ 1 ] }
input { name: "sampling_parameters" data_type: TYPE_STRING dims: [ 1 ] }
output { name: "text_output" data_type: TYPE_STRING dims: [ 1 ] }`,
  'sampled/1/model.mjs': `export function execute(requests) {
  return requests.map(({ inputs }) => ({
    outputs: { text_output: { shape: [1], data: inputs.sampling_parameters.texts() } },
  }));
}`,
  'numbers/config.pbtxt': `backend: "identity"
input { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }
output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }`,
  'numbers/1/': '',
  'embeds/config.pbtxt': `backend: "javascript"
input { name: "embedding_request" data_type: TYPE_STRING dims: [ 1 ] }
output { name: "text_output" data_type: TYPE_STRING dims: [ 1 ] }`,
  'embeds/1/model.mjs': `export function execute(requests) {
  return requests.map(({ inputs }) => {
    const { input, pooling_params } = JSON.parse(inputs.embedding_request.texts()[0]);
    const data = [JSON.stringify([input.length, pooling_params?.dimensions[0] ?? -1])];
    return { outputs: { text_output: { shape: [1], data } } };
  });
}`,
};

/** A template as tokenizers have it. */
export const CHAT_TEMPLATE =
  "{{ bos_token }}{% for message in messages %}<{{ message['role'] }}>{{ message['content'] }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
