// Options without the secrets in them: a name stands for each, where a command line is shown or handed on.

import type { EngineOptions, RestrictedGroup } from './engine-options.ts';

const SECRET_KEY = /password|passwd|secret|token|credential|api[-_]?key/i;

/** The options with what `named` makes of the name of each secret in place of its value. */
export function withNamedSecrets(engine: EngineOptions, named: (name: string) => string): EngineOptions {
  const groups = (list: readonly RestrictedGroup[], name: string): RestrictedGroup[] =>
    list.map((group, at) => ({ ...group, value: named(`${name}_${at + 1}`) }));
  const keyed = (key: string, value: string, prefix: string): string =>
    SECRET_KEY.test(key) ? named(`${prefix}_${key.toUpperCase().replaceAll(/\W/g, '_')}`) : value;
  return {
    ...engine,
    http: { ...engine.http, restricted: groups(engine.http.restricted, 'TRITON_HTTP_RESTRICTED_KEY') },
    grpc: { ...engine.grpc, restricted: groups(engine.grpc.restricted, 'TRITON_GRPC_RESTRICTED_KEY') },
    cache: {
      ...engine.cache,
      settings: engine.cache.settings.map(
        ([key, value]) => [key, keyed(key, value, 'TRITON_CACHE')] as const,
      ),
    },
    backends: {
      ...engine.backends,
      settings: engine.backends.settings.map((one) => ({
        ...one,
        value: keyed(one.key, one.value, 'TRITON_BACKEND'),
      })),
    },
    trace: {
      ...engine.trace,
      settings: engine.trace.settings.map((one) => ({
        ...one,
        value: keyed(one.key, one.value, 'TRITON_TRACE'),
      })),
    },
  };
}
