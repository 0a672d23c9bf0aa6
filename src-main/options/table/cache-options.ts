// Options of the response cache.

import { changed } from '../engine-field.ts';
import type { EngineOptions } from '../engine-options.ts';
import type { KeyedForm } from '../keyed-text.ts';
import { inert, keyed, setting } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseByteSize } from '../option-values.ts';
import { UsageError } from '../usage-error.ts';
import type { KeyedText } from '../keyed-text.ts';
import { parseKeyed } from '../keyed-text.ts';

const LOCAL = 'local';
const FORM: KeyedForm = {
  option: 'cache-config',
  scope: 'required',
  scopeName: 'cache name',
  noun: 'cache',
};

function addCacheSetting(engine: EngineOptions, { scope, key, value }: KeyedText): EngineOptions {
  const { cache } = engine;
  if (cache.name !== '' && cache.name !== scope) {
    throw new UsageError(
      'found multiple cache configurations, but only a single cache is currently supported',
      { lead: 'error: creating server: Invalid argument - ' },
    );
  }
  return changed(engine, 'cache', { name: scope, settings: [...cache.settings, [key, value]] });
}

const responseCache = setting({
  screen: {
    kind: 'number',
    key: 'server.responseCacheBytes',
    section: 'Running models',
    title: 'Response cache',
    defaultValue: 0,
    help: 'Bytes of the response cache; 0 switches it off.',
    min: 0,
    max: 2 ** 40,
  },
  apply: (engine, byteSize) =>
    byteSize === 0 ? engine : addCacheSetting(engine, { scope: LOCAL, key: 'size', value: String(byteSize) }),
  read: (text) => {
    const { scope, key, value } = parseKeyed(text, FORM);
    return scope === LOCAL && key === 'size' ? parseByteSize(value) : undefined;
  },
});

/** In the order of the usage text, without the deprecated one. */
export const cacheOptions: readonly OptionDefinition[] = [
  {
    ...keyed({
      group: 'Response Cache',
      argument: '<string>,<string>=<string>',
      help: 'Switches a response cache on and sets it up: <cache>,<key>=<value>, for example local,size=1048576.',
      form: FORM,
      entries: {
        get: ({ cache }) => cache.settings.map(([key, value]) => ({ scope: cache.name, key, value })),
        add: addCacheSetting,
      },
    }),
    settings: [responseCache],
  },
  inert({
    name: 'cache-directory',
    group: 'Response Cache',
    argument: 'string',
    help: 'Folder of cache libraries.',
    check: (text) => text,
    noEffect: 'the local cache is built in and no other can be loaded.',
  }),
];

/** Deprecated: the size of the local cache in bytes. */
export const responseCacheByteSize: OptionDefinition = {
  name: 'response-cache-byte-size',
  group: 'DEPRECATED',
  argument: 'integer',
  help: 'The same as --cache-config=local,size=<bytes>.',
  apply: (draft, text) => {
    draft.legacyCacheByteSize = parseByteSize(text);
    // Unlike that of other options it names the value, so a value that is none has no such line.
    draft.warnings.push(deprecationOf(text));
  },
  settings: [{ ...responseCache, read: parseByteSize }],
};

function deprecationOf(text: string): string {
  return `Warning: '--response-cache-byte-size' has been deprecated! This will default to the 'local' cache implementation with the provided byte size for its config. Please use '--cache-config' instead. The equivalent --cache-config CLI args would be: '--cache-config=local,size=${text}'`;
}
