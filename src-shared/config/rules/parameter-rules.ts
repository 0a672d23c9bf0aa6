// Values of `parameters` that a backend reads as numbers and switches. All of them are texts in a configuration, so what
// cannot be read is found only when the model is loaded, and the reference's words for it name no key.

import { configIssue, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig } from '../model-config.ts';

type Kind = 'integer' | 'switch';

const ONNX_RUNTIME_KINDS: Readonly<Record<string, Kind>> = {
  intra_op_thread_count: 'integer',
  inter_op_thread_count: 'integer',
  execution_mode: 'integer',
  enable_mem_arena: 'switch',
  enable_mem_pattern: 'switch',
};

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['off', false],
  ['0', false],
]);

/** The whole number that `text` is, with a sign and blanks around it if need be; undefined for any other text. */
export function integralOf(text: string): number | undefined {
  return /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : undefined;
}

/** true, on, 1 / false, off, 0 in any case; undefined for any other text. */
export function switchOf(text: string): boolean | undefined {
  return SWITCHES.get(text.toLowerCase());
}

/** Values of parameters that a load would refuse. */
export function checkParameterValues({ name, backend, parameters }: ModelConfig): ConfigIssue[] {
  if (backend !== 'onnxruntime') return [];
  return Object.entries(ONNX_RUNTIME_KINDS).flatMap(([key, kind]) => {
    const text = parameters[key]?.stringValue;
    if (text === undefined) return [];
    const path = `parameters["${key}"].string_value`;
    if (kind === 'switch') {
      if (switchOf(text) !== undefined) return [];
      const hint = `Parameter '${key}' of model ${name} is "true" or "false".`;
      const changes = [setTo(path, 'true'), setTo(path, 'false')];
      return [configIssue('D43', `failed to convert '${text}' to boolean`, { path, hint, changes })];
    }
    const number = integralOf(text);
    if (number !== undefined) return key === 'execution_mode' ? checkMode(number, path) : [];
    const hint = `Parameter '${key}' of model ${name} is a whole number, such as "0".`;
    const changes = [setTo(path, '0')];
    return [configIssue('D43', `failed to convert '${text}' to integral number`, { path, hint, changes })];
  });
}

function checkMode(mode: number, path: string): ConfigIssue[] {
  if (mode === 0 || mode === 1) return [];
  const message = `Invalid configuration value provided. Expected values for  execution_mode are 0 or 1 but got ${mode} .`;
  const hint = '0 runs operators one after the other, 1 in parallel.';
  return [configIssue('D43', message, { path, hint, changes: [setTo(path, '0'), setTo(path, '1')] })];
}
