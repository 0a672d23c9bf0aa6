// Endings of model files that tools write beside those of Triton: the ending that Triton has for the same content, or
// what to do with a file that no backend takes as it is.

import path from 'node:path';

/** A file of the left is, as far as a name can tell, one of the right. */
const ENDINGS: Readonly<Record<string, string>> = {
  // Frozen graphs.
  '.pb': '.graphdef',
  // Of trtexec and its kin.
  '.engine': '.plan',
  '.trt': '.plan',
  // TorchScript, or weights without code, which the reader of PyTorch tells apart.
  '.pth': '.pt',
  '.torchscript': '.pt',
};

const WEIGHTS =
  'These are weights without the model that uses them. Export the model to ONNX or TorchScript, or load them in the code of a Python model.';
const OBJECT =
  'This is a pickled object of Python. Export it to ONNX (skl2onnx does that for scikit-learn), or load it in the code of a Python model.';
const KERAS =
  "This is a Keras file. Write a SavedModel with model.export('folder'), and drop that folder, or export the model to ONNX.";

const ADVICE: Readonly<Record<string, string>> = {
  '.keras': KERAS,
  '.h5': KERAS,
  '.hdf5': KERAS,
  '.safetensors': WEIGHTS,
  '.ckpt': WEIGHTS,
  '.pkl': OBJECT,
  '.pickle': OBJECT,
  '.joblib': OBJECT,
  '.mar': 'This is an archive of TorchServe. Unpack it as a zip file, and drop the TorchScript file in it.',
  '.gguf':
    'This is a model for llama.cpp. Load it in the code of a Python model, for example with the package llama-cpp-python.',
};

/** A part of a SavedModel, which is a folder. */
export const SAVED_MODEL_FILE = 'saved_model.pb';

/** The ending, lower-case and with its dot, of Triton's file for such a model: ".plan" for "x.ENGINE". */
export function servedEnding(name: string): string {
  const ending = path.extname(name).toLowerCase();
  if (name === SAVED_MODEL_FILE) return ending;
  return ENDINGS[ending] ?? ending;
}

/** What to do with a file that no backend takes under this name; undefined = nothing is known about it. */
export function adviceOn(name: string): string | undefined {
  if (name === SAVED_MODEL_FILE) {
    return 'This file is a part of a SavedModel. Drop the folder that holds it.';
  }
  const ending = path.extname(name).toLowerCase();
  if (ending !== '.tflite') return ADVICE[ending];
  return `This is a model of TensorFlow Lite, which OpenVINO runs. Put it into a version folder beside a config.pbtxt with backend: "openvino" and default_model_filename: "${name}", and drop the model folder.`;
}
