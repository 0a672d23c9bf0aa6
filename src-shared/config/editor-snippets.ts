// Blocks that people write often, ready to fill in.

/** A block that the editor offers as a whole. */
export interface ConfigSnippet {
  readonly label: string;
  readonly doc: string;
  /** Type name of the message it belongs into. */
  readonly parent: string;
  /** Field that it writes. */
  readonly field: string;
  /** Not offered again once the field is written. */
  readonly isUnique: boolean;
  readonly text: string;
}

const ROOT = 'inference.ModelConfig';

const STEP = `{
  model_name: "\${1:model}"
  model_version: -1
  input_map {
    key: "\${2:model_input}"
    value: "\${3:ensemble_tensor}"
  }
  output_map {
    key: "\${4:model_output}"
    value: "\${5:ensemble_tensor}"
  }
}`;

/** In the order in which they are offered; `${1:100}` is a place to fill in, with its first text. */
export const SNIPPETS: readonly ConfigSnippet[] = [
  {
    label: 'dynamic batching',
    doc: 'Combine requests that wait at the same time into batches.',
    parent: ROOT,
    field: 'dynamic_batching',
    isUnique: true,
    text: 'dynamic_batching {\n  max_queue_delay_microseconds: ${1:100}\n}',
  },
  {
    label: 'sequence batching',
    doc: 'Keep the requests of a sequence together, with start and ready controls.',
    parent: ROOT,
    field: 'sequence_batching',
    isUnique: true,
    text: `sequence_batching {
  control_input [
    {
      name: "\${1:START}"
      control [
        {
          kind: CONTROL_SEQUENCE_START
          int32_false_true: [ 0, 1 ]
        }
      ]
    },
    {
      name: "\${2:READY}"
      control [
        {
          kind: CONTROL_SEQUENCE_READY
          int32_false_true: [ 0, 1 ]
        }
      ]
    }
  ]
}`,
  },
  {
    label: 'instances on the CPU',
    doc: 'Run several copies of the model at the same time.',
    parent: ROOT,
    field: 'instance_group',
    isUnique: true,
    text: 'instance_group [\n  {\n    kind: KIND_CPU\n    count: ${1:2}\n  }\n]',
  },
  {
    label: 'instances on GPUs',
    doc: 'Run copies of the model on the listed GPUs.',
    parent: ROOT,
    field: 'instance_group',
    isUnique: true,
    text: 'instance_group [\n  {\n    kind: KIND_GPU\n    count: ${1:1}\n    gpus: [ ${2:0} ]\n  }\n]',
  },
  {
    label: 'warmup',
    doc: 'Send a request of zeros before the model is ready.',
    parent: ROOT,
    field: 'model_warmup',
    isUnique: false,
    text: `model_warmup [
  {
    name: "\${1:warmup}"
    batch_size: 1
    inputs {
      key: "\${2:input}"
      value {
        data_type: \${3:TYPE_FP32}
        dims: [ \${4:1} ]
        zero_data: true
      }
    }
  }
]`,
  },
  {
    label: 'ensemble',
    doc: 'Run other models as a graph.',
    parent: ROOT,
    field: 'ensemble_scheduling',
    isUnique: true,
    text: `ensemble_scheduling {
  step [
    ${STEP.replaceAll('\n', '\n    ')}
  ]
}`,
  },
  {
    label: 'ensemble step',
    doc: 'One more composing model.',
    parent: 'inference.ModelEnsembling',
    field: 'step',
    isUnique: false,
    text: `step ${STEP}`,
  },
  {
    label: 'TensorRT accelerator',
    doc: 'Run ONNX models on GPUs through TensorRT.',
    parent: ROOT,
    field: 'optimization',
    isUnique: true,
    text: `optimization {
  execution_accelerators {
    gpu_execution_accelerator [
      {
        name: "tensorrt"
        parameters {
          key: "precision_mode"
          value: "\${1:FP16}"
        }
      }
    ]
  }
}`,
  },
  {
    label: 'threads of ONNX Runtime',
    doc: 'Number of threads that one instance uses for one operator.',
    parent: ROOT,
    field: 'parameters',
    isUnique: false,
    text: 'parameters {\n  key: "intra_op_thread_count"\n  value {\n    string_value: "${1:1}"\n  }\n}',
  },
];
