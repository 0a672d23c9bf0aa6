// What clients ask a server for, as code to copy with its real addresses: is it ready, which models are there, run one.
// The request to run a model is one of snippets.ts, as it is on the playground's Code tab.

import type {
  ServerSnippet,
  ServerSnippetLanguage,
  ServerSnippetSubject,
} from '../../src-shared/contract/server-snippet.ts';
import type { ClientRequest } from '../client/infer-client.ts';
import type { SnippetTarget } from './snippets.ts';
import { requestCode, streamCode } from './snippets.ts';

/** "host:port" of each endpoint as a client on this machine reaches it, undefined when it is off. */
export interface ServerSnippetTarget extends SnippetTarget {
  readonly metricsAddress: string | undefined;
}

interface Operation {
  readonly subject: ServerSnippetSubject;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of tritonclient, both kinds. */
  readonly python: string;
}

const READY_PATH = '/v2/health/ready';

function operations(model: string): readonly Operation[] {
  const name = pathPart(model);
  const quoted = JSON.stringify(model);
  return [
    { subject: 'health', method: 'GET', path: READY_PATH, python: 'client.is_server_ready()' },
    { subject: 'metadata', method: 'GET', path: '/v2', python: 'client.get_server_metadata()' },
    {
      subject: 'modelMetadata',
      method: 'GET',
      path: `/v2/models/${name}`,
      python: `client.get_model_metadata(${quoted})`,
    },
    {
      subject: 'index',
      method: 'POST',
      path: '/v2/repository/index',
      python: 'client.get_model_repository_index()',
    },
    {
      subject: 'load',
      method: 'POST',
      path: `/v2/repository/models/${name}/load`,
      python: `client.load_model(${quoted})`,
    },
    {
      subject: 'unload',
      method: 'POST',
      path: `/v2/repository/models/${name}/unload`,
      python: `client.unload_model(${quoted})`,
    },
    {
      subject: 'statistics',
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

/**
 * One block of code for each thing that clients do, in the order of the page; none for what an endpoint that is off would
 * answer. `model` is "MODEL" where a server has none; `request` runs it, undefined leaves that out.
 */
export function serverSnippets(
  language: ServerSnippetLanguage,
  target: ServerSnippetTarget,
  model: string,
  request: ClientRequest | undefined,
): readonly ServerSnippet[] {
  const address = language === 'python-grpc' ? target.grpcAddress : target.httpAddress;
  const plain =
    address === undefined
      ? []
      : operations(model).map((operation) => ({
          subject: operation.subject,
          code: codeOf(language, address, operation),
        }));
  const runs: ServerSnippet[] = [];
  if (request !== undefined && address !== undefined) {
    runs.push({ subject: 'infer', code: requestCode(language, request, target) });
    if (language === 'python-grpc') runs.push({ subject: 'stream', code: streamCode(request, address) });
  }
  const metrics: readonly ServerSnippet[] =
    target.metricsAddress !== undefined && language === 'curl'
      ? [{ subject: 'metrics', code: `curl -s http://${target.metricsAddress}/metrics` }]
      : [];
  return [...plain.slice(0, 3), ...runs, ...plain.slice(3), ...metrics];
}

function codeOf(
  language: ServerSnippetLanguage,
  address: string,
  { method, path, python }: Operation,
): string {
  const url = `http://${address}${path}`;
  switch (language) {
    case 'curl':
      if (path === READY_PATH) return `curl -i ${url}`;
      return `curl -s ${method === 'POST' ? '-X POST ' : ''}${url}`;
    case 'javascript':
      if (path === READY_PATH) return `console.log((await fetch('${url}')).status);`;
      return [
        `const response = await fetch('${url}'${method === 'POST' ? ", { method: 'POST' }" : ''});`,
        'console.log(response.status, await response.text());',
      ].join('\n');
    case 'python-http':
    case 'python-grpc':
      return [
        `import tritonclient.${language === 'python-grpc' ? 'grpc' : 'http'} as triton`,
        '',
        `client = triton.InferenceServerClient(${JSON.stringify(address)})`,
        `print(${python})`,
      ].join('\n');
  }
}
