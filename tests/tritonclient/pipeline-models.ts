// A text pipeline like those that people learn Triton from: a detector and a recogniser in ONNX with Python steps around
// them, as an ensemble and as one model that calls the others; and answers of a decoupled model, taken by another model.
// A page is 8 rows of pixels between 0 and 1, letters are 8 x 8 and stand apart. They need numpy alone.

import { floatTensor } from '../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

const HEAD = `import json

import numpy as np
import triton_python_backend_utils as pb_utils
`;

/** Rows of the letters that the recogniser knows. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  C: [0x3c, 0x66, 0x60, 0x60, 0x60, 0x60, 0x66, 0x3c],
  H: [0x66, 0x66, 0x66, 0x7e, 0x7e, 0x66, 0x66, 0x66],
  N: [0x63, 0x73, 0x7b, 0x6f, 0x67, 0x63, 0x63, 0x63],
  O: [0x3c, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x3c],
};

function pixelsOf(rows: readonly number[]): readonly number[] {
  return rows.flatMap((row) => Array.from({ length: 8 }, (_, column) => (row >> (7 - column)) & 1));
}

/** Score above a half where something is drawn. */
function detector(): Uint8Array {
  return graphModel(
    [
      { opType: 'Sub', inputs: ['input_images:0', 'half'], outputs: ['shifted'] },
      { opType: 'Mul', inputs: ['shifted', 'sharp'], outputs: ['sharpened'] },
      { opType: 'Sigmoid', inputs: ['sharpened'], outputs: ['feature_fusion/Conv_7/Sigmoid:0'] },
    ],
    [value('input_images:0', 'FP32', [1, 1, 8, 'width'])],
    [value('feature_fusion/Conv_7/Sigmoid:0', 'FP32', [1, 1, 8, 'width'])],
    { initializers: [floatTensor('half', [1], [0.5]), floatTensor('sharp', [1], [20])] },
  );
}

/** Likeness of each picture to each letter: pixels that are drawn count for it, those that should not be against it. */
function recogniser(): Uint8Array {
  const templates = Object.values(LETTERS).map((rows) =>
    pixelsOf(rows).map((pixel) => (pixel === 1 ? 1 : -1)),
  );
  const weights = Array.from({ length: 64 }, (_, pixel) => templates.map((template) => template[pixel] ?? 0));
  return graphModel(
    [
      { opType: 'Flatten', inputs: ['INPUT__0'], outputs: ['flat'] },
      { opType: 'MatMul', inputs: ['flat', 'letters'], outputs: ['308'] },
    ],
    [value('INPUT__0', 'FP32', ['batch', 1, 8, 8])],
    [value('308', 'FP32', ['batch', templates.length])],
    { initializers: [floatTensor('letters', [64, templates.length], weights.flat())] },
  );
}

const PREPROCESSING = `${HEAD}

class TritonPythonModel:
    """Grey bytes, black on white, become drawn pixels between 0 and 1."""

    def execute(self, requests):
        responses = []
        for request in requests:
            page = pb_utils.get_input_tensor_by_name(request, "detection_preprocessing_input").as_numpy()
            drawn = 1 - page.astype(np.float32)[np.newaxis, np.newaxis] / 255
            out = pb_utils.Tensor("detection_preprocessing_output", drawn)
            responses.append(pb_utils.InferenceResponse(output_tensors=[out]))
        return responses
`;

const CUT = `

def cut(scores):
    """Pictures of the letters, left to right: columns with something drawn, apart from each other."""
    drawn = (scores[0, 0] > 0.5).any(axis=0)
    starts = [at for at in range(len(drawn)) if drawn[at] and (at == 0 or not drawn[at - 1])]
    pictures = np.zeros((len(starts), 1, 8, 8), np.float32)
    for index, start in enumerate(starts):
        left = start // 8 * 8
        pictures[index, 0] = scores[0, 0, :, left : left + 8] > 0.5
    return pictures


LETTERS = ${JSON.stringify(Object.keys(LETTERS))}


def spelled(likeness):
    return "".join(LETTERS[each] for each in likeness.argmax(axis=1))
`;

const POSTPROCESSING = `${HEAD}${CUT}

class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            scores = pb_utils.get_input_tensor_by_name(request, "detection_postprocessing_input_1").as_numpy()
            out = pb_utils.Tensor("detection_postprocessing_output", cut(scores))
            responses.append(pb_utils.InferenceResponse(output_tensors=[out]))
        return responses
`;

const SPELLING = `${HEAD}${CUT}

class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            likeness = pb_utils.get_input_tensor_by_name(request, "recognition_postprocessing_input").as_numpy()
            text = np.array([spelled(likeness)], dtype=np.object_)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("recognition_postprocessing_output", text)]))
        return responses
`;

const CALLING = `${HEAD}${CUT}

class TritonPythonModel:
    """The same without an ensemble: it calls the two networks itself and takes their tensors through."""

    async def execute(self, requests):
        responses = []
        for request in requests:
            page = pb_utils.get_input_tensor_by_name(request, "input_image").as_numpy()
            drawn = pb_utils.Tensor("input_images:0", 1 - page.astype(np.float32)[None, None] / 255)
            scores = await self.ask("pipeline_text_detection", drawn, "feature_fusion/Conv_7/Sigmoid:0")
            likeness = await self.ask("pipeline_text_recognition", pb_utils.Tensor("INPUT__0", cut(scores)), "308")
            text = np.array([spelled(likeness)], dtype=np.object_)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("recognized_text", text)]))
        return responses

    async def ask(self, model, tensor, wanted):
        asked = pb_utils.InferenceRequest(model_name=model, requested_output_names=[wanted], inputs=[tensor])
        answer = await asked.async_exec()
        if answer.has_error():
            raise pb_utils.TritonModelException(answer.error().message())
        return pb_utils.get_output_tensor_by_name(answer, wanted).as_numpy()
`;

const SQUARE = `${HEAD}import threading


class TritonPythonModel:
    """Answers a number n with n times n: n answers, from a thread."""

    def execute(self, requests):
        for request in requests:
            times = int(pb_utils.get_input_tensor_by_name(request, "IN").as_numpy()[0])
            threading.Thread(target=self.send, args=(request.get_response_sender(), times), daemon=True).start()
        return None

    def send(self, sender, times):
        for _ in range(times):
            out = pb_utils.Tensor("OUT", np.array([times], np.int32))
            sender.send(pb_utils.InferenceResponse(output_tensors=[out]))
        sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
`;

const SUM_OF_ANSWERS = `${HEAD}

class TritonPythonModel:
    """Asks the decoupled model and adds up what it answers: n answers of n."""

    def execute(self, requests):
        responses = []
        for request in requests:
            asked = pb_utils.InferenceRequest(
                model_name="pipeline_square",
                requested_output_names=["OUT"],
                inputs=[pb_utils.get_input_tensor_by_name(request, "IN")],
            )
            total = 0
            for answer in asked.exec(decoupled=True):
                if answer.has_error():
                    raise pb_utils.TritonModelException(answer.error().message())
                if len(answer.output_tensors()) > 0:
                    total += int(pb_utils.get_output_tensor_by_name(answer, "OUT").as_numpy()[0])
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("SUM", np.array([total], np.int32))]))
        return responses
`;

const tensor = (side: 'input' | 'output', name: string, type: string, dims: string): string =>
  `${side} [ { name: "${name}" data_type: ${type} dims: [ ${dims} ] } ]`;
type Tensor = readonly [name: string, type: string, dims: string];

/** Configuration of a Python model with one input and one output. */
const python = (input: Tensor, output: Tensor, ...more: readonly string[]): string =>
  ['backend: "python"', tensor('input', ...input), tensor('output', ...output), ...more].join('\n');
const step = (model: string, [input, from]: readonly string[], [output, to]: readonly string[]): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "${input}" value: "${from}" } output_map { key: "${output}" value: "${to}" } }`;

const ENSEMBLE = `platform: "ensemble"
max_batch_size: 0
${tensor('input', 'input_image', 'TYPE_UINT8', '8, -1')}
${tensor('output', 'recognized_text', 'TYPE_STRING', '-1')}
ensemble_scheduling { step [
  ${[
    step(
      'pipeline_detection_preprocessing',
      ['detection_preprocessing_input', 'input_image'],
      ['detection_preprocessing_output', 'preprocessed_image'],
    ),
    step(
      'pipeline_text_detection',
      ['input_images:0', 'preprocessed_image'],
      ['feature_fusion/Conv_7/Sigmoid:0', 'Sigmoid:0'],
    ),
    step(
      'pipeline_detection_postprocessing',
      ['detection_postprocessing_input_1', 'Sigmoid:0'],
      ['detection_postprocessing_output', 'cropped_images'],
    ),
    step('pipeline_text_recognition', ['INPUT__0', 'cropped_images'], ['308', 'recognition_output']),
    step(
      'pipeline_recognition_postprocessing',
      ['recognition_postprocessing_input', 'recognition_output'],
      ['recognition_postprocessing_output', 'recognized_text'],
    ),
  ].join(',\n  ')}
] }`;

const CODE: Readonly<Record<string, readonly [code: string, config: string]>> = {
  pipeline_detection_preprocessing: [
    PREPROCESSING,
    python(
      ['detection_preprocessing_input', 'TYPE_UINT8', '8, -1'],
      ['detection_preprocessing_output', 'TYPE_FP32', '1, 1, 8, -1'],
    ),
  ],
  pipeline_detection_postprocessing: [
    POSTPROCESSING,
    python(
      ['detection_postprocessing_input_1', 'TYPE_FP32', '1, 1, 8, -1'],
      ['detection_postprocessing_output', 'TYPE_FP32', '-1, 1, 8, 8'],
    ),
  ],
  pipeline_recognition_postprocessing: [
    SPELLING,
    python(
      ['recognition_postprocessing_input', 'TYPE_FP32', '-1, 4'],
      ['recognition_postprocessing_output', 'TYPE_STRING', '-1'],
    ),
  ],
  pipeline_bls: [
    CALLING,
    python(['input_image', 'TYPE_UINT8', '8, -1'], ['recognized_text', 'TYPE_STRING', '-1']),
  ],
  pipeline_square: [
    SQUARE,
    python(
      ['IN', 'TYPE_INT32', '1'],
      ['OUT', 'TYPE_INT32', '1'],
      'model_transaction_policy { decoupled: true }',
    ),
  ],
  pipeline_square_sum: [SUM_OF_ANSWERS, python(['IN', 'TYPE_INT32', '1'], ['SUM', 'TYPE_INT32', '1'])],
};

export function pipelineModels(): RepositoryFiles {
  const files: Record<string, string | Uint8Array> = {
    'pipeline_ensemble/config.pbtxt': ENSEMBLE,
    'pipeline_ensemble/1/': '',
    // A network without a configuration of its own, as many tutorials have them.
    'pipeline_text_detection/1/model.onnx': detector(),
    'pipeline_text_recognition/config.pbtxt': [
      'backend: "onnxruntime"',
      'max_batch_size: 16',
      tensor('input', 'INPUT__0', 'TYPE_FP32', '1, 8, 8'),
      tensor('output', '308', 'TYPE_FP32', '4'),
    ].join('\n'),
    'pipeline_text_recognition/1/model.onnx': recogniser(),
  };
  for (const [name, [code, config]] of Object.entries(CODE)) {
    files[`${name}/config.pbtxt`] = config;
    files[`${name}/1/model.py`] = code;
  }
  return files;
}
