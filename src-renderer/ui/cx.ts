// Joins class names; false and undefined drop out.

/** Names stay in their order. An empty text when none is left. */
export function cx(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== false && name !== undefined && name !== '').join(' ');
}
