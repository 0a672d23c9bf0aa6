// Options of the model repository.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import { parseBool, parseInteger, parseWord } from '../option-values.ts';
import type { ServeDraft } from '../serve-draft.ts';

function addRepository(draft: ServeDraft, value: string): void {
  draft.engine.repository.paths.push(value);
}

export const repositoryFlags: readonly Flag[] = [
  {
    name: 'model-store',
    group: 'Model Repository',
    argument: 'string',
    help: 'The same as --model-repository.',
    apply: addRepository,
  },
  {
    name: 'model-repository',
    group: 'Model Repository',
    argument: 'string',
    help: 'Folder of models to serve. May be given several times.',
    apply: addRepository,
  },
  {
    name: 'exit-on-error',
    group: 'Model Repository',
    argument: 'boolean',
    help: 'End when a model of the start set cannot be loaded. Default is true.',
    apply: (draft, value) => {
      draft.engine.server.exitOnError = parseBool(value);
    },
  },
  {
    name: 'disable-auto-complete-config',
    group: 'Model Repository',
    argument: undefined,
    help: 'Model configurations must be complete; nothing is filled in from the model file.',
    apply: (draft) => {
      draft.engine.repository.autoCompleteConfig = false;
    },
  },
  {
    name: 'strict-readiness',
    group: 'Model Repository',
    argument: 'boolean',
    help: 'The server is ready only while every model is. Default is true.',
    apply: (draft, value) => {
      draft.engine.server.strictReadiness = parseBool(value);
    },
  },
  {
    name: 'model-control-mode',
    group: 'Model Repository',
    argument: 'string',
    help: 'How models are controlled: "none" loads all at start, "poll" follows changes of the repository, "explicit" loads what clients ask for. Default is "none".',
    apply: (draft, value) => {
      draft.engine.repository.controlMode = parseWord(
        value,
        ['none', 'poll', 'explicit'],
        `invalid argument for --model-control-mode, got: ${value}`,
      );
    },
  },
  {
    name: 'repository-poll-secs',
    group: 'Model Repository',
    argument: 'integer',
    help: 'Seconds between two looks at the repository in mode "poll". Default is 15.',
    apply: (draft, value) => {
      draft.engine.repository.pollSec = parseInteger(value);
    },
  },
  {
    name: 'load-model',
    group: 'Model Repository',
    argument: 'string',
    help: 'Model to load at start in mode "explicit"; "*" alone means all. May be given several times.',
    apply: (draft, value) => {
      draft.engine.repository.startupModels.push(value);
    },
  },
  {
    name: 'model-config-name',
    group: 'Model Repository',
    argument: 'string',
    help: 'Use configs/<name>.pbtxt of a model where it exists, before config.pbtxt.',
    apply: (draft, value) => {
      if (value === '') throw new UsageError('Error: empty argument for --model-config-name');
      draft.engine.repository.modelConfigName = value;
    },
  },
  {
    name: 'model-load-thread-count',
    group: 'Model Repository',
    argument: 'integer',
    help: 'Models loaded at the same time, at least 1. Default is 4.',
    apply: (draft, value) => {
      draft.engine.repository.loadThreadCount = Math.max(1, parseInteger(value));
    },
  },
  {
    name: 'model-load-retry-count',
    group: 'Model Repository',
    argument: 'integer',
    help: 'Further attempts after a failed load. Default is 0.',
    apply: (draft, value) => {
      draft.engine.repository.loadRetryCount = parseInteger(value, { min: 0, max: 2 ** 31 - 1 });
    },
  },
  {
    name: 'model-namespacing',
    group: 'Model Repository',
    argument: 'boolean',
    help: 'The same model name may exist in several repositories. Default is false.',
    apply: (draft, value) => {
      draft.engine.repository.namespacing = parseBool(value);
    },
  },
  {
    name: 'enable-peer-access',
    group: 'Model Repository',
    argument: 'boolean',
    help: 'Access between GPUs.',
    apply: (_draft, value) => void parseBool(value),
    noEffect: 'the runtime decides about access between GPUs by itself.',
    harmless: (value) => parseBool(value),
  },
];
