// Models in Python that both servers run from the same files.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';

const IMPORTS = `import asyncio, json, os, sys, threading, time
import numpy as np
import triton_python_backend_utils as pb_utils


def first(request, name="INPUT0"):
    return pb_utils.get_input_tensor_by_name(request, name).as_numpy()


`;

/** FP32 [-1] in, FP32 [-1] out. */
export const ONE_TO_ONE = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]`;

export function indented(text: string, count: number): string {
  return text
    .split('\n')
    .map((one) => (one === '' ? one : ' '.repeat(count) + one))
    .join('\n');
}

/** A class whose execute has this body. */
export const executing = (body: string): string =>
  `class TritonPythonModel:\n    def execute(self, requests):\n${indented(body, 8)}\n`;

/** A class whose execute makes one response of one request; `response` is set by the body. */
export const answering = (body: string): string =>
  executing(`responses = []
for request in requests:
${indented(body, 4)}
    responses.append(response)
return responses`);

/** A decoupled class that answers a request four times, 0.8 s apart; `before` is asked before each answer. */
export const playing = (before = ''): string =>
  executing(`for request in requests:
    sender = request.get_response_sender()
    for _ in range(4):
        time.sleep(0.8)
${indented(before, 8)}
        sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]))
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);

export const ECHO_MODEL = answering(
  'response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])',
);

/**
 * Files of one model below a repository; `config` stands behind `backend: "python"`. Bytecode beside a model would make
 * it a changed one: a file in its place keeps it away.
 */
export function pythonFiles(name: string, code: string | undefined, config = ONE_TO_ONE): RepositoryFiles {
  return {
    [`${name}/config.pbtxt`]: `backend: "python"\n${config === '' ? ONE_TO_ONE : config}\n`,
    ...(code === undefined
      ? { [`${name}/1/`]: '' }
      : { [`${name}/1/model.py`]: IMPORTS + code, [`${name}/1/__pycache__`]: '' }),
  };
}

/** For models that have no configuration or one of their own. */
export const codeFile = (code: string): string => IMPORTS + code;
