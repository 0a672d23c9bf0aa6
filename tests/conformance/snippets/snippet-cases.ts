// Requests whose code is run, against copying models so that what comes back is what was sent. Each has a difficulty of
// its own: a type, a text that needs escapes, a body too large to print, parameters.

import type { ClientParameterValue, ClientRequest } from '../../../src-main/client/infer-client.ts';
import { encodeTexts, encodeValues } from '../../../src-main/tensor/value-codec.ts';
import type { DataType } from '../../../src-shared/datatypes.ts';
import { dataTypeToConfig } from '../../../src-shared/datatypes.ts';

export interface SnippetCase {
  readonly title: string;
  readonly datatype: DataType;
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly id?: string;
  readonly outputs?: ClientRequest['outputs'];
  readonly parameters?: ReadonlyMap<string, ClientParameterValue>;
}

const numbers = (
  title: string,
  datatype: DataType,
  values: readonly string[],
  more: Partial<SnippetCase> = {},
): SnippetCase => ({ title, datatype, bytes: encodeValues(values, datatype), count: values.length, ...more });

const texts = (title: string, values: readonly Uint8Array[]): SnippetCase => ({
  title,
  datatype: 'BYTES',
  bytes: joined(values),
  count: values.length,
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function joined(values: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    values.map((value) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(value.byteLength);
      return Buffer.concat([head, value]);
    }),
  );
}

export const SNIPPET_CASES: readonly SnippetCase[] = [
  numbers('floats', 'FP32', ['1.5', '-2', '1e-10', '3.4028234663852886e+38']),
  numbers('a whole range of 64-bit integers', 'INT64', ['-9223372036854775808', '9223372036854775807']),
  numbers('unsigned 64-bit integers', 'UINT64', ['18446744073709551615', '0']),
  numbers('bytes', 'INT8', ['-128', '127']),
  numbers('booleans', 'BOOL', ['true', 'false', 'true']),
  numbers('doubles', 'FP64', ['0.1', '-1e300']),
  numbers('half floats, which JSON cannot carry', 'FP16', ['0.5', '-65504']),
  numbers('brain floats, which JSON cannot carry', 'BF16', ['1', '-2.5']),
  {
    title: 'texts with quotes',
    datatype: 'BYTES',
    bytes: encodeTexts(["it's", '"x" \\ $HOME `y`', 'Zürich 日本']),
    count: 3,
  },
  texts('texts with control characters', [utf8('a\tb\nc'), utf8('\u0001\u007f')]),
  texts('bytes that are no text', [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0xff]), utf8('')]),
  numbers(
    'more than is printed',
    'INT32',
    Array.from({ length: 1000 }, (_, index) => String(index * 7 - 500)),
  ),
  texts(
    'more texts than are printed',
    Array.from({ length: 300 }, (_, index) => utf8(`word ${index}`)),
  ),
  numbers('an id, parameters and requested outputs', 'FP32', ['4', '5'], {
    id: 'a "named" request',
    outputs: [{ name: 'OUTPUT0', classCount: 0 }],
    parameters: new Map<string, ClientParameterValue>([
      ['priority', 2n],
      ['timeout', 5_000_000n],
      ['owner', "o'neil"],
      ['dry_run', true],
      ['tries', 3n],
    ]),
  }),
  numbers('classes instead of values', 'FP32', ['0.25', '4', '1'], {
    outputs: [{ name: 'OUTPUT0', classCount: 2 }],
  }),
];

export function modelOf({ datatype }: SnippetCase): string {
  return `copy_${datatype.toLowerCase()}`;
}

export function requestOf(snippetCase: SnippetCase): ClientRequest {
  const { datatype, bytes, count, id = '', outputs = [], parameters = new Map() } = snippetCase;
  return {
    model: modelOf(snippetCase),
    version: '',
    id,
    inputs: [{ name: 'INPUT0', datatype, shape: [1, count], bytes }],
    outputs,
    parameters,
  };
}

/** One copying model per type, as files of a repository. */
export function snippetModels(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    SNIPPET_CASES.flatMap((snippetCase) => {
      const name = modelOf(snippetCase);
      const type = dataTypeToConfig(snippetCase.datatype);
      const config = `name: "${name}"
backend: "identity"
max_batch_size: 4
input { name: "INPUT0" data_type: ${type} dims: -1 }
output { name: "OUTPUT0" data_type: ${type} dims: -1 }
dynamic_batching { priority_levels: 3 default_priority_level: 1 }
`;
      return [
        [`${name}/config.pbtxt`, config],
        [`${name}/1/.keep`, ''],
      ];
    }),
  );
}
