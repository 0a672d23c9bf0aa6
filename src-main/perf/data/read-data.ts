// Where the tensors of a plan come from: generated, a JSON text, a JSON file, or a folder with one file per input.

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import type { PerfData } from '../../../src-shared/contract/perf-plan.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import { encodeTexts } from '../../tensor/value-codec.ts';
import { readCaptured } from './captured-data.ts';
import { perfDataErrors } from './data-errors.ts';
import type { DataSet, DataTensor } from './data-set.ts';
import { generatedData, shapeOf } from './generated-data.ts';
import { parseJsonData } from './json-data.ts';
import type { LoadModel, LoadTensor } from './load-model.ts';

/** Rejects with INVALID_ARG where the data cannot be read or do not fit the model. */
export async function readData(model: LoadModel, data: PerfData): Promise<DataSet> {
  const { source } = data;
  switch (source.kind) {
    case 'random':
    case 'zero':
      return generatedData(model, data);
    case 'json':
      return parseJsonData(source.text, model, data.shapes);
    case 'path':
      return readPath(source.path, model, data);
    case 'saved':
      // The engine that knows saved requests gives their data instead.
      throw perfDataErrors.savedUnread({ name: source.name });
    case 'captured':
      if (source.text === undefined) throw perfDataErrors.capturedUnread();
      return readCaptured(source.text, model, { isShuffled: source.order === 'random' });
  }
}

async function readPath(file: string, model: LoadModel, data: PerfData): Promise<DataSet> {
  const facts = await stat(file).catch((thrown: unknown) => {
    throw perfDataErrors.unreadable({ file, reason: (thrown as Error).message });
  });
  if (facts.isDirectory()) return readFolder(file, model, data);
  return parseJsonData(await readFile(file, 'utf8'), model, data.shapes);
}

async function readFolder(folder: string, model: LoadModel, data: PerfData): Promise<DataSet> {
  const names = new Set(await readdir(folder));
  const inputs = new Map<string, DataTensor>();
  for (const input of model.inputs) {
    if (names.has(input.name)) inputs.set(input.name, await readTensor(folder, input, data));
    else if (!input.isOptional) throw perfDataErrors.fileMissing({ folder, name: input.name });
  }
  const expected = new Map<string, DataTensor>();
  for (const output of model.outputs) {
    const isOpen = output.dims.includes(-1) && data.shapes[output.name] === undefined;
    if (names.has(output.name) && !isOpen) expected.set(output.name, await readTensor(folder, output, data));
  }
  const step = { inputs, expected: expected.size === 0 ? undefined : expected, timestampMs: undefined };
  return { streams: [[step]], isGiven: true };
}

async function readTensor(folder: string, tensor: LoadTensor, data: PerfData): Promise<DataTensor> {
  const { name, datatype } = tensor;
  const shape = shapeOf(tensor, data.shapes);
  const count = shape.reduce((product, dim) => product * dim, 1);
  const file = path.join(folder, name);
  const content = await readFile(file);
  if (datatype === 'BYTES') {
    const lines = content
      .toString('utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    if (lines.length !== count)
      throw perfDataErrors.lineCount({ file, expected: count, given: lines.length });
    return { datatype, shape, bytes: encodeTexts(lines) };
  }
  const expected = count * elementByteSize(datatype);
  if (content.byteLength !== expected) {
    throw perfDataErrors.fileByteSize({
      file,
      given: content.byteLength,
      shape: shape.join(','),
      datatype,
      expected,
    });
  }
  return { datatype, shape, bytes: content };
}
