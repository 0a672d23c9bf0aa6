// Path to route. The path is compared as a whole and case-sensitively, without the query; `%XX` is decoded inside a
// segment, so names with blanks work. Matches are remembered by path, since clients repeat theirs.

import type { ApiCategory } from './restricted-api.ts';

export type RouteName =
  | 'all-statistics'
  | 'logging'
  | 'infer'
  | 'generate'
  | 'generate-stream'
  | 'model-ready'
  | 'model-config'
  | 'model-statistics'
  | 'model-trace'
  | 'model-metadata'
  | 'server-metadata'
  | 'live'
  | 'ready'
  | 'system-shm-status'
  | 'system-shm-register'
  | 'system-shm-unregister'
  | 'cuda-shm-status'
  | 'cuda-shm-register'
  | 'cuda-shm-unregister'
  | 'repository-index'
  | 'repository-load'
  | 'repository-unload'
  | 'trace';

export interface RouteRule {
  readonly name: RouteName;
  readonly category: ApiCategory;
  readonly methods: readonly ('GET' | 'POST')[];
}

export interface RouteMatch {
  readonly rule: RouteRule;
  /** Model, or "". */
  readonly model: string;
  /** Decimal digits, or "". */
  readonly version: string;
  /** Shared-memory region, or "". */
  readonly region: string;
  /** Repository name, or "". */
  readonly repository: string;
}

const GET = ['GET'] as const;
const POST = ['POST'] as const;
const BOTH = ['GET', 'POST'] as const;

const rule = (name: RouteName, category: ApiCategory, methods: RouteRule['methods']): RouteRule => ({
  name,
  category,
  methods,
});

const FIXED: ReadonlyMap<string, RouteRule> = new Map([
  ['models/stats', rule('all-statistics', 'statistics', GET)],
  ['logging', rule('logging', 'logging', BOTH)],
  ['', rule('server-metadata', 'metadata', GET)],
  ['health/live', rule('live', 'health', GET)],
  ['health/ready', rule('ready', 'health', GET)],
  ['trace/setting', rule('trace', 'trace', BOTH)],
]);

const MODEL_ACTIONS: ReadonlyMap<string, RouteRule> = new Map([
  ['', rule('model-metadata', 'metadata', GET)],
  ['infer', rule('infer', 'inference', POST)],
  ['generate', rule('generate', 'inference', POST)],
  ['generate_stream', rule('generate-stream', 'inference', POST)],
  ['ready', rule('model-ready', 'health', GET)],
  ['config', rule('model-config', 'model-config', GET)],
  ['stats', rule('model-statistics', 'statistics', GET)],
  ['trace/setting', rule('model-trace', 'trace', BOTH)],
]);

const SHARED_MEMORY: ReadonlyMap<string, RouteRule> = new Map(
  (['system', 'cuda'] as const).flatMap((kind) => [
    [`${kind}sharedmemory/status`, rule(`${kind}-shm-status`, 'shared-memory', GET)],
    [`${kind}sharedmemory/register`, rule(`${kind}-shm-register`, 'shared-memory', POST)],
    [`${kind}sharedmemory/unregister`, rule(`${kind}-shm-unregister`, 'shared-memory', POST)],
  ]),
);

const INDEX = rule('repository-index', 'model-repository', POST);
const LOAD = rule('repository-load', 'model-repository', POST);
const UNLOAD = rule('repository-unload', 'model-repository', POST);

const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_LENGTH = 512;

export class Router {
  readonly #remembered = new Map<string, RouteMatch>();

  /** `target` as in the request line; undefined = no such path. */
  match(target: string): RouteMatch | undefined {
    const known = this.#remembered.get(target);
    if (known !== undefined) return known;
    const match = matchPath(pathOf(target));
    if (match !== undefined && target.length <= MAX_REMEMBERED_LENGTH) {
      if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
      this.#remembered.set(target, match);
    }
    return match;
  }
}

/** Without the query, and without the server's address that clients behind a proxy put in front. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  if (path.startsWith('/')) return path;
  return /^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? path;
}

function found(
  routeRule: RouteRule | undefined,
  names: Partial<Pick<RouteMatch, 'model' | 'version' | 'region' | 'repository'>> = {},
): RouteMatch | undefined {
  if (routeRule === undefined) return undefined;
  return { rule: routeRule, model: '', version: '', region: '', repository: '', ...names };
}

function matchPath(path: string): RouteMatch | undefined {
  if (path === '/v2') return found(FIXED.get(''));
  if (!path.startsWith('/v2/')) return undefined;
  const rest = path.slice(4);
  const fixed = rest === '' ? undefined : FIXED.get(rest);
  if (fixed !== undefined) return found(fixed);
  const segments = rest.split('/');
  if (segments[0] === 'models') return matchModel(segments);
  if (segments[0] === 'repository') return matchRepository(segments);
  return matchSharedMemory(segments);
}

/** models/{m}[/versions/{v}][/action]; trace settings have no version. */
function matchModel(segments: readonly string[]): RouteMatch | undefined {
  const model = decodeSegment(segments[1]);
  if (model === '') return undefined;
  let version = '';
  let action = 2;
  if (segments[2] === 'versions' && segments.length > 3) {
    version = segments[3] ?? '';
    if (!/^[0-9]+$/.test(version)) return undefined;
    action = 4;
  }
  const name = segments.slice(action).join('/');
  if ((name === '' && segments.length > action) || (name === 'trace/setting' && version !== ''))
    return undefined;
  return found(MODEL_ACTIONS.get(name), { model, version });
}

/** repository[/{repo}]/index, repository[/{repo}]/models/{m}/load|unload. */
function matchRepository(segments: readonly string[]): RouteMatch | undefined {
  const count = segments.length;
  if (segments[count - 1] === 'index' && count <= 3) {
    const repository = count === 3 ? decodeSegment(segments[1]) : '';
    return count === 3 && repository === '' ? undefined : found(INDEX, { repository });
  }
  const action = segments[count - 1];
  const model = decodeSegment(segments[count - 2]);
  if (segments[count - 3] !== 'models' || model === '' || count < 4 || count > 5) return undefined;
  const repository = count === 5 ? decodeSegment(segments[1]) : '';
  if (count === 5 && repository === '') return undefined;
  if (action === 'load') return found(LOAD, { model, repository });
  return action === 'unload' ? found(UNLOAD, { model, repository }) : undefined;
}

/** {system,cuda}sharedmemory[/region/{r}]/action. */
function matchSharedMemory(segments: readonly string[]): RouteMatch | undefined {
  const isNamed = segments.length === 4 && segments[1] === 'region';
  if (!isNamed && segments.length !== 2) return undefined;
  const region = isNamed ? decodeSegment(segments[2]) : '';
  if (isNamed && region === '') return undefined;
  return found(SHARED_MEMORY.get(`${segments[0]}/${segments[segments.length - 1]}`), { region });
}

function decodeSegment(segment: string | undefined): string {
  if (segment === undefined || !segment.includes('%')) return segment ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
