// The built-in backends, one line each: whoever adds a backend adds its line. A line exports a Backend, or a function
// that makes one out of BackendTools. How to add one is told step by step in docs/adding-a-backend.md.

export {
  daliBackend,
  openvinoBackend,
  pytorchBackend,
  tensorflowBackend,
  tensorrtBackend,
} from './python/framework-backends.ts';
export { identityBackend } from './identity/identity-backend.ts';
export { javascriptBackend } from './javascript/javascript-backend.ts';
export { pythonBackend } from './python/python-backend.ts';
export { repeatBackend } from './repeat/repeat-backend.ts';
export { dynaSequenceBackend, sequenceBackend } from './sequence/accumulator-backends.ts';
export { implicitStateBackend } from './sequence/implicit-state-backend.ts';
export { iterativeSequenceBackend } from './sequence/iterative-sequence-backend.ts';
export { squareBackend } from './square/square-backend.ts';
