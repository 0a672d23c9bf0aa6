// What a model is probably for, from the names, types and shapes of its tensors and whether it has labels. A guess that
// the user can change; it decides nothing. Pure.

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import { isPictureInput, SMALLEST_PICTURE } from '../../tensors/output-kind.ts';

/** In the order in which the user is offered them. */
export const TASKS = [
  'unknown',
  'imageClassification',
  'objectDetection',
  'segmentation',
  'imageToImage',
  'imageEmbedding',
  'textClassification',
  'textEmbedding',
  'textGeneration',
  'textProcessing',
  'speech',
  'tabular',
  'pipeline',
  'tensors',
] as const;
/** What models are for, as far as this window tells them apart. */
export type Task = (typeof TASKS)[number];

type Tensor = ModelInterface['inputs'][number] | ModelInterface['outputs'][number];

const TOKENS = /input_ids|token|attention_mask/i;
const SOUND = /audio|wav|sound|speech|pcm|mel/i;
const BOXES = /box|bbox|detection/i;
const CLASSES = /prob|softmax|logit|score|class|label|pred/i;
const VECTORS = /embed|feature|vector|pool/i;

/** "unknown" without an interface, "tensors" when nothing fits better. */
export function guessTask(io: ModelInterface | undefined, isEnsemble: boolean): Task {
  if (isEnsemble) return 'pipeline';
  if (io === undefined || io.inputs.length === 0) return 'unknown';
  const { inputs, outputs } = io;
  const offset = io.maxBatchSize > 0 ? 1 : 0;
  if (inputs.some((input) => isPicture(input, offset))) return pictureTask(outputs, offset);
  if (inputs.some(({ name }) => SOUND.test(name))) return 'speech';
  if (inputs.some(({ name, datatype }) => TOKENS.test(name) && /INT/.test(datatype)))
    return textTask(outputs);
  if (inputs.some(({ datatype }) => datatype === 'BYTES')) return 'textProcessing';
  const isClassifier = outputs.some(({ name, hasLabels }) => hasLabels || CLASSES.test(name));
  return isClassifier ? 'tabular' : 'tensors';
}

function isPicture(input: ModelInterface['inputs'][number], offset: number): boolean {
  const { shape, datatype, imageLayout } = input;
  if (imageLayout !== '') return true;
  return /^(FP|BF|UINT8)/.test(datatype) && shape.length >= 3 + offset && isPictureInput(input);
}

function pictureTask(outputs: ModelInterface['outputs'], offset: number): Task {
  if (outputs.some(isBoxes)) return 'objectDetection';
  const [largest] = outputs.toSorted((a, b) => b.shape.length - a.shape.length);
  const dims = (largest?.shape ?? []).slice(offset).filter((dim) => dim !== 1);
  if (dims.filter((dim) => dim === -1 || dim >= SMALLEST_PICTURE).length >= 2) {
    return dims.length >= 3 && dims.includes(3) ? 'imageToImage' : 'segmentation';
  }
  if (outputs.some(({ name, hasLabels }) => hasLabels || CLASSES.test(name))) return 'imageClassification';
  return outputs.some(({ name }) => VECTORS.test(name)) ? 'imageEmbedding' : 'imageClassification';
}

function isBoxes({ name, shape }: Tensor): boolean {
  return BOXES.test(name) || (shape.length >= 2 && shape.at(-1) === 4);
}

function textTask(outputs: ModelInterface['outputs']): Task {
  if (outputs.some(({ name, shape }) => /logits/i.test(name) && shape.length >= 3)) return 'textGeneration';
  if (outputs.some(({ name, hasLabels }) => hasLabels || CLASSES.test(name))) return 'textClassification';
  return 'textEmbedding';
}
