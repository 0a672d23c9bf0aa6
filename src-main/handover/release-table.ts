// What is known of the reference's container releases: the server in them, the ONNX Runtime in them and what that reads,
// the backends, the Python. Newest first.

/** A container release and what is in it. */
export interface Release {
  /** "26.07", as in the tag of the image. */
  readonly name: string;
  readonly server: string;
  readonly onnxruntime: string;
}

/** The releases of the reference that files can be made for, the newest first. */
export const RELEASES: readonly Release[] = [
  ['26.07', '2.71.0', '1.27.0'],
  ['26.06', '2.70.0', '1.24.4'],
  ['26.05', '2.69.0', '1.24.4'],
  ['26.04', '2.68.0', '1.24.4'],
  ['26.03', '2.67.0', '1.24.2'],
  ['26.02', '2.66.0', '1.24.1'],
  ['26.01', '2.65.0', '1.23.2'],
  ['25.12', '2.64.0', '1.23.2'],
  ['25.11', '2.63.0', '1.23.2'],
  ['25.10', '2.62.0', '1.23.1'],
  ['25.09', '2.61.0', '1.23.0'],
  ['25.08', '2.60.0', '1.23.0'],
  ['25.07', '2.59.1', '1.22.0'],
  ['25.06', '2.59.0', '1.22.0'],
  ['25.05', '2.58.0', '1.22.0'],
  ['25.04', '2.57.0', '1.21.0'],
  ['25.03', '2.56.0', '1.21.0'],
  ['25.02', '2.55.0', '1.20.1'],
  ['25.01', '2.54.0', '1.20.1'],
  ['24.12', '2.53.0', '1.20.1'],
  ['24.11', '2.52.0', '1.19.2'],
  ['24.10', '2.51.0', '1.19.2'],
  ['24.09', '2.50.0', '1.19.2'],
  ['24.08', '2.49.0', '1.18.1'],
  ['24.07', '2.48.0', '1.18.1'],
  ['24.06', '2.47.0', '1.18.0'],
  ['24.05', '2.46.0', '1.18.0'],
  ['24.04', '2.45.0', '1.17.3'],
].map(([name = '', server = '', onnxruntime = '']) => ({ name, server, onnxruntime }));

/** What a hand-over is for unless another release is named; the first row of the table. */
export const NEWEST_RELEASE = '26.07';

/** The highest that a version of ONNX Runtime reads; each was tried with a model of one node. */
export interface OnnxLimits {
  readonly opset: number;
  readonly mlOpset: number;
  readonly irVersion: number;
}

const MEASURED: readonly (readonly [version: string, limits: OnnxLimits])[] = [
  ['1.17.3', { opset: 20, mlOpset: 4, irVersion: 9 }],
  ['1.18.1', { opset: 21, mlOpset: 5, irVersion: 10 }],
  ['1.19.2', { opset: 21, mlOpset: 5, irVersion: 10 }],
  ['1.20.1', { opset: 21, mlOpset: 5, irVersion: 10 }],
  ['1.21.0', { opset: 22, mlOpset: 5, irVersion: 10 }],
  ['1.22.0', { opset: 22, mlOpset: 5, irVersion: 10 }],
  ['1.23.2', { opset: 23, mlOpset: 5, irVersion: 11 }],
  ['1.24.4', { opset: 25, mlOpset: 5, irVersion: 13 }],
  ['1.27.0', { opset: 26, mlOpset: 5, irVersion: 13 }],
];

/** Of a version that was not tried: what the next lower one reads, which it does as well. */
export function onnxLimits(version: string): OnnxLimits {
  const known = MEASURED.findLast(([measured]) => compareVersions(measured, version) <= 0) ?? MEASURED[0];
  return known?.[1] ?? { opset: 0, mlOpset: 0, irVersion: 0 };
}

/** Undefined for a release that is not in the table. */
export function findRelease(name: string): Release | undefined {
  return RELEASES.find((release) => release.name === name);
}

/** The oldest release that `suits`; undefined when none does. */
export function firstRelease(suits: (release: Release) => boolean): Release | undefined {
  return RELEASES.findLast(suits);
}

/** Negative: `a` is older. Works for releases and for versions, part by part. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The Python of the image. */
export function pythonOf(release: string): string {
  return compareVersions(release, '24.11') >= 0 ? '3.12' : '3.10';
}

const LAST_TENSORFLOW = '25.02';
const IN_EVERY_IMAGE: ReadonlySet<string> = new Set([
  'onnxruntime',
  'openvino',
  'pytorch',
  'python',
  'tensorrt',
  'dali',
  'fil',
  'identity',
  'repeat',
  'square',
]);
const OWN_IMAGES: Readonly<Record<string, string>> = {
  vllm: 'vllm-python-py3',
  tensorrtllm: 'trtllm-python-py3',
};

/** Suffix of the image that has the backend in that release; undefined = none has. */
export function imageWith(backend: string, release: string): string | undefined {
  const own = OWN_IMAGES[backend];
  if (own !== undefined) return own;
  if (backend === 'tensorflow') return compareVersions(release, LAST_TENSORFLOW) <= 0 ? 'py3' : undefined;
  return IN_EVERY_IMAGE.has(backend) ? 'py3' : undefined;
}

/** The last release whose image has the backend, where it was taken out. */
export function lastReleaseWith(backend: string): string | undefined {
  return backend === 'tensorflow' ? LAST_TENSORFLOW : undefined;
}

/** Whether an image has the backend; those of language models have no framework besides their own and Python. */
export function imageHas(suffix: string, backend: string, release: string): boolean {
  if (suffix === 'py3') return imageWith(backend, release) === 'py3';
  return backend === 'python' || imageWith(backend, release) === suffix;
}

/** "nvcr.io/nvidia/tritonserver:26.07-py3". */
export function imageName(release: string, suffix = 'py3'): string {
  return `nvcr.io/nvidia/tritonserver:${release}-${suffix}`;
}
