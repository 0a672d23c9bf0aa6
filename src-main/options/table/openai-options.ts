// Options of the OpenAI-compatible endpoint. In the reference it is a program of its own with options of these names.

import { changed, field } from '../engine-field.ts';
import { listed, scalar, setting } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseInteger } from '../option-values.ts';
import { printRestrictedGroup, splitRestrictedGroup } from '../restricted-groups.ts';
import { UsageError } from '../usage-error.ts';
import { anyText, whole } from '../value-types.ts';

const SECTION = 'Endpoints';
const PARSERS = ['llama3', 'mistral'] as const;
const FORMATS = ['vllm', 'tensorrtllm'] as const;

/** In the order of the usage text. */
export const openaiOptions: readonly OptionDefinition[] = [
  {
    name: 'openai-port',
    group: 'OpenAI',
    argument: 'integer',
    help: "Answer requests of OpenAI's API on this port, on the address of the HTTP port; 0 picks a free one. Without it nothing is answered. Triton's own frontend has 9000.",
    apply: (draft, text) => {
      const port = parseInteger(text);
      draft.engine = changed(draft.engine, 'openai', { enabled: true, port });
    },
    print: ({ openai }) => (openai.enabled ? [String(openai.port)] : []),
    settings: [
      setting({
        screen: {
          key: 'server.openaiPort',
          kind: 'number',
          defaultValue: 0,
          section: SECTION,
          title: 'OpenAI port',
          help: "Port for programs of OpenAI's API, usually 9000; 0 answers none.",
          min: 0,
          max: 65_535,
        },
        apply: (engine, value) => changed(engine, 'openai', { enabled: value !== 0, port: Number(value) }),
        read: (text) => parseInteger(text),
      }),
    ],
  },
  scalar({
    name: 'tokenizer',
    group: 'OpenAI',
    type: anyText,
    field: field('openai', 'tokenizer'),
    help: 'Folder of a Hugging Face tokenizer, whose chat template makes a prompt of a chat. Chats need it, or --chat-template.',
    screen: {
      key: 'server.openaiTokenizer',
      section: SECTION,
      title: 'Tokenizer',
      help: 'Folder of a Hugging Face tokenizer, whose chat template makes a prompt of a chat. Chats need it.',
    },
  }),
  scalar({
    name: 'chat-template',
    group: 'OpenAI',
    type: anyText,
    field: field('openai', 'chatTemplate'),
    help: "File of a Jinja template that takes the place of the tokenizer's.",
  }),
  scalar({
    name: 'default-max-tokens',
    group: 'OpenAI',
    type: whole(),
    field: field('openai', 'defaultMaxTokens'),
    help: 'Tokens that a model may make when a request says nothing.',
  }),
  {
    name: 'openai-backend',
    group: 'OpenAI',
    argument: 'string',
    help: 'Form of the requests to every model: "vllm" (sampling parameters as one JSON text) or "tensorrtllm" (a tensor each). Default is by the model\'s backend.',
    apply: (draft, text) => {
      const requestFormat = FORMATS.find((known) => known === text);
      if (requestFormat === undefined) {
        throw new UsageError('invalid argument for --openai-backend', {
          hint: `Expected one of "vllm", "tensorrtllm". Got ${text}`,
        });
      }
      draft.engine = changed(draft.engine, 'openai', { requestFormat });
    },
    print: ({ openai: { requestFormat } }) => (requestFormat === '' ? [] : [requestFormat]),
  },
  {
    name: 'tool-call-parser',
    group: 'OpenAI',
    argument: 'string',
    help: 'Finds calls of tools in the text of chats: "llama3" or "mistral", after the family of the models. Without it only a tool that must be called is.',
    apply: (draft, text) => {
      const toolCallParser = PARSERS.find((known) => known === text);
      if (toolCallParser === undefined) {
        throw new UsageError('invalid argument for --tool-call-parser', {
          hint: `Expected one of "llama3", "mistral". Got ${text}`,
        });
      }
      draft.engine = changed(draft.engine, 'openai', { toolCallParser });
    },
    print: ({ openai: { toolCallParser } }) => (toolCallParser === undefined ? [] : [toolCallParser]),
  },
  scalar({
    name: 'max-tool-call-parse-bytes',
    group: 'OpenAI',
    type: whole(),
    field: field('openai', 'maxToolCallParseByteSize'),
    help: 'Bytes of calls that are read in a streamed chat; what is longer ends the answer with the reason "length".',
  }),
  {
    name: 'lora-separator',
    group: 'OpenAI',
    argument: 'string',
    help: 'Text between the name of a vLLM model and that of its LoRA adapter in requests. Without it requests name no adapters.',
    apply: (draft, text) => {
      draft.engine = changed(draft.engine, 'openai', { loraSeparator: text === '' ? undefined : text });
    },
    print: ({ openai: { loraSeparator } }) => (loraSeparator === undefined ? [] : [loraSeparator]),
  },
  listed({
    name: 'openai-restricted-api',
    group: 'OpenAI',
    argument: '<string>:<string>=<string>',
    list: field('openai', 'restricted'),
    parse: (text) => splitRestrictedGroup(text, 'openai-restricted-api'),
    printItem: printRestrictedGroup,
    help: 'Ask for a header with a value before calls of some groups are answered (inference, model-repository, metrics, health): <group>[,<group>...]:<header>=<value>.',
  }),
];
