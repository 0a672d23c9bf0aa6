// Prints what a check found: for people with the place of each finding, for programs as JSON.

import path from 'node:path';

import type { CheckedModel, Finding } from './check-model.ts';

interface CheckCounts {
  readonly models: number;
  readonly errors: number;
  readonly warnings: number;
}

/** Findings by severity, over all models. */
export function countFindings(models: readonly CheckedModel[]): CheckCounts {
  const of = (severity: Finding['severity']): number =>
    models.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;
  return { models: models.length, errors: of('error'), warnings: of('warning') };
}

function findingLines(
  { severity, file, line, column, code, message, hint }: Finding,
  base: string,
): string[] {
  const place = line > 0 ? `:${line}:${column}` : '';
  const name = path.relative(base, file) || file;
  const head = `  ${severity}${code === '' ? '' : ` ${code}`}  ${name}${place}: ${message}`;
  return hint === '' ? [head] : [head, `      ${hint}`];
}

/** `base` is the folder that file names are relative to. */
export function checkText(models: readonly CheckedModel[], base: string): string {
  const blocks = models.map((model) => {
    const verdict = model.findings.some(({ severity }) => severity === 'error') ? 'failed' : 'ok';
    return [`${model.name}: ${verdict}`, ...model.findings.flatMap((f) => findingLines(f, base))].join('\n');
  });
  const { models: count, errors, warnings } = countFindings(models);
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  const total = `${plural(count, 'model')}, ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  return `${[...blocks, total].join('\n')}\n`;
}

/** The report for `--json`: counts, then each model with its findings, ending with a line break. */
export function checkJson(models: readonly CheckedModel[]): string {
  const report = {
    ...countFindings(models),
    results: models.map(({ name, path: folder, findings }) => ({ name, path: folder, findings })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
