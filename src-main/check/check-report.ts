// Prints what a check found: for people with the place of each finding, for programs as JSON.

import path from 'node:path';

import type { Finding } from '../../src-shared/contract/finding.ts';
import type { CheckedModel } from './check-model.ts';

type Checked = Pick<CheckedModel, 'name' | 'path' | 'findings'>;

interface CheckCounts {
  readonly models: number;
  readonly errors: number;
  readonly warnings: number;
}

/** Findings by severity, over all models. */
export function countFindings(models: readonly Checked[], others: readonly Finding[] = []): CheckCounts {
  const all = [...others, ...models.flatMap(({ findings }) => findings)];
  const of = (severity: Finding['severity']): number =>
    all.filter((finding) => finding.severity === severity).length;
  return { models: models.length, errors: of('error'), warnings: of('warning') };
}

function findingLines(
  { severity, file, line, column, code, message, hint }: Finding,
  base: string,
): string[] {
  const place = line > 0 ? `:${line}:${column}` : '';
  const name = file === undefined ? '' : `${path.relative(base, file) || file}${place}: `;
  const head = `  ${severity}${code === undefined ? '' : ` ${code}`}  ${name}${message}`;
  return hint === '' ? [head] : [head, `      ${hint}`];
}

/** `base` is the folder that file names are relative to, `others` are findings about no model. */
export function checkText(models: readonly Checked[], base: string, others: readonly Finding[] = []): string {
  const blocks = models.map((model) => {
    const verdict = model.findings.some(({ severity }) => severity === 'error') ? 'failed' : 'ok';
    return [`${model.name}: ${verdict}`, ...model.findings.flatMap((f) => findingLines(f, base))].join('\n');
  });
  if (others.length > 0)
    blocks.unshift(['server:', ...others.flatMap((f) => findingLines(f, base))].join('\n'));
  const { models: count, errors, warnings } = countFindings(models, others);
  const plural = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;
  const total = `${plural(count, 'model')}, ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  return `${[...blocks, total].join('\n')}\n`;
}

/**
 * The report for `--json`: counts, then each model with its findings, ending with a line break. `others` are findings about
 * no model.
 */
export function checkJson(models: readonly Checked[], others?: readonly Finding[]): string {
  const report = {
    ...countFindings(models, others),
    ...(others === undefined ? {} : { server: others.map(forPrograms) }),
    results: models.map(({ name, path: folder, findings }) => ({
      ...{ name, path: folder },
      findings: findings.map(forPrograms),
    })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** With all of its members, so that a program need not ask which ones are there. */
function forPrograms({ severity, file = '', line, column, code = '', ...texts }: Finding): object {
  return { severity, file, line, column, code, ...texts };
}
