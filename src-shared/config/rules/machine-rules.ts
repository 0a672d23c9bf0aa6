// What works elsewhere but not, or not well, on this machine: more threads than cores, and settings without effect
// here. Never errors: the file may be right for production.

import { countInstances } from '../config-normalize.ts';
import { actionFix, configIssue, setTo, type ConfigIssue } from '../config-issue.ts';
import type { ModelConfig } from '../model-config.ts';
import { usableGpus } from '../usable-gpus.ts';
import type { ValidationContext } from '../validation-context.ts';

/** Warnings and notes only. A fact about the machine that the context does not know brings no advice. */
export function adviseMachine(config: ModelConfig, context: ValidationContext): ConfigIssue[] {
  return [...adviseThreads(config, context.physicalCores), ...adviseWithoutEffect(config, context)];
}

const THREADS = 'intra_op_thread_count';

function adviseThreads(config: ModelConfig, cores: number | undefined): ConfigIssue[] {
  if (cores === undefined || config.backend !== 'onnxruntime') return [];
  const written = Number(config.parameters[THREADS]?.stringValue ?? '0');
  // Without a number ONNX Runtime starts one thread per core for each session.
  const threads = written > 0 ? written : cores;
  const onCpu = config.instanceGroup.filter((group) => group.kind === 'KIND_CPU' && !group.passive);
  const instances = countInstances(onCpu);
  if (instances * threads <= cores || perInstanceOf(cores, instances) >= threads) return [];
  const path = `parameters["${THREADS}"].string_value`;
  const perInstance = perInstanceOf(cores, instances);
  const message = `${instances} instances with ${threads} threads each want ${instances * threads} threads on ${cores} cores`;
  return [
    configIssue('D41', message, {
      path,
      severity: written > 0 ? 'warning' : 'info',
      hint:
        written > 0
          ? 'This is usually slower.'
          : `This is usually slower. Without ${THREADS} each instance takes as many threads as there are cores.`,
      changes: [
        setTo(path, String(perInstance), `Set threads to ${perInstance}`),
        actionFix('ignore', 'Ignore'),
      ],
    }),
  ];
}

function perInstanceOf(cores: number, instances: number): number {
  return Math.max(1, Math.floor(cores / Math.max(1, instances)));
}

interface Ineffective {
  readonly path: string;
  readonly isSet: boolean;
  readonly why: string;
}

function adviseWithoutEffect(config: ModelConfig, context: ValidationContext): ConfigIssue[] {
  const hasGpu = usableGpus(context, config.backend).length > 0;
  const { optimization } = config;
  const settings: readonly Ineffective[] = [
    {
      path: 'optimization.execution_accelerators.gpu_execution_accelerator',
      isSet: !hasGpu && (optimization?.executionAccelerators?.gpuExecutionAccelerator.length ?? 0) > 0,
      why: 'this machine has no usable GPU',
    },
    {
      path: 'optimization.cuda',
      isSet: !hasGpu && optimization?.cuda !== undefined,
      why: 'this machine has no usable GPU',
    },
    {
      path: 'cc_model_filenames',
      isSet: !hasGpu && Object.keys(config.ccModelFilenames).length > 0,
      why: 'this machine has no usable GPU',
    },
    {
      path: 'parameters["memory.enable_memory_arena_shrinkage"]',
      isSet: config.parameters['memory.enable_memory_arena_shrinkage'] !== undefined,
      why: 'the runtime here takes no settings per run',
    },
  ];
  return settings
    .filter((setting) => setting.isSet)
    .map(({ path, why }) =>
      configIssue('D70', `${path} has no effect here: ${why}`, {
        path,
        severity: 'info',
        hint: 'Production only: keep it, the server there uses it.',
      }),
    );
}
