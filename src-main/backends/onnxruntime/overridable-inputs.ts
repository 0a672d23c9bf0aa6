// Initialisers that are graph inputs too (ONNX's overridable initialisers) and that a configuration names as optional
// inputs. The library takes values for a session's inputs only, so the session is made from a copy of the model in which
// those initialisers are plain inputs, and their values are fed where a request leaves them out.

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { wireFields } from '../../onnx/wire-fields.ts';
import type { WireField } from '../../onnx/wire-fields.ts';
import { WireWriter } from '../../onnx/wire-writer.ts';
import { loadNativeOrt } from './native-ort.ts';
import type { NativeSession, NativeTensor } from './native-ort.ts';

/** Field numbers of ModelProto, GraphProto, TensorProto and ValueInfoProto (onnx.proto). */
const GRAPH = 7;
const OPSET_IMPORT = 8;
const IR_VERSION = 1;
const GRAPH_NAME = 2;
const INITIALIZER = 5;
const INPUT = 11;
const OUTPUT = 12;
const TENSOR_NAME = 8;
const VALUE_NAME = 1;

/** Where the runtime finds weights beside a model that comes as bytes. */
const WEIGHTS_FOLDER = 'model_external_initializers_file_folder_path';

type Options = Readonly<Record<string, unknown>>;

/** Loads the model at `file` with these initialisers as inputs; gives what they are when nobody sets them. */
export function loadWithOverridable(
  session: NativeSession,
  file: string,
  names: readonly string[],
  options: Options,
): Readonly<Record<string, NativeTensor>> {
  const { model, defaults } = splitOverridable(readFileSync(file), new Set(names), file);
  const folder = path.dirname(file);
  loadBytes(session, model, withFolder(options, folder));
  const reader = new (loadNativeOrt().InferenceSession)();
  try {
    loadBytes(reader, defaults, withFolder({ executionProviders: ['cpu'] }, folder));
    return reader.run({}, Object.fromEntries(names.map((name) => [name, null])));
  } finally {
    reader.dispose();
  }
}

/** `model` without the values of the named initialisers; `defaults`: a model whose outputs are those values. */
function splitOverridable(
  bytes: Uint8Array,
  names: ReadonlySet<string>,
  where: string,
): { readonly model: Uint8Array; readonly defaults: Uint8Array } {
  const fields = wireFields(bytes, where);
  const graph = fields.find(({ number }) => number === GRAPH)?.content ?? new Uint8Array();
  const parts = wireFields(graph, where);
  const isNamed = ({ content }: WireField, nameField: number): boolean =>
    names.has(textOf(content, nameField, where));
  const taken = parts.filter((part) => part.number === INITIALIZER && isNamed(part, TENSOR_NAME));
  const rest = parts.filter((part) => !taken.includes(part)).map(({ raw }) => raw);
  const declared = parts
    .filter((part) => part.number === INPUT && isNamed(part, VALUE_NAME))
    .map(({ content }) => new WireWriter().bytes(OUTPUT, content).finish());
  const head = fields.filter(({ number }) => number === IR_VERSION || number === OPSET_IMPORT);
  const values = [
    new WireWriter().text(GRAPH_NAME, 'defaults').finish(),
    ...taken.map(({ raw }) => raw),
    ...declared,
  ];
  return {
    model: Buffer.concat(fields.map(({ number, raw }) => (number === GRAPH ? graphField(rest) : raw))),
    defaults: Buffer.concat([...head.map(({ raw }) => raw), graphField(values)]),
  };
}

function graphField(parts: readonly Uint8Array[]): Uint8Array {
  return new WireWriter().bytes(GRAPH, Buffer.concat(parts)).finish();
}

function textOf(message: Uint8Array, field: number, where: string): string {
  const found = wireFields(message, where).find(({ number }) => number === field);
  return found === undefined ? '' : Buffer.from(found.content).toString();
}

function withFolder(options: Options, folder: string): Options {
  const extra = (options['extra'] ?? {}) as { readonly session?: object };
  return { ...options, extra: { ...extra, session: { ...extra.session, [WEIGHTS_FOLDER]: folder } } };
}

/** The library wants a buffer of its own. */
function loadBytes(session: NativeSession, bytes: Uint8Array, options: Options): void {
  const own = new Uint8Array(bytes);
  session.loadModel(own.buffer, 0, own.byteLength, options);
}
