// The steps of a conversion to ONNX, in their order. Each is the detail of the task while it lasts, which is how the window
// knows where the work is. Without schemas, so that the page may have it early.

/** What the task of a conversion says in each step, in their order. */
export const CONVERSION_STEPS = {
  starting: 'Starting Python',
  reading: 'Reading the model',
  running: 'Running it on made-up inputs',
  exporting: 'Exporting to ONNX',
  checking: 'Running the new file on the same inputs',
  comparing: 'Comparing the answers',
} as const;

/** A step by its key. */
export type ConversionStep = keyof typeof CONVERSION_STEPS;

/** In the order in which they come. */
export const CONVERSION_ORDER = Object.keys(CONVERSION_STEPS) as readonly ConversionStep[];
