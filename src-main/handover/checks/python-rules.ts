// Python models: what they import, and for which Python their environment was made. Only the lines of imports are read;
// nothing of a model runs.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { Finding } from '../../../src-shared/contract/finding.ts';
import { readTextFile } from '../../base/regular-file.ts';
import { fileFinding } from '../handover-finding.ts';
import { pythonOf } from '../release-table.ts';
import { archivedPython } from './archived-python.ts';
import type { ModelUnderCheck } from './model-under-check.ts';
import { fieldFinding, servedFiles } from './model-under-check.ts';
import { modulesOfImage } from './python-modules.ts';

const MAX_SOURCE_BYTES = 4 * 1024 * 1024;
const ENVIRONMENT = 'EXECUTION_ENV_PATH';

/** H14. */
export async function pythonRule(checked: ModelUnderCheck): Promise<readonly Finding[]> {
  const { model, release } = checked;
  if (model.config.backend !== 'python') return [];
  const environment = model.config.parameters[ENVIRONMENT]?.stringValue ?? '';
  if (environment !== '') return environmentFindings(checked, environment);
  const known = modulesOfImage(pythonOf(release.name));
  const findings: Finding[] = [];
  for (const { file, path: name } of servedFiles(checked, /\.py$/)) {
    const text = await readTextFile(file, MAX_SOURCE_BYTES).catch(() => '');
    const missing = importsOf(text).filter(
      (module) => !known.has(module) && !isBeside(checked, name, module),
    );
    if (missing.length === 0) continue;
    findings.push(
      fileFinding('warning', 'H14', file, {
        message: `it imports ${missing.join(', ')}, which the image lacks`,
        hint: `Pack an environment for Python ${pythonOf(release.name)} and name it with ${ENVIRONMENT}, or install it in an image of your own.`,
      }),
    );
  }
  return findings;
}

/** First parts of what is imported at any place of the text, each once, in order. */
function importsOf(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, from, list] of text.matchAll(
    /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([^#\n;]+))/gm,
  )) {
    const names = from === undefined ? (list ?? '').split(',') : [from];
    for (const name of names) {
      const [head = ''] = name.trim().split(/[.\s]/);
      if (head !== '') found.add(head);
    }
  }
  return [...found];
}

/** A module of the model itself: beside the file, in the version folder or in the model's. */
function isBeside({ files }: ModelUnderCheck, file: string, module: string): boolean {
  const [version = ''] = file.split('/');
  const places = [path.posix.dirname(file), version, ''].map((folder) => (folder === '' ? '' : `${folder}/`));
  return places.some((place) =>
    files.some(
      ({ path: other }) => other === `${place}${module}.py` || other.startsWith(`${place}${module}/`),
    ),
  );
}

async function environmentFindings(checked: ModelUnderCheck, named: string): Promise<readonly Finding[]> {
  const { model, release } = checked;
  const file = path.resolve(model.path, named.replace('$$TRITON_MODEL_DIRECTORY', model.path));
  const facts = await stat(file).catch(() => undefined);
  // What lies elsewhere may be there on the target; what goes along with the model is here or nowhere.
  if (facts === undefined && file.startsWith(`${path.resolve(model.path)}${path.sep}`)) {
    return [
      fieldFinding(checked, `parameters[${JSON.stringify(ENVIRONMENT)}]`, 'error', {
        code: 'H14',
        message: `the environment that ${ENVIRONMENT} names is not there: ${file}`,
        hint: 'Put the folder or the archive of conda-pack there, or correct the path.',
      }),
    ];
  }
  const python = facts === undefined ? undefined : await archivedPython(file, facts.isDirectory());
  const wanted = pythonOf(release.name);
  if (python === undefined || python === wanted) return [];
  return [
    fieldFinding(checked, `parameters[${JSON.stringify(ENVIRONMENT)}]`, 'error', {
      code: 'H14',
      message: `the environment is one of Python ${python}, and release ${release.name} has Python ${wanted}`,
      hint: `Pack an environment for Python ${wanted}, or build the stub of the backend for Python ${python}.`,
    }),
  ];
}
