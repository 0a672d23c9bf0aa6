// Options of the model repository.

import type { SettingValue } from '../../../src-shared/contract/setting-definition.ts';
import { changed, field } from '../engine-field.ts';
import type { EngineOptions } from '../engine-options.ts';
import { inert, listed, scalar, setting } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseBool } from '../option-values.ts';
import { wordsOf } from '../setting-definition.ts';
import { UsageError } from '../usage-error.ts';
import { anyText, oneOf, truth, whole } from '../value-types.ts';

const SECTION = 'Models';
const paths = field('repository', 'paths');
const controlMode = field('repository', 'controlMode');
const startupModels = field('repository', 'startupModels');
const isExplicit = (engine: EngineOptions): boolean => controlMode.get(engine) === 'explicit';

const loadAtStart = setting({
  screen: {
    kind: 'text',
    key: 'server.loadAtStart',
    section: SECTION,
    title: 'Loaded at start',
    defaultValue: '*',
    help: 'Names of models, separated by blanks; * loads all, empty loads none. In explicit mode, from the next start of the app on; a restart of the server keeps what is loaded.',
    needsRestart: false,
  },
  apply: (engine, names) => startupModels.set(engine, isExplicit(engine) ? wordsOf(String(names)) : []),
  read: (name, before) => (name === '' ? undefined : before === undefined ? name : `${before} ${name}`),
});

/** Declared by the option of today; the deprecated one says the opposite of the same. */
const autoComplete = setting({
  screen: {
    kind: 'boolean',
    key: 'server.autoComplete',
    section: SECTION,
    title: 'Complete configurations',
    defaultValue: true,
    help: 'Fill in what config.pbtxt leaves out from the model file, as Triton does.',
  },
  apply: (engine, isOn) => changed(engine, 'repository', { autoCompleteConfig: isOn === true }),
  read: (text) => (text === '' || parseBool(text) ? false : undefined),
});

const repositoryLocations: readonly OptionDefinition[] = [
  {
    name: 'model-store',
    group: 'Model Repository',
    argument: 'string',
    help: 'The same as --model-repository.',
    apply: (draft, path) => {
      draft.engine = paths.set(draft.engine, [...paths.get(draft.engine), path]);
    },
  },
  listed({
    name: 'model-repository',
    group: 'Model Repository',
    argument: 'string',
    list: paths,
    parse: (path) => path,
    printItem: (path) => path,
    help: 'Folder of models to serve. Paths of object stores (s3://, gs://, as://) are taken too.',
  }),
];

const modelControl: readonly OptionDefinition[] = [
  scalar({
    name: 'model-control-mode',
    group: 'Model Repository',
    type: oneOf('model-control-mode', ['none', 'poll', 'explicit']),
    field: controlMode,
    help: 'How models are controlled: "none" loads all at start, "poll" follows changes of the repository, "explicit" loads what clients ask for.',
    screen: {
      key: 'server.controlMode',
      section: SECTION,
      title: 'Control mode',
      choices: ['explicit', 'none', 'poll'],
      defaultValue: 'explicit',
      help: 'explicit: models load and unload on request, by clients and by this window. none: clients cannot load or unload. poll: what changes in the folders is loaded by itself.',
    },
    // The list of models to load belongs to explicit control; the other modes load all.
    applySetting: (engine, mode) => {
      const next = controlMode.set(engine, mode);
      return mode === 'explicit' ? next : startupModels.set(next, []);
    },
  }),
  scalar({
    name: 'repository-poll-secs',
    group: 'Model Repository',
    type: whole(),
    field: field('repository', 'pollSec'),
    help: 'Seconds between two looks at the repository in mode "poll".',
    print: ({ repository }) => (repository.controlMode === 'poll' ? [String(repository.pollSec)] : []),
    screen: {
      key: 'server.pollSecs',
      section: SECTION,
      title: 'Poll interval',
      help: 'Seconds between two looks at the folders in poll mode.',
      min: 1,
      max: 86_400,
    },
  }),
  {
    name: 'load-model',
    group: 'Model Repository',
    argument: 'string',
    help: 'Model to load at start in mode "explicit"; "*" alone means all. May be given several times.',
    apply: (draft, name) => {
      draft.engine = startupModels.set(draft.engine, [...startupModels.get(draft.engine), name]);
    },
    print: (engine) => (isExplicit(engine) ? startupModels.get(engine) : []),
    settings: [loadAtStart],
  },
];

const loading: readonly OptionDefinition[] = [
  scalar({
    name: 'model-config-name',
    group: 'Model Repository',
    type: {
      ...anyText,
      parse: (name) => {
        if (name === '') throw new UsageError('Error: empty argument for --model-config-name');
        return name;
      },
    },
    field: field('repository', 'modelConfigName'),
    help: 'Use configs/<name>.pbtxt of a model where it exists, before config.pbtxt.',
    screen: {
      key: 'server.configProfile',
      section: SECTION,
      title: 'Configuration profile',
      help: 'Name of the file in the configs folder of a model that is used in place of config.pbtxt; empty = none.',
    },
  }),
  scalar({
    name: 'model-load-thread-count',
    group: 'Model Repository',
    type: { ...whole(), parse: (text) => Math.max(1, whole().parse(text)) },
    field: field('repository', 'loadThreadCount'),
    help: 'Models loaded at the same time, at least 1.',
    screen: {
      key: 'server.loadThreads',
      section: SECTION,
      title: 'Models loaded at a time',
      help: 'How many models may load at the same time.',
      min: 1,
      max: 64,
    },
  }),
  scalar({
    name: 'model-load-retry-count',
    group: 'Model Repository',
    type: whole({ min: 0 }),
    field: field('repository', 'loadRetryCount'),
    help: 'Further attempts after a failed load.',
  }),
  scalar({
    name: 'model-namespacing',
    group: 'Model Repository',
    type: truth,
    field: field('repository', 'namespacing'),
    help: 'The same model name may exist in several repositories.',
    screen: {
      key: 'experimental.modelNamespacing',
      group: 'Experimental',
      title: 'Model namespaces',
      help: 'The same model name may exist in several repositories; an ensemble takes its steps from its own. Clients cannot name a repository, so a name that exists twice is refused.',
    },
  }),
  inert({
    name: 'enable-peer-access',
    group: 'Model Repository',
    argument: 'boolean',
    help: 'Access between GPUs.',
    standard: 'true',
    check: parseBool,
    noEffect: 'the runtime decides about access between GPUs by itself.',
    harmless: parseBool,
  }),
];

/** In the order of the usage text. */
export const repositoryOptions: readonly OptionDefinition[] = [
  ...repositoryLocations,
  scalar({
    name: 'exit-on-error',
    group: 'Model Repository',
    type: truth,
    field: field('server', 'exitOnError'),
    help: 'End when a model of the start set cannot be loaded.',
  }),
  {
    name: 'disable-auto-complete-config',
    group: 'Model Repository',
    argument: undefined,
    help: 'Model configurations must be complete; nothing is filled in from the model file.',
    apply: (draft) => {
      draft.engine = changed(draft.engine, 'repository', { autoCompleteConfig: false });
    },
    print: ({ repository }) => (repository.autoCompleteConfig ? [] : ['']),
    settings: [autoComplete],
  },
  scalar({
    name: 'strict-readiness',
    group: 'Model Repository',
    type: truth,
    field: field('server', 'strictReadiness'),
    help: 'The server is ready only while every model is.',
    screen: {
      key: 'server.strictReadiness',
      section: SECTION,
      title: 'Strict readiness',
      help: 'The server counts as ready only when every model of the start set is ready.',
    },
  }),
  ...modelControl,
  ...loading,
];

/** Deprecated; without effect beside --disable-auto-complete-config, which settles it after all options are read. */
export const strictModelConfig: OptionDefinition = {
  name: 'strict-model-config',
  group: 'DEPRECATED',
  argument: 'boolean',
  help: 'The value true is the same as --disable-auto-complete-config.',
  apply: (draft, text) => {
    draft.isStrictModelConfig = parseBool(text);
  },
  settings: [{ ...autoComplete, read: readOpposite }],
  deprecation: () =>
    "Warning: '--strict-model-config' has been deprecated! Please use '--disable-auto-complete-config' instead.",
};

function readOpposite(text: string): SettingValue | undefined {
  return /^(true|on|1)$/i.test(text) ? false : /^(false|off|0)$/i.test(text) ? true : undefined;
}
