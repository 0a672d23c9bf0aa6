/** Whether a path of the server leads into an object store, which is only read. */
export function isStorePath(path: string): boolean {
  return /^(?:s3|gs|as):\/\//.test(path);
}
