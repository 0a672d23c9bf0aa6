// Instances of a configuration text moved to the CPU. Everything else in the text stays as it is written. Pure.

import { editConfigValue } from '../../src-shared/config/config-edit.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../src-shared/config/text-format/parser.ts';

/** Every group of instances on the CPU; `count` instances where the text has no group. Accelerators of a GPU go too. */
export function withCpuInstances(text: string, count: number): string {
  const { instanceGroup, optimization } = parseModelConfig(text).config;
  if (instanceGroup.length === 0) return set(text, 'instance_group', [{ count, kind: 'KIND_CPU' }]);
  const accelerators = optimization?.executionAccelerators?.gpuExecutionAccelerator ?? [];
  const start =
    accelerators.length === 0
      ? text
      : set(text, 'optimization.execution_accelerators.gpu_execution_accelerator', undefined);
  return instanceGroup.reduce((changed, group, index) => {
    const moved = set(changed, `instance_group[${index}].kind`, 'KIND_CPU');
    return group.gpus.length === 0 ? moved : set(moved, `instance_group[${index}].gpus`, undefined);
  }, start);
}

function set(text: string, path: string, value: unknown): string {
  return applyTextEdits(text, editConfigValue(parseText(text), path, value));
}
