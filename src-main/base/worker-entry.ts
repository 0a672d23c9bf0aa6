// Where the code of each worker thread, and of each process of our own, lies: straight from the sources (Node runs TypeScript), or as its own file of
// the build. A new worker is one line here; the build reads the same table.
// Invariant: a name means the same file in both modes, so callers never build a path themselves.

/** Worker name -> source file, relative to src-main. A build has it as `workers/<name>.js`. */
export const WORKER_ENTRIES = {
  'bare-run': 'backends/onnxruntime/bare-run-worker.ts',
  config: 'repository/config-worker.ts',
  'javascript-model': 'backends/javascript/model-worker.ts',
  'http-wire': 'protocol/http/threads/wire-worker.ts',
  json: 'protocol/http/json-worker.ts',
  'perf-pacer': 'perf/load/pacer-worker.ts',
  'onnx-graph': 'onnx/graph-worker.ts',
  'gpu-trial': 'backends/onnxruntime/gpu-trial/trial-process.ts',
  'provider-test': 'backends/onnxruntime/provider-test-process.ts',
  'onnx-session': 'backends/onnxruntime/session-worker.ts',
  'tensor-text': 'tracing/tensor-text-worker.ts',
} as const;

/** The name of a file that runs in a thread or process of its own. */
export type WorkerName = keyof typeof WORKER_ENTRIES;

/** Address to give to `new Worker(...)`. */
export function workerEntryUrl(name: WorkerName): URL {
  return entryFrom(import.meta.url, name);
}

/** The rule behind workerEntryUrl for a module at `moduleUrl`: this file in source mode, else any file of the build. */
export function entryFrom(moduleUrl: string, name: WorkerName): URL {
  if (moduleUrl.endsWith('.ts')) return new URL(`../${WORKER_ENTRIES[name]}`, moduleUrl);
  // In a build this file is part of out/main/<entry>.js, out/main/workers/<entry>.js or out/main/chunks/<chunk>.js.
  const here = new URL('.', moduleUrl);
  const isBelow = /\/(?:chunks|workers)\/$/.test(here.pathname);
  return new URL(`${isBelow ? '../' : ''}workers/${name}.js`, here);
}
