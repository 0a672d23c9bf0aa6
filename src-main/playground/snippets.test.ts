// Code to take away: what is printed, what is read from the saved body, and how names and values are written. That the
// code runs is the affair of tests/conformance/snippets.

import { describe, expect, test } from 'vitest';

import type { ClientRequest } from '../client/infer-client.ts';
import { encodeValues } from '../tensor/value-codec.ts';
import { snippetRequest } from './snippet-request.ts';
import { requestSnippets } from './snippets.ts';

const TARGET = { httpAddress: '127.0.0.1:8000', grpcAddress: '127.0.0.1:8001' };

function request(change: Partial<ClientRequest> = {}): ClientRequest {
  const small = { name: 'x', datatype: 'FP32', shape: [1, 2], bytes: encodeValues(['1', '2.5'], 'FP32') };
  return { model: 'm', version: '', id: '', inputs: [small], outputs: [], parameters: new Map(), ...change };
}

const large = { name: 'big', datatype: 'FP32', shape: [1, 1000], bytes: new Uint8Array(4000) };

const code = (language: string, title: string, of: ClientRequest): string => {
  const found = requestSnippets(of, 'http-json', TARGET).find(
    (each) => each.language === language && each.title === title,
  );
  if (found === undefined) throw new Error(`no ${title}`);
  return found.code;
};

describe('which tensors are printed', () => {
  test('small ones, and then the whole request has a JSON text', () => {
    const shown = snippetRequest(request());
    expect(shown).toMatchObject({ needsBody: false, path: '/v2/models/m/infer' });
    expect(JSON.parse(shown.json ?? '')).toMatchObject({
      inputs: [{ name: 'x', shape: [1, 2], data: [1, 2.5] }],
    });
  });

  test('large ones lie in the saved body, one behind the other', () => {
    const shown = snippetRequest(request({ inputs: [large, ...request().inputs] }));
    expect(shown).toMatchObject({ needsBody: true, json: undefined });
    expect(shown.inputs.map(({ isPrinted }) => isPrinted)).toEqual([false, true]);
    expect(shown.inputs.map(({ offset }) => offset - shown.headByteSize)).toEqual([0, 4000]);
  });

  test('half numbers have no JSON, but can be typed out', () => {
    const half = { name: 'h', datatype: 'FP16', shape: [1], bytes: Uint8Array.of(0, 60) };
    expect(snippetRequest(request({ inputs: [half] }))).toMatchObject({ needsBody: false, json: undefined });
  });

  test.each([
    ['words', encodeValues(['hello Zoë'], 'BYTES'), true],
    ['bytes that are no text', Uint8Array.of(2, 0, 0, 0, 0xff, 0xfe), false],
    ['control characters', encodeValues(['a\u0000b'], 'BYTES'), false],
    ['a text as long as a file', encodeValues(['x'.repeat(9000)], 'BYTES'), false],
  ])('texts: %s', (_name, bytes, isPrinted) => {
    const text = { name: 't', datatype: 'BYTES', shape: [1], bytes };
    expect(snippetRequest(request({ inputs: [text] })).inputs[0]?.isPrinted).toBe(isPrinted);
  });
});

describe('snippets', () => {
  test('those of the protocol in use come first', () => {
    const titles = (protocol: 'http-json' | 'grpc') =>
      requestSnippets(request(), protocol, TARGET).map(({ title }) => title);
    expect(titles('http-json')[0]).toBe('curl');
    expect(titles('grpc')[0]).toBe('Python (gRPC)');
    expect(titles('http-json').toSorted()).toEqual(titles('grpc').toSorted());
  });

  test('curl keeps quotes of the shell out of the request', () => {
    const named = code('bash', 'curl', request({ id: "it's" }));
    expect(named).toContain("-X POST 'http://127.0.0.1:8000/v2/models/m/infer'");
    expect(named).toContain("it'\\''s");
    expect(code('bash', 'curl', request({ inputs: [large] }))).toContain('--data-binary @request.bin');
  });

  test('fetch sends the JSON, or the saved body with the length of its head', () => {
    expect(code('javascript', 'JavaScript (fetch)', request())).toContain(
      "'content-type': 'application/json'",
    );
    const read = code('javascript', 'JavaScript (fetch)', request({ inputs: [large] }));
    const { headByteSize } = snippetRequest(request({ inputs: [large] }));
    expect(read).toContain("await readFile('request.bin')");
    expect(read).toContain(`'${headByteSize}'`);
  });

  test('Node over gRPC names version, id, parameters and classes only where there are some', () => {
    const plain = code('javascript', 'Node (gRPC)', request());
    for (const field of ['model_version', ' id:', 'parameters', 'outputs:'])
      expect(plain).not.toContain(field);
    const full = code(
      'javascript',
      'Node (gRPC)',
      request({
        version: '3',
        id: 'a"b',
        outputs: [{ name: 'y', classCount: 5 }],
        parameters: new Map<string, string | bigint | boolean | number>([
          ['sequence_id', 7n],
          ['sequence_start', true],
          ['tone', 'warm'],
          ['share', 0.5],
        ]),
      }),
    );
    expect(full).toContain('model_version: "3"');
    expect(full).toContain(String.raw`id: "a\"b"`);
    expect(full).toContain(`"sequence_id": { int64_param: '7' }`);
    expect(full).toContain('"sequence_start": { bool_param: true }');
    expect(full).toContain('"tone": { string_param: "warm" }');
    expect(full).toContain('"share": { double_param: 0.5 }');
    expect(full).toContain('classification: { int64_param: 5 }');
  });

  test('Node over gRPC reads large tensors from where they lie in the body', () => {
    const { headByteSize } = snippetRequest(request({ inputs: [large] }));
    expect(code('javascript', 'Node (gRPC)', request({ inputs: [large] }))).toContain(
      `body.subarray(${headByteSize}, ${headByteSize + 4000})`,
    );
  });

  test.each(['Python (HTTP)', 'Python (gRPC)'])(
    '%s names the model, its tensors and the address',
    (title) => {
      const python = code('python', title, request());
      expect(python).toContain(title === 'Python (HTTP)' ? TARGET.httpAddress : TARGET.grpcAddress);
      expect(python).toContain('"x"');
      expect(python).toContain('"m"');
      expect(python).not.toContain('request.bin');
      expect(code('python', title, request({ inputs: [large] }))).toContain('request.bin');
    },
  );
});
