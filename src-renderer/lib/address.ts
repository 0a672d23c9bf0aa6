// Internal addresses: wb://models/<name>/<tab>?line=12. Every place has one; logs, problems and chart markers link to
// them. Parsing never throws: an unknown text is undefined.

/** A place in the window, as `wb://` addresses name it. */
export interface Address {
  /** Screen: "models", "server", "settings", "perf", "analyzer", "traces", "first-run". */
  readonly area: string;
  /** Model name, only with area "models"; "" = the list. */
  readonly model: string;
  /** Sub-tab of a model, or section of a screen; "" = its first. */
  readonly tab: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A place of the window; without `parts` the first of its area. */
export function address(area: string, parts: Partial<Omit<Address, 'area'>> = {}): Address {
  return { area, model: parts.model ?? '', tab: parts.tab ?? '', query: parts.query ?? {} };
}

/** A place of one model; without `tab` the sub-tab that its tab shows already. */
export function modelAddress(model: string, tab = '', query: Readonly<Record<string, string>> = {}): Address {
  return { area: 'models', model, tab, query };
}

/**
 * The page of a model of the list. Where two repositories use a name, the name alone means the folder that comes first;
 * the other one has a page that tells of it, which is found by its repository.
 */
export function listedAddress({
  name,
  repository,
  isShadowed,
}: {
  readonly name: string;
  readonly repository: string;
  readonly isShadowed: boolean;
}): Address {
  return isShadowed ? modelAddress(name, '', { repository }) : modelAddress(name);
}

/** The repository that an address means besides a model's name; undefined = the one that calls by name reach. */
export function repositoryOf({ area, model, query }: Address): string | undefined {
  return area === 'models' && model !== '' ? query['repository'] : undefined;
}

/** As `parseAddress` reads it; names are encoded. */
export function formatAddress({ area, model, tab, query }: Address): string {
  const segments = area === 'models' ? [area, model, tab] : [area, tab];
  const path = segments
    .filter((segment, index) => segment !== '' || segments.slice(index + 1).some((later) => later !== ''))
    .map(encodeURIComponent)
    .join('/');
  const search = new URLSearchParams(query).toString();
  return `wb://${path}${search === '' ? '' : `?${search}`}`;
}

/** Undefined for a text that is no such address. Whether a feature answers to it is not looked at. */
export function parseAddress(text: string): Address | undefined {
  const match = /^wb:\/\/([^?#]*)(?:\?(.*))?$/.exec(text.trim());
  if (match === null) return undefined;
  let segments: string[];
  try {
    segments = (match[1] ?? '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const [area = '', second = '', third = ''] = segments;
  if (area === '') return undefined;
  const query = Object.fromEntries(new URLSearchParams(match[2] ?? ''));
  return area === 'models'
    ? { area, model: second, tab: third, query }
    : { area, model: '', tab: second, query };
}

/** One tab per model, one per screen; one for each further folder of a name. */
export function tabIdOf(place: Address): string {
  const { area, model } = place;
  if (area !== 'models' || model === '') return area;
  const repository = repositoryOf(place);
  return repository === undefined ? `model:${model}` : `model:${model}\n${repository}`;
}
