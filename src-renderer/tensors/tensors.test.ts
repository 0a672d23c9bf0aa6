import { expect, test } from 'vitest';

import { isPictureInput, namesFor, viewsOf } from './output-kind.ts';
import { barOf, cosine, meaningOf, ranked, softmax } from './ranking.ts';
import { csvFile, elementTexts, npyFile, wavFile } from './tensor-files.ts';
import { sliceShape, tableShape } from './tensor-slices.ts';

const NOTHING = { hasClasses: false, hasLabels: false };

test.each([
  ['fc6_1', 'FP32', [1, 1000, 1, 1], 'ranked'],
  ['probabilities', 'FP32', [1, 7], 'ranked'],
  ['scores', 'FP32', [4, 10], 'ranked'],
  ['embedding', 'FP32', [1, 384], 'vector'],
  ['last_hidden_state', 'FP32', [1, 12, 768], 'vector'],
  ['embedding', 'FP32', [1, 10_000_000], 'table'],
  ['volume', 'FP32', [100, 316, 317], 'image'],
  ['out', 'FP32', [1, 3, 224, 224], 'image'],
  ['out', 'UINT8', [480, 640, 3], 'image'],
  ['audio', 'FP32', [1, 16_000], 'wave'],
  ['OUTPUT0', 'INT32', [1, 16], 'table'],
  ['TEXT', 'BYTES', [1, 2], 'text'],
  ['boxes', 'FP32', [1, 100, 4], 'table'],
  ['flag', 'BOOL', [1, 8], 'table'],
  ['mask', 'INT64', [1, 64, 64], 'image'],
  ['saliency', 'FP32', [1, 1, 96, 96], 'heat'],
  ['depth_rgb', 'FP32', [1, 3, 96, 96], 'image'],
  ['ids', 'INT64', [4, 64], 'table'],
  ['OUTPUT', 'FP32', [1, 1], 'value'],
  ['IS_NUMBER', 'BOOL', [1], 'value'],
  ['predicted_depth', 'FP32', [1, 518, 518], 'heat'],
  ['logits', 'FP32', [1, 1, 256, 256], 'image'],
  ['logits', 'FP32', [1, 6, 50_257], 'ranked'],
  ['Predictions/Reshape_1', 'UINT8', [1, 1001], 'ranked'],
  ['bytes', 'UINT8', [1, 1001], 'ranked'],
  ['crc', 'UINT8', [1, 100], 'table'],
  ['predictions', 'FP32', [1, 24, 1], 'series'],
  ['prediction_outputs', 'FP32', [1, 96, 7], 'series'],
  ['forecast', 'FP32', [1, 96], 'series'],
  ['value', 'FP32', [1, 96, 1], 'series'],
  ['pred_boxes', 'FP32', [1, 100, 4], 'table'],
  ['predicted_depth', 'FP32', [1, 32, 64], 'heat'],
  ['logits', 'FP32', [1, 749, 32], 'steps'],
  ['logits', 'FP32', [26, 1, 37], 'steps'],
  ['logits', 'FP32', [8, 9], 'ranked'],
  ['predictions', 'FP32', [1, 3], 'ranked'],
  ['output', 'FP32', [1, 40], 'ranked'],
  ['output', 'FP32', [1, 16], 'table'],
  ['output_0', 'FP32', [3, 521], 'ranked'],
  ['output_1', 'FP32', [3, 1024], 'vector'],
  ['last_hidden_state', 'FP32', [1, 1500, 384], 'vector'],
  ['image_embeddings', 'FP32', [1, 256, 64, 64], 'image'],
])('%s %s %j is shown as %4$s first', (name, datatype, shape, view) => {
  expect(viewsOf({ name, datatype, shape }, NOTHING)[0]).toBe(view);
});

test('a list of millions of values is neither ranked nor a strip', () => {
  const views = viewsOf({ name: 'x', datatype: 'FP32', shape: [10_000_000] }, NOTHING);
  expect(views).not.toContain('ranked');
  expect(views).not.toContain('vector');
  expect(viewsOf({ name: 'x', datatype: 'FP32', shape: [4096] }, NOTHING)).toContain('ranked');
});

test('what has the shape of a sound that was sent is shown as a sound, whatever its name', () => {
  const clean = { name: 'CLEAN', datatype: 'FP32', shape: [1, 16_000] };
  const first = (inputs: readonly (typeof clean)[], output = clean) =>
    viewsOf(output, { ...NOTHING, inputs })[0];
  expect(first([{ ...clean, name: 'NOISY_AUDIO' }])).toBe('wave');
  expect(first([{ ...clean, name: 'AUDIO', shape: [1, 8000] }])).toBe('vector');
  // Several voices out of one sound, and a sound that is over soon.
  expect(first([{ ...clean, name: 'AUDIO' }], { ...clean, shape: [1, 2, 16_000] })).toBe('wave');
  expect(first([{ ...clean, name: 'AUDIO', shape: [1, 960] }], { ...clean, shape: [1, 960] })).toBe('wave');
  expect(first([{ ...clean, name: 'AUDIO', datatype: 'INT16' }])).toBe('vector');
  expect(first([{ ...clean, name: 'INPUT' }])).toBe('vector');
  expect(first([{ ...clean, name: 'AUDIO' }], { ...clean, name: 'embedding' })).toBe('vector');
});

test('a long vector that stays within -1 and 1, on both sides of zero, is a sound', () => {
  const stats = { min: -0.8, max: 0.6, mean: 0, nanCount: 0, infCount: 0 };
  const first = (changes: object, name = 'output') =>
    viewsOf({ name, datatype: 'FP32', shape: [1, 1, 40_000], stats, ...changes }, NOTHING)[0];
  expect(first({})).toBe('wave');
  expect(first({ stats: { ...stats, max: 3 } })).not.toBe('wave');
  expect(first({ stats: { ...stats, min: 0 } })).not.toBe('wave');
  expect(first({ stats: undefined })).not.toBe('wave');
  expect(first({ shape: [1, 1024] })).not.toBe('wave');
  expect(first({}, 'embedding')).not.toBe('wave');
});

test('a sequence whose classes the model names is shown step by step', () => {
  const output = { name: 'out', datatype: 'FP32', shape: [1, 12, 9] };
  expect(viewsOf(output, { hasClasses: false, hasLabels: true })[0]).toBe('steps');
  expect(viewsOf({ ...output, shape: [1, 9] }, { hasClasses: false, hasLabels: true })[0]).toBe('ranked');
});

test('labels of a model are not of its planes', () => {
  const output = { name: 'out', datatype: 'FP32', shape: [1, 21, 64, 64] };
  expect(viewsOf(output, { hasClasses: false, hasLabels: true })[0]).toBe('image');
});

test.each([
  ['mel', [1, 80, 3000], false],
  ['xyz', [-1, -1, 3], false],
  ['points', [-1, -1, 3], false],
  ['pixel_values', [-1, -1, -1, -1], true],
  ['input', [-1, -1, -1, -1], false],
  ['input', [-1, 3, 224, 224], true],
  ['ImageTensor:0', [1, -1, -1, 3], true],
])('an input %s %j starts with a picture: %s', (name, shape, isPicture) => {
  expect(isPictureInput({ name, shape })).toBe(isPicture);
});

test('classes of the server and labels of the model come first', () => {
  const output = { name: 'x', datatype: 'FP32', shape: [1, 3] };
  expect(viewsOf(output, { hasClasses: true, hasLabels: true })).toEqual(['classes']);
  expect(viewsOf(output, { hasClasses: false, hasLabels: true })[0]).toBe('ranked');
  expect(namesFor(1000)).toBe('imagenet');
  expect(namesFor(91)).toBe('coco');
  expect(namesFor(7)).toBeUndefined();
});

test('dimensions of 1 are left out, and vectors wrap', () => {
  expect(sliceShape([1, 1000, 1, 1])).toEqual({ rows: 1, columns: 1000, picked: [] });
  expect(sliceShape([2, 1, 3, 4])).toEqual({ rows: 3, columns: 4, picked: [2] });
  expect(sliceShape([1, 1])).toEqual({ rows: 1, columns: 1, picked: [] });
  expect(tableShape([1, 25])).toEqual({ rows: 3, columns: 10, picked: [], isWrapped: true });
  expect(tableShape([1, 8])).toEqual({ rows: 1, columns: 8, picked: [], isWrapped: false });
});

test('values are ranked, numbers before what is none', () => {
  const values = Float64Array.of(1, Number.NaN, 3, -2, 3);
  expect(ranked(values, 'largest')).toEqual([2, 4, 0, 3, 1]);
  expect(ranked(values, 'smallest')).toEqual([3, 0, 2, 4, 1]);
  expect(ranked(values, 'index')).toEqual([0, 1, 2, 3, 4]);
});

test('shares are told from logits', () => {
  expect(meaningOf(Float64Array.of(0.25, 0.75))).toBe('shares');
  expect(meaningOf(Float64Array.of(-1, 4))).toBe('logits');
  expect(meaningOf(Float64Array.of(0.2, 0.3))).toBe('values');
  expect(meaningOf(Float64Array.of(Number.NaN, 1))).toBe('values');
  expect(Array.from(softmax(Float64Array.of(1000, 1000)))).toEqual([0.5, 0.5]);
  expect(barOf(-1, -1, 3)).toEqual({ from: 0, to: 0.25 });
  expect(barOf(3, -1, 3)).toEqual({ from: 0.25, to: 1 });
  expect(barOf(0, 0, 0)).toEqual({ from: 0, to: 0 });
  expect(cosine(Float64Array.of(1, 0), Float64Array.of(0, 2))).toBe(0);
  expect(cosine(Float64Array.of(0, 0), Float64Array.of(0, 2))).toBeUndefined();
});

test('npy files have an aligned header and the same bytes', () => {
  const bytes = new Uint8Array(Float32Array.of(1, 2, 3, 4, 5, 6).buffer);
  const file = npyFile({ datatype: 'FP32', shape: [2, 3], bytes });
  const header = new TextDecoder('latin1').decode(file.subarray(0, 128));
  expect(header).toContain("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
  const start = 10 + (file[8] ?? 0) + (file[9] ?? 0) * 256;
  expect(start % 64).toBe(0);
  expect(file.subarray(start)).toEqual(bytes);
  const half = npyFile({ datatype: 'BF16', shape: [1], bytes: Uint8Array.of(0x80, 0x3f) });
  expect(new Float32Array(half.slice(-4).buffer)[0]).toBe(1);
  expect(() => npyFile({ datatype: 'BYTES', shape: [1], bytes })).toThrow('NumPy');
});

test('csv has a line per row and quotes what needs it', () => {
  expect(csvFile(['1', '2', '3', '4'], [1, 2, 2])).toBe('1,2\n3,4\n');
  expect(csvFile(['1', '2'], [1, 2])).toBe('1\n2\n');
  expect(csvFile(['a,"b"'], [1])).toBe('"a,""b"""\n');
  const bytes = Uint8Array.of(2, 0, 0, 0, 104, 105, 0, 0, 0, 0);
  expect(elementTexts({ datatype: 'BYTES', shape: [2], bytes })).toEqual(['hi', '']);
});

test('wav files hold 16-bit samples', () => {
  const file = wavFile(Float64Array.of(0, 1, -2), 16_000);
  const view = new DataView(file.buffer);
  expect([view.getUint32(24, true), view.getUint32(40, true)]).toEqual([16_000, 6]);
  expect([view.getInt16(44, true), view.getInt16(46, true), view.getInt16(48, true)]).toEqual([
    0, 32_767, -32_767,
  ]);
});
