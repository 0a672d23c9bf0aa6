// Python models of the kinds that people learn Triton from, written for these checks: sum and difference, a configuration
// out of code, requests to other models, many answers to one request, metrics of its own, and steps before and behind a
// classifier in an ensemble. They need numpy alone.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

const HEAD = `import asyncio
import json

import numpy as np
import triton_python_backend_utils as pb_utils
`;

const tensor = (side: 'input' | 'output', name: string, type: string, dims: string): string =>
  `${side} [ { name: "${name}" data_type: ${type} dims: [ ${dims} ] } ]`;

const PAIR = ['INPUT0', 'INPUT1'].map((name) => tensor('input', name, 'TYPE_FP32', '4')).join('\n');
const PAIR_OUT = ['OUTPUT0', 'OUTPUT1'].map((name) => tensor('output', name, 'TYPE_FP32', '4')).join('\n');

const ADD_SUB = `${HEAD}

class TritonPythonModel:
    def initialize(self, args):
        self.model_config = model_config = json.loads(args["model_config"])
        first = pb_utils.get_output_config_by_name(model_config, "OUTPUT0")
        self.output0_dtype = pb_utils.triton_string_to_numpy(first["data_type"])

    def execute(self, requests):
        responses = []
        for request in requests:
            a = pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy()
            b = pb_utils.get_input_tensor_by_name(request, "INPUT1").as_numpy()
            added = pb_utils.Tensor("OUTPUT0", (a + b).astype(self.output0_dtype))
            taken = pb_utils.Tensor("OUTPUT1", (a - b).astype(self.output0_dtype))
            responses.append(pb_utils.InferenceResponse(output_tensors=[added, taken]))
        return responses

    def finalize(self):
        print("Cleaning up...")
`;

const AUTO_COMPLETE = `${HEAD}

class TritonPythonModel:
    @staticmethod
    def auto_complete_config(auto_complete_model_config):
        config = auto_complete_model_config.as_dict()
        inputs = [each["name"] for each in config["input"]]
        outputs = [each["name"] for each in config["output"]]
        for name in ("INPUT0", "INPUT1"):
            if name not in inputs:
                auto_complete_model_config.add_input({"name": name, "data_type": "TYPE_FP32", "dims": [4]})
        for name in ("OUTPUT0", "OUTPUT1"):
            if name not in outputs:
                auto_complete_model_config.add_output({"name": name, "data_type": "TYPE_FP32", "dims": [4]})
        auto_complete_model_config.set_max_batch_size(0)
        return auto_complete_model_config
${ADD_SUB.slice(ADD_SUB.indexOf('class TritonPythonModel:\n') + 'class TritonPythonModel:\n'.length)}`;

const BLS = (call: string, keyword: string): string => `${HEAD}

class TritonPythonModel:
    ${keyword} execute(self, requests):
        responses = []
        for request in requests:
            name = pb_utils.get_input_tensor_by_name(request, "MODEL_NAME").as_numpy()[0].decode("utf-8")
            inputs = [pb_utils.get_input_tensor_by_name(request, each) for each in ("INPUT0", "INPUT1")]
            asked = pb_utils.InferenceRequest(
                model_name=name, requested_output_names=["OUTPUT0", "OUTPUT1"], inputs=inputs
            )
${call}
            if answer.has_error():
                responses.append(pb_utils.InferenceResponse(error=answer.error()))
                continue
            responses.append(pb_utils.InferenceResponse(output_tensors=answer.output_tensors()))
        return responses
`;

const REPEAT = `${HEAD}import threading


class TritonPythonModel:
    def initialize(self, args):
        config = json.loads(args["model_config"])
        if not pb_utils.using_decoupled_model_transaction_policy(config):
            raise pb_utils.TritonModelException("the model must use the decoupled transaction policy")
        self.inflight = 0
        self.lock = threading.Lock()

    def execute(self, requests):
        for request in requests:
            with self.lock:
                self.inflight += 1
            given = pb_utils.get_input_tensor_by_name(request, "IN").as_numpy()
            thread = threading.Thread(target=self.respond, args=(request.get_response_sender(), given))
            thread.daemon = True
            thread.start()
        return None

    def respond(self, sender, given):
        for index, value in enumerate(given):
            place = pb_utils.Tensor("IDX", np.array([index], np.uint32))
            out = pb_utils.Tensor("OUT", np.array([value], np.int32))
            sender.send(pb_utils.InferenceResponse(output_tensors=[place, out]))
        sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
        with self.lock:
            self.inflight -= 1
`;

const METRICS = `${HEAD}

class TritonPythonModel:
    def initialize(self, args):
        self.family = pb_utils.MetricFamily(
            name="requests_process_seen",
            description="Requests that the model has seen",
            kind=pb_utils.MetricFamily.COUNTER,
        )
        self.metric = self.family.Metric(labels={"model": "tutorial_metrics", "version": args["model_version"]})

    def execute(self, requests):
        responses = []
        for request in requests:
            self.metric.increment(1)
            seen = pb_utils.Tensor("OUTPUT0", np.array([self.metric.value()], np.float32))
            responses.append(pb_utils.InferenceResponse([seen]))
        return responses
`;

const PREPROCESSING = `${HEAD}

class TritonPythonModel:
    """Raw bytes of a picture of 2 x 2 pixels become channels first between 0 and 1."""

    def execute(self, requests):
        responses = []
        for request in requests:
            raw = pb_utils.get_input_tensor_by_name(request, "INPUT").as_numpy()
            rows = [np.frombuffer(each.tobytes(), np.uint8).reshape(2, 2, 3) for each in raw]
            pixels = np.stack(rows).transpose(0, 3, 1, 2).astype(np.float32) / 255
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT", pixels)]))
        return responses
`;

const POSTPROCESSING = `${HEAD}

class TritonPythonModel:
    """The name of the strongest channel."""

    def execute(self, requests):
        responses = []
        for request in requests:
            pixels = pb_utils.get_input_tensor_by_name(request, "INPUT").as_numpy()
            strongest = pixels.mean(axis=(2, 3)).argmax(axis=1)
            names = np.array([["red", "green", "blue"][each] for each in strongest], dtype=np.object_)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT", names.reshape(-1, 1))]))
        return responses
`;

const step = (model: string, from: string, to: string): string =>
  `{ model_name: "${model}" model_version: -1 input_map { key: "INPUT" value: "${from}" } output_map { key: "OUTPUT" value: "${to}" } }`;

const ENSEMBLE = `platform: "ensemble" max_batch_size: 8
${tensor('input', 'PICTURE', 'TYPE_UINT8', '12')}
${tensor('output', 'COLOUR', 'TYPE_STRING', '1')}
ensemble_scheduling { step [
  ${step('tutorial_preprocessing', 'PICTURE', 'pixels')}, ${step('tutorial_postprocessing', 'pixels', 'COLOUR')}
] }`;

const python = (text: string): string => `backend: "python"\n${text}`;
const CALLS = [tensor('input', 'MODEL_NAME', 'TYPE_STRING', '1'), PAIR, PAIR_OUT].join('\n');

const MODELS: Readonly<Record<string, { readonly code?: string; readonly config?: string }>> = {
  tutorial_add_sub: {
    code: ADD_SUB,
    config: python(`${PAIR}\n${PAIR_OUT}\ninstance_group [ { kind: KIND_CPU } ]`),
  },
  tutorial_auto_complete: { code: AUTO_COMPLETE },
  tutorial_bls_sync: { code: BLS('            answer = asked.exec()', 'def'), config: python(CALLS) },
  tutorial_bls_async: {
    code: BLS(
      '            answer, _ = await asyncio.gather(asked.async_exec(), asked.async_exec())',
      'async def',
    ),
    config: python(CALLS),
  },
  tutorial_repeat: {
    code: REPEAT,
    config: python(`${tensor('input', 'IN', 'TYPE_INT32', '-1')}
${tensor('output', 'IDX', 'TYPE_UINT32', '1')}
${tensor('output', 'OUT', 'TYPE_INT32', '1')}
model_transaction_policy { decoupled: True }
instance_group [ { count: 1 kind: KIND_CPU } ]`),
  },
  tutorial_metrics: {
    code: METRICS,
    config: python(
      `${tensor('input', 'INPUT0', 'TYPE_FP32', '1')}\n${tensor('output', 'OUTPUT0', 'TYPE_FP32', '1')}`,
    ),
  },
  tutorial_preprocessing: {
    code: PREPROCESSING,
    config: python(`max_batch_size: 8
${tensor('input', 'INPUT', 'TYPE_UINT8', '12')}
${tensor('output', 'OUTPUT', 'TYPE_FP32', '3, 2, 2')}
dynamic_batching { }`),
  },
  tutorial_postprocessing: {
    code: POSTPROCESSING,
    config: python(`max_batch_size: 8
${tensor('input', 'INPUT', 'TYPE_FP32', '3, 2, 2')}
${tensor('output', 'OUTPUT', 'TYPE_STRING', '1')}
instance_group [ { count: 2 kind: KIND_CPU } ]`),
  },
  tutorial_ensemble: { config: ENSEMBLE },
};

export function tutorialModels(): RepositoryFiles {
  const files: Record<string, string> = {};
  for (const [name, { code, config }] of Object.entries(MODELS)) {
    if (config !== undefined) files[`${name}/config.pbtxt`] = config;
    files[code === undefined ? `${name}/1/` : `${name}/1/model.py`] = code ?? '';
  }
  return files;
}
