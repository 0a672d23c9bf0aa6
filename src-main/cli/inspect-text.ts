// Prints what an ONNX file says about itself.

import type { TensorDescription } from '../../src-shared/config/model-description.ts';
import type { OnnxFacts } from '../onnx/onnx-inspection.ts';

const SHOWN_OPERATORS = 12;

function tensorLine({ name, datatype, sourceType, shape, symbols, isOptional }: TensorDescription): string {
  const dims = shape.map((size, at) => (size >= 0 ? String(size) : (symbols[at] ?? '?')));
  return `  ${name}  ${datatype ?? sourceType} [${dims.join(', ')}]${isOptional ? '  optional' : ''}`;
}

function sizeText(byteSize: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  const step = byteSize < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(byteSize) / 10));
  return `${(byteSize / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step] ?? ''}`;
}

/** One line for each fact, sizes in units that people read, the most frequent operators first. Ends with a newline. */
export function inspectText(facts: OnnxFacts): string {
  const shown = facts.operators.slice(0, SHOWN_OPERATORS).map(({ type, count }) => `${type} ${count}`);
  const rest = facts.operators.length - shown.length;
  const opsets = facts.opsets.map(
    ({ domain, version }) => `${domain === '' ? 'ai.onnx' : domain} ${version}`,
  );
  const external = facts.externalData.map(
    ({ name, byteSize, isFound }) => `  ${name}  ${isFound ? sizeText(byteSize) : 'missing'}`,
  );
  return [
    facts.path,
    `size        ${sizeText(facts.byteSize)}`,
    `producer    ${facts.producer ?? 'unknown'}`,
    `format      IR ${facts.irVersion}, operator sets ${opsets.join(', ')}`,
    `parameters  ${facts.parameterCount.toLocaleString('en-US')}`,
    `operators   ${facts.operatorCount}: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more kinds` : ''}`,
    'inputs',
    ...facts.description.inputs.map(tensorLine),
    'outputs',
    ...facts.description.outputs.map(tensorLine),
    ...(external.length === 0 ? [] : ['external data', ...external]),
    ...(facts.problem === undefined ? [] : [`problem     ${facts.problem}`]),
    '',
  ].join('\n');
}
