// Code that sends exactly the request shown, for people to take away, in the languages that Triton's users write. What
// is too large to print is read from `request.bin`, which the window saves on request.

import type { PlaygroundRequest } from '../../src-shared/contract/inference-calls.ts';
import type { ServerSnippetLanguage } from '../../src-shared/contract/server-snippet.ts';
import { HEADER_LENGTH } from '../client/http-codec.ts';
import type { ClientRequest } from '../client/infer-client.ts';
import { cppCode } from './snippet-cpp.ts';
import { nodeGrpcCode } from './snippet-node.ts';
import { pythonCode } from './snippet-python.ts';
import type { SnippetRequest } from './snippet-request.ts';
import { quoted, snippetRequest } from './snippet-request.ts';

/** `language` colours the code; `title` is what the tab says. */
export interface Snippet {
  readonly language: string;
  readonly title: string;
  readonly code: string;
}

/** "host:port" as a client on this machine reaches the server. */
export interface SnippetTarget {
  readonly httpAddress: string | undefined;
  readonly grpcAddress: string | undefined;
}

/** The request in one of the languages that code for a whole server is written in. */
export function requestCode(
  language: ServerSnippetLanguage,
  request: ClientRequest,
  { httpAddress = '', grpcAddress = '' }: SnippetTarget,
): string {
  const shown = snippetRequest(request);
  switch (language) {
    case 'curl':
      return curl(shown, httpAddress);
    case 'python-http':
      return pythonCode(shown, httpAddress, 'http');
    case 'python-grpc':
      return pythonCode(shown, grpcAddress, 'grpc');
    case 'javascript':
      return fetchCode(shown, httpAddress);
  }
}

/** Python that sends the request over a stream of gRPC. */
export function streamCode(request: ClientRequest, grpcAddress: string): string {
  return pythonCode(snippetRequest(request), grpcAddress, 'stream');
}

/** Those of the request's protocol come first. */
export function requestSnippets(
  request: ClientRequest,
  protocol: PlaygroundRequest['protocol'],
  { httpAddress = '', grpcAddress = '' }: SnippetTarget,
): readonly Snippet[] {
  const shown = snippetRequest(request);
  const http = [
    { language: 'bash', title: 'curl', code: curl(shown, httpAddress) },
    { language: 'python', title: 'Python (HTTP)', code: pythonCode(shown, httpAddress, 'http') },
    { language: 'javascript', title: 'JavaScript (fetch)', code: fetchCode(shown, httpAddress) },
    { language: 'cpp', title: 'C++ (HTTP)', code: cppCode(shown, httpAddress) },
  ];
  const grpc = [
    { language: 'python', title: 'Python (gRPC)', code: pythonCode(shown, grpcAddress, 'grpc') },
    { language: 'javascript', title: 'Node (gRPC)', code: nodeGrpcCode(shown, grpcAddress) },
  ];
  return protocol === 'grpc' ? [...grpc, ...http] : [...http, ...grpc];
}

function curl({ path, json, headByteSize }: SnippetRequest, address: string): string {
  const url = `curl -s -X POST 'http://${address}${path}'`;
  if (json === undefined) {
    return [
      '# request.bin is the body of this request: "Save request body" on the Code tab of the Playground writes it.',
      `${url} \\`,
      "  -H 'Content-Type: application/octet-stream' \\",
      `  -H 'Inference-Header-Content-Length: ${headByteSize}' \\`,
      '  --data-binary @request.bin -o response.bin',
    ].join('\n');
  }
  const body = json.replaceAll("'", "'\\''");
  return `${url} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`;
}

function fetchCode({ path, json, headByteSize }: SnippetRequest, address: string): string {
  if (json === undefined) {
    return [
      "import { readFile } from 'node:fs/promises';",
      '',
      '// request.bin is the body of this request: "Save request body" on the Code tab of the Playground writes it.',
      `const response = await fetch('http://${address}${path}', {`,
      "  method: 'POST',",
      `  headers: { 'content-type': 'application/octet-stream', '${HEADER_LENGTH}': '${headByteSize}' },`,
      "  body: await readFile('request.bin'),",
      '});',
      'console.log(response.status, await response.arrayBuffer());',
    ].join('\n');
  }
  return [
    `const response = await fetch('http://${address}${path}', {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    `  body: ${quoted(json)},`,
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}
