// What clients ask this server for, as code to copy, in the languages they are written in, with its real addresses. The
// inference request itself comes from the engine, which knows the model's inputs. Pure.

import type { PlainKey } from '../../texts/translate.ts';

export type SnippetLanguage = 'curl' | 'python-http' | 'python-grpc' | 'javascript';

export const SNIPPET_LANGUAGES: readonly { readonly value: SnippetLanguage; readonly label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python-http', label: 'Python (HTTP)' },
  { value: 'python-grpc', label: 'Python (gRPC)' },
  { value: 'javascript', label: 'JavaScript (fetch)' },
];

export interface ServerSnippet {
  readonly title: PlainKey;
  /** To run as it stands. */
  readonly code: string;
}

export interface SnippetTarget {
  /** Base URLs and the address of gRPC; "" = off. */
  readonly http: string;
  readonly grpc: string;
  readonly metrics: string;
  /** A name to show; "" = none known. */
  readonly model: string;
  /** Code of an inference request to it, in this language; "" = none. */
  readonly infer: string;
}

interface Operation {
  readonly title: PlainKey;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of tritonclient, both kinds. */
  readonly python: string;
}

function operations(model: string): readonly Operation[] {
  const name = pathPart(model);
  const quoted = JSON.stringify(model);
  return [
    {
      title: 'server.snippet.health',
      method: 'GET',
      path: '/v2/health/ready',
      python: 'client.is_server_ready()',
    },
    {
      title: 'server.snippet.metadata',
      method: 'GET',
      path: '/v2',
      python: 'client.get_server_metadata()',
    },
    {
      title: 'server.snippet.modelMetadata',
      method: 'GET',
      path: `/v2/models/${name}`,
      python: `client.get_model_metadata(${quoted})`,
    },
    {
      title: 'server.snippet.index',
      method: 'POST',
      path: '/v2/repository/index',
      python: 'client.get_model_repository_index()',
    },
    {
      title: 'server.snippet.load',
      method: 'POST',
      path: `/v2/repository/models/${name}/load`,
      python: `client.load_model(${quoted})`,
    },
    {
      title: 'server.snippet.unload',
      method: 'POST',
      path: `/v2/repository/models/${name}/unload`,
      python: `client.unload_model(${quoted})`,
    },
    {
      title: 'server.snippet.statistics',
      method: 'GET',
      path: `/v2/models/${name}/stats`,
      python: `client.get_inference_statistics(${quoted})`,
    },
  ];
}

/** A name as a part of an address that stands unquoted in a shell, and in quotes of either kind. */
function pathPart(name: string): string {
  const byte = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replaceAll(/[!'()*]/g, byte);
}

/** One block of code for each thing that clients do; none for what an endpoint that is off would answer. */
export function serverSnippets(language: SnippetLanguage, target: SnippetTarget): readonly ServerSnippet[] {
  const { http, grpc, metrics, infer } = target;
  const model = target.model === '' ? 'MODEL' : target.model;
  const address = language === 'python-grpc' ? grpc : http;
  const plain =
    address === ''
      ? []
      : operations(model).map(({ title, ...operation }) => ({
          title,
          code: codeOf(language, address, operation),
        }));
  const inference: readonly ServerSnippet[] =
    infer === '' || address === '' ? [] : [{ title: 'server.snippet.infer', code: infer }];
  const stream: readonly ServerSnippet[] =
    language === 'python-grpc' && inference.length > 0
      ? [{ title: 'server.snippet.stream', code: streamCode(infer) }]
      : [];
  const metricsCode: readonly ServerSnippet[] =
    metrics !== '' && language === 'curl'
      ? [{ title: 'server.snippet.metrics', code: `curl -s ${metrics}` }]
      : [];
  return [...plain.slice(0, 3), ...inference, ...stream, ...plain.slice(3), ...metricsCode];
}

function codeOf(
  language: SnippetLanguage,
  address: string,
  { method, path, python }: Omit<Operation, 'title'>,
): string {
  switch (language) {
    case 'curl':
      if (path === '/v2/health/ready') return `curl -i ${address}${path}`;
      return `curl -s ${method === 'POST' ? '-X POST ' : ''}${address}${path}`;
    case 'javascript':
      return path === '/v2/health/ready'
        ? `console.log((await fetch('${address}${path}')).status);`
        : [
            `const response = await fetch('${address}${path}'${method === 'POST' ? ", { method: 'POST' }" : ''});`,
            'console.log(response.status, await response.text());',
          ].join('\n');
    case 'python-http':
    case 'python-grpc':
      return [
        `import tritonclient.${language === 'python-grpc' ? 'grpc' : 'http'} as triton`,
        '',
        `client = triton.InferenceServerClient(${JSON.stringify(address.replace(/^http:\/\//, ''))})`,
        `print(${python})`,
      ].join('\n');
  }
}

/** The same request over a stream: what the code builds stays, how it is sent changes. */
function streamCode(infer: string): string {
  const lines = infer.split('\n');
  const at = lines.findIndex((line) => line.startsWith('result = client.infer('));
  if (at < 0) return infer;
  const call = (lines[at] ?? '').replace('result = client.infer(', 'client.async_stream_infer(');
  return [
    'import queue',
    ...lines.slice(0, at),
    'answers = queue.Queue()',
    'client.start_stream(callback=lambda result, error: answers.put((result, error)))',
    call,
    'result, error = answers.get()',
    'print(error if error is not None else result.get_response())',
    'client.stop_stream()',
  ].join('\n');
}
