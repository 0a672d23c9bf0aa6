// TensorRT's options of a configuration, as the environment variables that its provider reads when it is made: the only
// way past onnxruntime-node, which passes a device id and nothing else. They hold for the making of one session alone.
// (https://onnxruntime.ai/docs/execution-providers/TensorRT-ExecutionProvider.html, environment variables)

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { SerialQueue } from '../../base/serial-queue.ts';

/** Parameters whose value goes through as it is. */
const PASSED = [
  'trt_max_partition_iterations',
  'trt_min_subgraph_size',
  'trt_dla_core',
  'trt_timing_cache_path',
  'trt_builder_optimization_level',
  'trt_auxiliary_streams',
  'trt_tactic_sources',
  'trt_extra_plugin_lib_paths',
  'trt_profile_min_shapes',
  'trt_profile_max_shapes',
  'trt_profile_opt_shapes',
  'trt_ep_context_file_path',
  'trt_ep_context_embed_mode',
];
/** Parameters that are on or off; the variables want 1 or 0. */
const SWITCHES = [
  'trt_dla_enable',
  'trt_engine_cache_enable',
  'trt_dump_subgraphs',
  'trt_force_sequential_engine_build',
  'trt_context_memory_sharing_enable',
  'trt_layer_norm_fp32_fallback',
  'trt_timing_cache_enable',
  'trt_force_timing_cache',
  'trt_detailed_build_log',
  'trt_build_heuristics_enable',
  'trt_sparsity_enable',
  'trt_cuda_graph_enable',
  'trt_dump_ep_context_model',
  'int8_use_native_calibration_table',
];
/** Those whose variable has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  max_workspace_size_bytes: 'MAX_WORKSPACE_SIZE',
  int8_calibration_table_name: 'INT8_CALIBRATION_TABLE_NAME',
  trt_engine_cache_path: 'CACHE_PATH',
};
/** Parameters without a variable, or with one for some of their values. */
const OTHERS = ['precision_mode', 'trt_engine_cache_prefix'];

/** Every parameter that the accelerator `tensorrt` has. */
export const TENSORRT_PARAMETERS: ReadonlySet<string> = new Set([
  ...PASSED,
  ...SWITCHES,
  ...Object.keys(RENAMED),
  ...OTHERS,
]);

const PREFIX = 'ORT_TENSORRT_';
const IS_ON = /^(?:1|true|on|yes)$/i;

/** Variables of the environment, by name. */
export type Variables = ReadonlyMap<string, string>;

/** What the configuration asks of TensorRT; empty without such an accelerator. */
export function tensorRtVariables({ optimization }: Pick<ModelConfig, 'optimization'>): Variables {
  const variables = new Map<string, string>();
  for (const { name, parameters } of optimization?.executionAccelerators?.gpuExecutionAccelerator ?? []) {
    if (name !== 'tensorrt') continue;
    for (const [key, value] of Object.entries(parameters)) {
      for (const [variable, text] of variablesOf(key, value)) variables.set(PREFIX + variable, text);
    }
  }
  return variables;
}

/** Whether a parameter of the accelerator reaches the provider. */
export function isPassedToTensorRt(key: string, value: string): boolean {
  return variablesOf(key, value).length > 0 || (key === 'precision_mode' && value === 'FP32');
}

function variablesOf(key: string, value: string): readonly (readonly [name: string, value: string])[] {
  if (key === 'precision_mode') {
    // INT8 falls to FP16 where an operator has no INT8 form, as the reference's backend sets it.
    if (value === 'FP16') return [['FP16_ENABLE', '1']];
    return value === 'INT8' ? [['INT8_ENABLE', '1']] : [];
  }
  const renamed = RENAMED[key];
  if (renamed !== undefined) return [[renamed, value]];
  const name = key.replace(/^trt_/, '').toUpperCase();
  if (SWITCHES.includes(key)) return [[name, IS_ON.test(value) ? '1' : '0']];
  return PASSED.includes(key) ? [[name, value]] : [];
}

const queue = new SerialQueue();

/**
 * Runs `make` with the variables set, and restores what was there before. One at a time, so that no session is made with
 * the options of another. Variables that the server itself was started with hold where the configuration says nothing.
 */
export function withVariables<T>(variables: Variables, make: () => Promise<T>): Promise<T> {
  return queue.run(PREFIX, async () => {
    const before = [...variables.keys()].map((name) => [name, process.env[name]] as const);
    for (const [name, value] of variables) process.env[name] = value;
    try {
      return await make();
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
}
