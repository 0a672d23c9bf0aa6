// The calls of the OpenAI-compatible endpoint, by path.

import type { IncomingMessage } from 'node:http';

/** Groups that a header can be asked for. */
export const OPENAI_APIS = ['inference', 'model-repository', 'metrics', 'health'] as const;
/** A group of `--openai-restricted-api`. */
export type OpenaiApi = (typeof OPENAI_APIS)[number];

/** What a path asks for, and how. */
interface OpenaiCall<Action extends string> {
  readonly action: Action;
  readonly api: OpenaiApi;
  readonly method: 'GET' | 'POST';
}

type CallOfServer = OpenaiCall<'chat' | 'completion' | 'embedding' | 'list' | 'metrics' | 'ready'>;
type CallOfModel = OpenaiCall<'describe' | 'load' | 'unload'>;

/** A path of the endpoint; some name a model. */
export type OpenaiRoute = CallOfServer | (CallOfModel & { readonly model: string });

const FIXED: Readonly<Record<string, CallOfServer>> = {
  '/v1/chat/completions': { action: 'chat', api: 'inference', method: 'POST' },
  '/v1/completions': { action: 'completion', api: 'inference', method: 'POST' },
  '/v1/embeddings': { action: 'embedding', api: 'inference', method: 'POST' },
  '/v1/models': { action: 'list', api: 'model-repository', method: 'GET' },
  '/metrics': { action: 'metrics', api: 'metrics', method: 'GET' },
  '/health/ready': { action: 'ready', api: 'health', method: 'GET' },
};

const OF_MODEL: Readonly<Record<string, CallOfModel>> = {
  '': { action: 'describe', api: 'model-repository', method: 'GET' },
  load: { action: 'load', api: 'model-repository', method: 'POST' },
  unload: { action: 'unload', api: 'model-repository', method: 'POST' },
};

/** Undefined = no such path. */
export function routeOf({ url = '' }: IncomingMessage): OpenaiRoute | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const fixed = Object.hasOwn(FIXED, path) ? FIXED[path] : undefined;
  if (fixed !== undefined) return fixed;
  const [, model = '', action = ''] = /^\/v1\/models\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const found = model !== '' && Object.hasOwn(OF_MODEL, action) ? OF_MODEL[action] : undefined;
  return found === undefined ? undefined : { ...found, model: decoded(model) };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
