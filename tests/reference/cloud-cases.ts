// The endpoints for managed clouds: their routes, what a content type says of a binary body, and what a header reaches.

import http from 'node:http';

import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

interface CloudRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const JSON_BODY = Buffer.from(
  JSON.stringify({ id: 'a', inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], data: [1, 2] }] }),
);
const BINARY_HEAD = JSON.stringify({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], parameters: { binary_data_size: 8 } }],
  outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }],
});
const BINARY_BODY = Buffer.concat([Buffer.from(BINARY_HEAD), Buffer.from(new Float32Array([3, 4]).buffer)]);

/** Which of the two an error or an empty body has is no part of the question. */
const UNTOLD = /^(?:text\/plain|application\/json)/;

/** Status, body, and the headers that say what the body is. */
function ask(port: number, { method, path, headers = {}, body }: CloudRequest): Promise<object> {
  return new Promise((resolve) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const type = response.headers['content-type'] ?? '';
          resolve({
            status: response.statusCode,
            type: UNTOLD.test(type) ? '' : type,
            headLength: response.headers['inference-header-content-length'],
            body: Buffer.concat(chunks).toString('latin1'),
          });
        });
      },
    );
    request.on('error', (error) => resolve({ thrown: String(error) }));
    request.end(body);
  });
}

const asked = (
  endpoint: 'SageMaker' | 'Vertex AI',
  name: string,
  requests: readonly CloudRequest[],
): ReferenceCase => ({
  name: `${endpoint} ${name}`,
  run: async ({ cloudPorts: [sagemaker, vertexAi] }: Target) => {
    const answers: object[] = [];
    for (const request of requests) {
      const { method, path, headers = {} } = request;
      const answer = await ask(endpoint === 'SageMaker' ? sagemaker : vertexAi, request);
      answers.push({ step: `${method} ${path} ${JSON.stringify(headers)}`, ...answer });
    }
    return answers;
  },
});

const plain = (method: string, path: string): CloudRequest => ({ method, path });

/** Content types around the one that names the length of the JSON part. */
function typed(path: string, type: string, other: string): readonly CloudRequest[] {
  const size = BINARY_HEAD.length;
  const types = [
    `${type}${size}`,
    `${type}-1`,
    `${type}100000`,
    `${type}0`,
    ` ${type}${size}`,
    `x;${type}${size}`,
    `${type}${size}x`,
    `${type}+${size}`,
    `${type} ${size}`,
    type.split(';')[0] ?? '',
    type.toUpperCase() + String(size),
    'application/octet-stream',
    `${other}${size}`,
  ];
  return [
    ...types.map((one) => ({ method: 'POST', path, body: BINARY_BODY, headers: { 'Content-Type': one } })),
    { method: 'POST', path, body: BINARY_BODY, headers: { 'Inference-Header-Content-Length': String(size) } },
  ];
}

function bodies(path: string): readonly CloudRequest[] {
  const plainBodies = ['', '{', '{}', '[]', '{"inputs":[]}'].map((text) => ({
    method: 'POST',
    path,
    body: Buffer.from(text),
  }));
  return [
    { method: 'POST', path, body: JSON_BODY },
    { method: 'POST', path: `${path}?x=1`, body: JSON_BODY },
    ...plainBodies,
    ...['gzip', 'br'].map((encoding) => ({
      method: 'POST',
      path,
      body: JSON_BODY,
      headers: { 'Content-Encoding': encoding, 'Accept-Encoding': 'gzip' },
    })),
  ];
}

const VERTEX_TYPE = 'application/vnd.vertex-ai-triton.binary+json;json-header-size=';
const SAGEMAKER_TYPE = 'application/vnd.sagemaker-triton.binary+json;json-header-size=';
const REDIRECTS = [
  ...[
    'v2/',
    '/v2',
    'v2/health/live',
    'v2/health/ready',
    'v2/health/live?x=1',
    'v2/models',
    'foo',
    'metrics/',
  ],
  ...['', '/config', '/ready', '/versions/1', '/versions/7', '/versions/x/infer', '/generate'].map(
    (rest) => `v2/models/echo${rest}`,
  ),
  ...['', '/config', '/infer', '/ready'].map((rest) => `v2/models/nope${rest}`),
  'v2/systemsharedmemory/status',
  'v2/systemsharedmemory/region/x/status',
  'v2/cudasharedmemory/status',
  'v2/repository/index',
  'v2/repository/x/index',
  'v2/trace/setting',
  'v2/models/echo/trace/setting',
  'v2/logging',
];
const redirected = (target: string, body?: Buffer, method = 'POST'): CloudRequest => ({
  method,
  path: '/predict',
  headers: { 'X-Vertex-Ai-Triton-Redirect': target },
  ...(body === undefined ? {} : { body }),
});

export const CLOUD_SCENE: Scene = {
  name: 'clouds',
  repositories: () => [pythonFiles('echo', ECHO_MODEL)],
  args: ['--model-control-mode=explicit', '--load-model=echo', '--vertex-ai-default-model=echo'],
  env: {
    AIP_PREDICT_ROUTE: '/predict',
    AIP_HEALTH_ROUTE: '/health',
    SAGEMAKER_TRITON_DEFAULT_MODEL_NAME: 'echo',
  },
  hasClouds: true,
  cases: [
    asked('Vertex AI', 'routes', [
      ...['/health', '/health?x=1', '/health/', '/', '/v2/health/ready', '/predict', '/metrics'].map((path) =>
        plain('GET', path),
      ),
      ...['/health', '/predictx'].map((path) => plain('POST', path)),
      plain('PUT', '/predict'),
    ]),
    asked('Vertex AI', 'bodies', bodies('/predict')),
    asked('Vertex AI', 'content types', typed('/predict', VERTEX_TYPE, SAGEMAKER_TYPE)),
    asked('Vertex AI', 'redirects', [
      ...REDIRECTS.map((target) => redirected(target)),
      redirected('v2/models/echo/infer', JSON_BODY),
      redirected('v2/models/echo/versions/1/infer', JSON_BODY),
      redirected('v2/repository/index', Buffer.from('{"ready":true}')),
      redirected('v2/repository/index', Buffer.from('{')),
      redirected('v2', undefined, 'GET'),
      { ...redirected('v2'), path: '/health' },
      { ...redirected('v2'), path: '/foo' },
      {
        ...redirected('v2/models/echo/infer', BINARY_BODY),
        headers: {
          'X-Vertex-Ai-Triton-Redirect': 'v2/models/echo/infer',
          'Content-Type': `${VERTEX_TYPE}${BINARY_HEAD.length}`,
        },
      },
      {
        ...redirected('v2/models/echo/infer', BINARY_BODY),
        headers: {
          'X-Vertex-Ai-Triton-Redirect': 'v2/models/echo/infer',
          'Inference-Header-Content-Length': String(BINARY_HEAD.length),
        },
      },
    ]),
    asked('SageMaker', 'routes', [
      ...['/ping', '/ping?x', '/ping/', '/', '/v2/health/ready', '/invocations', '/models', '/models/'].map(
        (path) => plain('GET', path),
      ),
      ...['/ping', '/invocationsx', '/models/x/invoke'].map((path) => plain('POST', path)),
      ...['/models/x', '/models/echo'].flatMap((path) => [plain('GET', path), plain('DELETE', path)]),
      ...['/invocations', '/models'].map((path) => plain('PUT', path)),
    ]),
    asked('SageMaker', 'bodies', bodies('/invocations')),
    asked('SageMaker', 'content types', typed('/invocations', SAGEMAKER_TYPE, VERTEX_TYPE)),
  ],
};
