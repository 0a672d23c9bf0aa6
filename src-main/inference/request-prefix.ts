// What faults of a request begin with, so that clients with many requests in flight can tell whose fault it is.

/** `[request id: <id>] `, with a placeholder for requests without id. */
export function requestPrefix(id: string): string {
  return `[request id: ${id === '' ? '<id_unknown>' : id}] `;
}
