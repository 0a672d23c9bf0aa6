// Names that another engine does not take, and paths that lead nowhere there.

import path from 'node:path';

import type { Finding } from '../../../src-shared/contract/finding.ts';
import type { ModelUnderCheck } from './model-under-check.ts';
import { fieldFinding } from './model-under-check.ts';

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name as a cluster takes it: small letters, digits and "-". */
export function dnsLabel(name: string): string {
  const label = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63);
  return label === '' ? 'model' : label;
}

/** H12. */
export function nameRule(checked: ModelUnderCheck): readonly Finding[] {
  const { model, plan, location } = checked;
  if (plan.target === 'seldon' && !DNS_LABEL.test(model.name)) {
    return [
      fieldFinding(checked, 'name', 'warning', {
        code: 'H12',
        message: `Seldon does not take the name '${model.name}': names have small letters, digits and "-" only`,
        hint: `The model is called ${dnsLabel(model.name)} there, and clients must ask for that name.`,
      }),
    ];
  }
  if (location.kind !== 'store' || /^[\w.-]+$/.test(model.name)) return [];
  return [
    fieldFinding(checked, 'name', 'warning', {
      code: 'H12',
      message: `the name '${model.name}' has characters that paths of a store do not take in every form`,
      hint: 'Use letters, digits, ".", "-" and "_" only.',
    }),
  ];
}

/** Parameters that name a file or a folder. */
const PATH_KEY = /(^|_)(path|dir|directory|file|filename)$/i;
const ABSOLUTE = /^(\/|[a-z]:[\\/]|~)/i;

/** H13. */
export function pathRule(checked: ModelUnderCheck): readonly Finding[] {
  const { config } = checked.model;
  const named: (readonly [field: string, value: string])[] = [
    ...Object.entries(config.parameters)
      .filter(([key]) => PATH_KEY.test(key))
      .map(([key, { stringValue }]) => [`parameters[${JSON.stringify(key)}]`, stringValue] as const),
    ...(config.modelOperations?.opLibraryFilename ?? []).map(
      (value, at) => [`model_operations.op_library_filename[${at}]`, value] as const,
    ),
    ['default_model_filename', config.defaultModelFilename],
  ];
  return named.flatMap(([field, value]) => {
    const isOutside = ABSOLUTE.test(value) || value.split(/[\\/]/).includes('..');
    if (!isOutside) return [];
    return [
      fieldFinding(checked, field, 'error', {
        code: 'H13',
        message: `'${value}' is a path of this machine, which no container has`,
        hint: hintFor(value, checked),
      }),
    ];
  });
}

/** A file in the model's folder has a name that holds everywhere. */
function hintFor(value: string, { model }: ModelUnderCheck): string {
  const inside = path.relative(model.path, value);
  const isInside = path.isAbsolute(value) && !inside.startsWith('..') && !path.isAbsolute(inside);
  const name = isInside ? inside.split(path.sep).join('/') : path.basename(value);
  const move = isInside ? '' : 'Put it into the folder of the model, and ';
  const write = `write $$TRITON_MODEL_DIRECTORY/${name}`;
  return isInside ? `W${write.slice(1)}.` : `${move}${write}.`;
}
