// What `docker run` makes of paths and ports: folders of this machine inside the container (-v, --volume, --mount), and
// ports of the container on this machine (-p, --publish, --net=host). Pure.

/** Host paths as they were written; ports of the container that are not published are absent. */
export interface DockerMounts {
  readonly volumes: readonly { readonly host: string; readonly inside: string }[];
  readonly ports: readonly { readonly host: number; readonly inside: number }[];
}

/** The words before the program that runs in the container. */
export function dockerMounts(words: readonly string[]): DockerMounts {
  const volumes = valuesOf(words, '-v', '--volume').map(volumeOf);
  const mounts = valuesOf(words, '', '--mount').map(mountOf);
  const ports = valuesOf(words, '-p', '--publish').map(portOf);
  return {
    volumes: [...volumes, ...mounts].filter((volume) => volume !== undefined),
    ports: ports.filter((port) => port !== undefined),
  };
}

/** A path inside the container as this machine knows it; unchanged when it is not mounted. */
export function hostPath({ volumes }: DockerMounts, path: string): string {
  const around = volumes
    .filter(({ inside }) => path === inside || path.startsWith(`${inside.replace(/\/$/, '')}/`))
    .sort((a, b) => b.inside.length - a.inside.length)[0];
  return around === undefined
    ? path
    : `${around.host.replace(/\/$/, '')}${path.slice(around.inside.replace(/\/$/, '').length)}`;
}

/** Undefined when the port is not published. */
export function hostPort({ ports }: DockerMounts, inside: number): number | undefined {
  return ports.find((port) => port.inside === inside)?.host;
}

/** Values of "-v x", "-vx", "--volume x" and "--volume=x". */
function valuesOf(words: readonly string[], short: string, long: string): readonly string[] {
  return words.flatMap((word, index) => {
    if (word === long || (short !== '' && word === short)) return [words[index + 1] ?? ''];
    if (word.startsWith(`${long}=`)) return [word.slice(long.length + 1)];
    if (short !== '' && word.startsWith(short) && !word.startsWith('--')) return [word.slice(short.length)];
    return [];
  });
}

function volumeOf(text: string): DockerMounts['volumes'][number] | undefined {
  const match = /^((?:[A-Za-z]:)?[^:]+):([^:]+)(?::.*)?$/.exec(text);
  return match === null ? undefined : { host: match[1] ?? '', inside: match[2] ?? '' };
}

function mountOf(text: string): DockerMounts['volumes'][number] | undefined {
  const fields = new Map(text.split(',').map((field) => [field.split('=')[0], field.split('=')[1]] as const));
  const host = fields.get('source') ?? fields.get('src');
  const inside = fields.get('target') ?? fields.get('dst') ?? fields.get('destination');
  return host === undefined || inside === undefined ? undefined : { host, inside };
}

/** "8000:8000", "127.0.0.1:9000:8000", with "/tcp" or without. */
function portOf(text: string): DockerMounts['ports'][number] | undefined {
  const match = /^(?:[^:]+:)?(\d+):(\d+)(?:\/tcp)?$/.exec(text);
  return match === null ? undefined : { host: Number(match[1]), inside: Number(match[2]) };
}
