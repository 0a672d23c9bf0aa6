// Triton's backends that this server does not have: known by name and by their files, so that a model of theirs is shown
// for what it is, with a sentence on what it needs. Whoever adds one of these backends removes it here.

import type { ArtefactForm, BackendDescription } from '../../src-shared/config/backend-description.ts';
import { describeBackend } from '../../src-shared/config/backend-description.ts';

const TO_ONNX = 'this server does not run them: export the model to ONNX, or keep it on a Triton server';

function notServed(
  name: string,
  title: string,
  artefacts: readonly ArtefactForm[],
  change: Partial<BackendDescription> = {},
): BackendDescription {
  return describeBackend({
    name,
    title,
    summary: `${title} models.`,
    format: 'binary',
    artefacts,
    supportsOptionalInputs: false,
    createsInParallel: false,
    needs: `${title} models need their own backend, and ${TO_ONNX}.`,
    ...change,
  });
}

export const notServedBackends: readonly BackendDescription[] = [
  notServed(
    'pytorch',
    'PyTorch',
    [
      { name: 'model.pt', form: 'file', platform: 'pytorch_libtorch' },
      { name: 'model.pt2', form: 'file', platform: 'torch_aoti' },
    ],
    {
      aliases: ['torch', 'libtorch', 'torchscript'],
      needs:
        'PyTorch models need PyTorch, and this server does not run it: export the model with torch.onnx.export, ' +
        'with a dynamic first dimension for batching, and import the .onnx file.',
    },
  ),
  notServed('tensorrt', 'TensorRT', [{ name: 'model.plan', form: 'file', platform: 'tensorrt_plan' }], {
    aliases: ['trt'],
  }),
  notServed(
    'tensorflow',
    'TensorFlow',
    [
      { name: 'model.savedmodel', form: 'folder', platform: 'tensorflow_savedmodel' },
      { name: 'model.graphdef', form: 'file', platform: 'tensorflow_graphdef' },
    ],
    {
      aliases: ['tf'],
      instances: { cpuInstanceCount: 2 },
      needs:
        'TensorFlow models need TensorFlow, and this server does not run it: convert the SavedModel with tf2onnx ' +
        'and import the .onnx file.',
    },
  ),
  notServed('openvino', 'OpenVINO', [{ name: 'model.xml', form: 'file' }], {
    instances: { preferredGroups: [{ kind: 'KIND_CPU', count: 0 }] },
  }),
  notServed(
    'dali',
    'DALI',
    [
      { name: 'model.dali', form: 'file' },
      { name: 'dali.py', form: 'file' },
    ],
    { runsCode: true },
  ),
  notServed('vllm', 'vLLM', [{ name: 'model.json', form: 'file' }], { runsCode: true }),
  notServed('tensorrtllm', 'TensorRT-LLM', []),
  notServed('fil', 'Forest Inference', []),
];
