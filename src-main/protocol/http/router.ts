// Path to route. The path is compared as a whole and case-sensitively, without the query. Nothing in it is decoded, as in
// the reference: `%20` is three letters of a name. Only where no model has the name that stands there, and one has the
// decoded name, is that one meant, since a name with a blank could not be asked for otherwise. Matches are remembered by
// path, since clients repeat theirs.

import type { ApiCategory } from './restricted-api.ts';

/** One call of the HTTP endpoint: where it is, and what may be asked there. */
export interface RoutePattern {
  /**
   * Paths below `/v2`, with `{model}`, `{version}` (decimal digits), `{region}` and `{repository}` for one segment each;
   * none of them empty. A path without names goes before one with names.
   */
  readonly paths: readonly string[];
  readonly category: ApiCategory;
  readonly methods: readonly ('GET' | 'POST')[];
  /** Its requests may be read from the socket without Node's parser. */
  readonly isHot?: true;
}

/** Names that paths of routes may have in them. */
export type SegmentName = 'model' | 'version' | 'region' | 'repository';

/** A route, and the names in the path that led to it; "" = the path has none. */
export interface RouteMatch<R extends RoutePattern = RoutePattern> extends Readonly<
  Record<SegmentName, string>
> {
  readonly route: R;
}

interface CompiledPath<R> {
  readonly route: R;
  /** Literal segments, and names of the others. */
  readonly segments: readonly { readonly text: string; readonly name: SegmentName | undefined }[];
}

/** The names of a route without any in its path. */
export const NO_NAMES = { model: '', version: '', region: '', repository: '' } as const;

const MAX_REMEMBERED = 4096;
const MAX_REMEMBERED_LENGTH = 512;

/** Made once of all routes; finds one by method and path, and remembers paths that were asked before. */
export class Router<R extends RoutePattern> {
  readonly #fixed = new Map<string, R>();
  readonly #byLength = new Map<number, CompiledPath<R>[]>();
  readonly #remembered = new Map<string, RouteMatch<R>>();
  readonly #hasModel: (name: string) => boolean;

  /** `hasModel`: whether the server knows a model of that name, asked for names with `%XX`. */
  constructor(routes: readonly R[], hasModel: (name: string) => boolean) {
    this.#hasModel = hasModel;
    for (const route of routes) {
      for (const path of route.paths) this.#add(path, route);
    }
  }

  /** `target` as in the request line; undefined = no such path. */
  match(target: string): RouteMatch<R> | undefined {
    const known = this.#remembered.get(target);
    if (known !== undefined) return known;
    const match = this.#find(pathOf(target));
    if (match?.model.includes('%') === true)
      return { ...match, model: modelMeant(match.model, this.#hasModel) };
    if (match !== undefined && target.length <= MAX_REMEMBERED_LENGTH) {
      if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
      this.#remembered.set(target, match);
    }
    return match;
  }

  #add(path: string, route: R): void {
    if (!path.includes('{')) {
      this.#fixed.set(`/v2${path}`, route);
      return;
    }
    const segments = path.split('/').map((text) => ({ text, name: nameOf(text) }));
    const sameLength = this.#byLength.get(segments.length) ?? [];
    this.#byLength.set(segments.length, [...sameLength, { route, segments }]);
  }

  #find(path: string): RouteMatch<R> | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return { route: fixed, ...NO_NAMES };
    if (!path.startsWith('/v2/')) return undefined;
    const segments = path.slice(3).split('/');
    for (const candidate of this.#byLength.get(segments.length) ?? []) {
      const names = namesIn(candidate, segments);
      if (names !== undefined) return { route: candidate.route, ...NO_NAMES, ...names };
    }
    return undefined;
  }
}

function nameOf(segment: string): SegmentName | undefined {
  return segment.startsWith('{') ? (segment.slice(1, -1) as SegmentName) : undefined;
}

/** Without the query, and without the server's address that clients behind a proxy put in front. */
function pathOf(target: string): string {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  if (path.startsWith('/')) return path;
  return /^https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1] ?? path;
}

/** The names that the segments stand for; undefined = another path. */
function namesIn(
  { segments: wanted }: CompiledPath<unknown>,
  segments: readonly string[],
): Partial<Record<SegmentName, string>> | undefined {
  const names: Partial<Record<SegmentName, string>> = {};
  for (const [at, { text, name }] of wanted.entries()) {
    const segment = segments[at] ?? '';
    if (name === undefined) {
      if (segment !== text) return undefined;
    } else {
      if (segment === '' || (name === 'version' && !/^[0-9]+$/.test(segment))) return undefined;
      names[name] = segment;
    }
  }
  return names;
}

/** The name of a model as the path spells it; decoded when that alone is the name of a model. */
export function modelMeant(spelled: string, hasModel: (name: string) => boolean): string {
  if (!spelled.includes('%') || hasModel(spelled)) return spelled;
  try {
    const decoded = decodeURIComponent(spelled);
    return hasModel(decoded) ? decoded : spelled;
  } catch {
    return spelled;
  }
}
