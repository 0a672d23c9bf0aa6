// Why a Python process cannot be started, does not answer, or may not do what it asks for.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const pythonHostCatalogue = defineErrors('pythonHost', {
  environmentOnWindows: {
    code: 'UNSUPPORTED',
    text: 'EXECUTION_ENV_PATH is not supported on Windows',
    cause: 'EXECUTION_ENV_PATH names an environment made for Linux.',
    remedy: 'Leave it out, and install what the model needs into the Python that runs it.',
  },
  environmentMissing: {
    code: 'INTERNAL',
    text: 'Failed to get the canonical path for {path}.',
    cause: 'EXECUTION_ENV_PATH names nothing that is there.',
    remedy: 'Correct the path; $$TRITON_MODEL_DIRECTORY stands for the folder of the model.',
  },
  environmentWithoutActivate: {
    code: 'INTERNAL',
    text: "Path {path}/bin/activate does not exist. The Python environment should contain an 'activate' script.",
    cause: 'EXECUTION_ENV_PATH names a folder or an archive that is no environment.',
    remedy: 'Make it with conda-pack, or with `python3 -m venv`.',
  },
  environmentNotUnpacked: {
    code: 'INTERNAL',
    text: "Failed to extract the Python environment '{archive}': {reason}",
    cause: 'The archive with the environment cannot be unpacked.',
    remedy: 'Make it again, or unpack it and name the folder.',
  },
  frameSize: {
    code: 'INTERNAL',
    text: 'a message of {size} bytes',
    cause: 'The Python process wrote something else than messages of the server.',
    remedy: 'Do not write to the file descriptors of the server in the code of the model.',
  },
  decoupledCall: {
    code: 'INTERNAL',
    text: "Model {model} is using the decoupled. The current BLS request call doesn't support models using the decoupled transaction policy. Please use 'decoupled=True' argument to the 'exec' or 'async_exec' calls for decoupled models.'",
    cause: 'The code of a model asks a decoupled model as if it answered exactly once.',
    remedy: 'Call exec or async_exec with decoupled=True.',
  },
  callFailed: {
    code: 'INTERNAL',
    text: 'Model {model} - Error when running inference: {reason}',
    cause: 'A model that was asked by another one failed, or is not ready.',
    remedy: 'Mend what the message ends with.',
  },
  withoutFiles: {
    code: 'UNAVAILABLE',
    text: 'the Python files of the server (resources/python) are not part of this installation',
    cause: 'The installation lacks the Python part of the server.',
    remedy: 'Install it again.',
  },
  notStarted: {
    code: 'INTERNAL',
    text: 'Python could not be started: {reason}',
    cause: 'The system did not start the Python program.',
    remedy: 'Look at the reason; mostly the file was moved, or may not be run.',
  },
  unknownQuestion: {
    code: 'INTERNAL',
    text: "question '{op}' is not known",
    cause: 'The Python part is of another version than the server.',
    remedy: 'Install the server again.',
  },
  withoutServer: {
    code: 'UNSUPPORTED',
    text: 'the model runs without a server',
    cause: 'The code of a model asked the server for something while it was only looked at, not served.',
    remedy: 'Load the model in a server.',
  },
  unknownFamily: {
    code: 'INVALID_ARG',
    text: 'the family of the metric is not known',
    cause: 'The code of a model uses a family of metrics that it never made.',
    remedy: 'Make the MetricFamily first, and keep it.',
  },
  deletedMetric: {
    code: 'INVALID_ARG',
    text: 'the metric was deleted',
    cause: 'The code of a model uses a metric that it has deleted.',
    remedy: 'Keep the Metric as long as it is used.',
  },
  readyTimedOut: {
    code: 'UNAVAILABLE',
    text: 'Timed out waiting for user-defined is_ready() response',
    cause: 'is_ready() of the model did not answer.',
    remedy: 'Find out what it waits for: it is asked while requests run.',
  },
  notReady: {
    code: 'UNAVAILABLE',
    text: "Model '{instance}' is not ready (user-defined check failed).",
    cause: 'is_ready() of the model says no.',
    remedy: 'Wait until it says yes; the code of the model knows for what.',
  },
  pythonFailed: {
    code: 'UNAVAILABLE',
    text: "'{program}' cannot run Python models: {reason}",
    cause: 'The Python that was found or named does not run.',
    remedy: 'Name another one.',
  },
  pythonTooOld: {
    code: 'UNAVAILABLE',
    text: '{python} is too old for Python models, which need {oldest} or newer: install a newer one, or name it with {setting}',
    cause: 'The Python that was found or named is older than the libraries need.',
    remedy: 'Install a newer one, or name another one.',
  },
  pythonBits: {
    code: 'UNAVAILABLE',
    text: '{python} is a {bits}-bit program, and Python models need a 64-bit one: install that, or name it with {setting}',
    cause: 'The Python that was found or named is a 32-bit program.',
    remedy: 'Install the 64-bit one.',
  },
  numpyBroken: {
    code: 'UNAVAILABLE',
    text: '{python} has a numpy that cannot be imported ({reason}): {install}',
    cause: 'numpy is installed, but not for this Python.',
    remedy: 'Run the command that the message ends with.',
  },
  numpyMissing: {
    code: 'UNAVAILABLE',
    text: '{python} has no numpy, which Python models need: {install}',
    cause: 'numpy is not installed.',
    remedy: 'Run the command that the message ends with.',
  },
  pythonMissing: {
    code: 'UNAVAILABLE',
    text: 'Python models need Python {oldest} or newer with numpy, and no python3 was found: install it (Debian, Ubuntu: `sudo apt install python3-numpy`), or name one with {setting}',
    cause: 'No Python was found.',
    remedy: 'Install it, or name the program in the settings.',
  },
  processEnded: {
    code: 'INTERNAL',
    text: "Stub process '{instance}' is not healthy.",
    cause: 'The Python process ended: its code exited, or native code in it crashed.',
    remedy:
      'Send the request again: the next one starts it anew. The log says what it printed before it ended.',
  },
  completeEnded: {
    code: 'INTERNAL',
    text: "Stub process '' is not healthy.",
    cause: 'The Python process ended while it was asked for the configuration of the model.',
    remedy: 'Look into the log, which has what it printed.',
  },
  noSharedMemory: {
    code: 'INTERNAL',
    text: 'no room for an input of {size} bytes in the memory shared with Python ({reason}); enlarge {folder}, or the shared memory of the container',
    cause: 'The memory that the server shares with its Python processes is full.',
    remedy: 'Enlarge it as the message says, or send smaller batches.',
  },
  sharedMemoryCut: {
    code: 'INTERNAL',
    text: 'the memory shared with Python ended early',
    cause: 'A file of the memory shared with Python became shorter.',
    remedy: 'Do not touch the files of the server; the next request makes them anew.',
  },
  notReadyError: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'is_ready() of the model failed.',
    remedy: 'Mend the code of the model; the log of the server has the whole trace.',
  },
  versionBelowZero: {
    code: 'INVALID_ARG',
    text: "failed to get model version from specified version string '{version}', version should be an integral value > 0",
    cause: 'A Python model asks for a version below zero of another model.',
    remedy: 'Name a version that the other model has, or none at all.',
  },
  executeFailed: {
    code: 'INTERNAL',
    text: '{reason}',
    cause: 'execute() of the model raised an exception.',
    remedy: 'Mend the code of the model; the message has the trace.',
  },
});

export const pythonHostErrors = pythonHostCatalogue.errors;
