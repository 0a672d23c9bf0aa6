// What the OpenAI-compatible endpoint cannot do with its tokenizer or with a model's answer.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const openaiCatalogue = defineErrors('openai', {
  noTokenizer: {
    code: 'INVALID_ARG',
    text: "--tokenizer names '{folder}', where no {file} can be read",
    cause: 'The tokenizer is no local folder; names of the Hugging Face Hub are not looked up.',
    remedy: 'Download the tokenizer (huggingface-cli download) and name its folder.',
  },
  badTokenizer: {
    code: 'INVALID_ARG',
    text: 'the tokenizer or chat template {file} cannot be read: {reason}',
    cause: 'The file of the tokenizer or of the chat template is damaged or missing.',
    remedy: 'Correct the file, or name another one.',
  },
  noTemplate: {
    code: 'INTERNAL',
    text: "the tokenizer in '{folder}' has no chat template; name one with --chat-template, or ask for a completion",
    cause: 'Neither tokenizer_config.json nor chat_template.jinja says how a chat becomes a prompt.',
    remedy: 'Name a template with --chat-template; completions do without one.',
  },
  badTemplate: {
    code: 'INVALID_ARG',
    text: 'the chat template cannot be understood: {reason}',
    cause: 'The template is no Jinja template, or uses something that is not known here.',
    remedy: 'Correct the template, or name another one with --chat-template.',
  },
  notRendered: {
    code: 'INVALID_ARG',
    text: 'the chat template refuses the messages: {reason}',
    cause: 'The template expects other roles, another order, or something that the messages lack.',
    remedy: 'Send the messages in the order that the template wants.',
  },
  unknownApi: {
    code: 'INVALID_ARG',
    text: "Unknown API '{name}'. Available APIs: ['inference', 'model-repository', 'metrics', 'health']",
    cause: '--openai-restricted-api names a group of calls that there is not.',
    remedy: 'Use one of the groups that the message lists.',
  },
  repeatedApi: {
    code: 'INVALID_ARG',
    text: "restricted api '{name}' can not be specified in multiple config groups",
    cause: 'Two options restrict the same group of calls.',
    remedy: 'Leave one of them out.',
  },
  lacksInput: {
    code: 'INVALID_ARG',
    text: "model '{name}' is no text model for this endpoint: it has no input 'text_input'",
    cause: 'The prompt has nowhere to go.',
    remedy: 'Give the model the inputs and outputs that docs/openai.md lists.',
  },
});

export const openaiErrors = openaiCatalogue.errors;
