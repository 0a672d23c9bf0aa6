// JSON texts of two servers, made comparable.

/** The text with the members of its objects by name, since their order says nothing; what is no JSON as it is. */
export function sorted(text: string): string {
  try {
    const byName = (_: string, value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value;
    return JSON.stringify(JSON.parse(text, byName));
  } catch {
    return text;
  }
}
