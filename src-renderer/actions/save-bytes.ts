// Hands bytes to the user as a file, by a download: both shells let a page do that.

/** `name` may hold anything: what file systems refuse becomes "_". */
export function saveBytes(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, '_');
  link.click();
  URL.revokeObjectURL(url);
}
