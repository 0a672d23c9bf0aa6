// Turns two answers of a case into rows: one per step of a script, else one. A row says whether both sides agree.

export interface ComparedRow {
  readonly name: string;
  readonly isSame: boolean;
  readonly reference: string;
  readonly ours: string;
}

export function compareAnswers(name: string, reference: unknown, ours: unknown): readonly ComparedRow[] {
  if (!Array.isArray(reference) || !Array.isArray(ours)) return [row(name, reference, ours)];
  const rows: ComparedRow[] = [];
  for (let index = 0; index < Math.max(reference.length, ours.length); index += 1) {
    const [left, right] = [reference[index] as unknown, ours[index] as unknown];
    const step = (left as { step?: string } | undefined)?.step ?? String(index + 1);
    rows.push(row(`${name} > ${step}`, withoutStep(left), withoutStep(right)));
  }
  return rows.length > 0 ? rows : [row(name, reference, ours)];
}

function withoutStep(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('step' in answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key !== 'step'));
}

function row(name: string, reference: unknown, ours: unknown): ComparedRow {
  const [left, right] = [shown(reference), shown(ours)];
  return { name, isSame: left === right, reference: left, ours: right };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(sorted(value));
}

/** Objects by key: the order of members of decoded messages is no part of the wire. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
