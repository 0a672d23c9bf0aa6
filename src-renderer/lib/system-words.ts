// What the system said when a folder could not be read, without the codes and calls that Node puts around it. Pure.

const OF_NODE = /^E[A-Z0-9]+: (.+?), \w+(?: '.*')?$/s;

/** Whether nothing is at the path any more. */
export function isMissing(error: string | undefined): boolean {
  return error?.includes('ENOENT') === true;
}

/** "permission denied" of "EACCES: permission denied, scandir '/data'"; every other text as it is. */
export function systemWords(error: string): string {
  return OF_NODE.exec(error)?.[1] ?? error;
}
