// A server in a process of its own with Python models that do what a request tells them, and one that behaves.

import { readFile } from 'node:fs/promises';
import { testPython } from '../../../src-main/testing/test-python.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { Target } from '../target.ts';
import type { TargetFacts } from '../target-facts.ts';

export const IMPORTS = `import asyncio, ctypes, json, os, resource, signal, sys, threading, time
import numpy as np
import triton_python_backend_utils as pb_utils
from triton_python_backend_utils import InferenceRequest, InferenceResponse, Tensor, TritonError

def told(request):
    return json.loads(request.parameters()).get("do", "")

def run(text, requests):
    """What a function with that body returns."""
    scope = dict(globals())
    exec("def do(requests):\\n" + "\\n".join("    " + line for line in text.split("\\n")), scope)
    return scope["do"](requests)

def echo(requests):
    return [InferenceResponse([Tensor("OUTPUT0", each.inputs()[0].as_numpy())]) for each in requests]

`;

/** Does the parameter \`do\` of its request, then answers with its input, unless the text returns something. */
export const ACTOR = `class TritonPythonModel:
    def execute(self, requests):
        text = told(requests[0])
        returned = run(text, requests) if text else None
        return returned if "return" in text else echo(requests)
`;

const ONE_TO_ONE = `input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] } ]`;

/** Files of a model with that code. */
export function pythonModel(name: string, code: string, more = ''): RepositoryFiles {
  return {
    [`${name}/config.pbtxt`]: `backend: "python"\n${ONE_TO_ONE}\n${more}`,
    [`${name}/1/model.py`]: IMPORTS + code,
  };
}

export interface Answer {
  readonly status: number;
  readonly error: string;
  readonly values: readonly unknown[];
}

/** Its loop is alive as long as `bystander` answers. */
export class PythonTarget implements AsyncDisposable {
  readonly target: Target;

  private constructor(target: Target) {
    this.target = target;
  }

  static async start(files: RepositoryFiles): Promise<PythonTarget> {
    const python = { backend: 'python', key: 'python-executable', value: testPython() ?? '' };
    const target = await Target.start(
      { ...pythonModel('bystander', ACTOR), ...files },
      {
        server: { exitOnError: false },
        repository: { controlMode: 'explicit', startupModels: ['bystander'], autoCompleteConfig: true },
        backends: { settings: [python] },
      },
    );
    return new PythonTarget(target);
  }

  async call(path: string, body?: unknown, signal?: AbortSignal): Promise<[status: number, body: unknown]> {
    const reply = await fetch(`http://127.0.0.1:${this.target.ports.http}/v2/${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await reply.text();
    return [reply.status, text === '' ? undefined : JSON.parse(text)];
  }

  /** Lets a model run the text. */
  async act(model: string, code: string, signal?: AbortSignal): Promise<Answer> {
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [2], data: [1, 2] };
    const request = { inputs: [input], parameters: { do: code } };
    const [status, body] = await this.call(`models/${model}/infer`, request, signal);
    const { error = '', outputs = [] } = body as {
      readonly error?: string;
      readonly outputs?: readonly { readonly data: readonly unknown[] }[];
    };
    return { status, error, values: outputs.flatMap(({ data }) => data) };
  }

  /** The error text, "" when it succeeded. */
  async load(model: string): Promise<string> {
    const [status, body] = await this.call(`repository/models/${model}/load`, {});
    return status === 200 ? '' : (body as { readonly error: string }).error;
  }

  async unload(model: string): Promise<void> {
    await this.call(`repository/models/${model}/unload`, {});
  }

  /** The states of the versions of a model: "READY", "UNAVAILABLE". */
  async states(model: string): Promise<readonly string[]> {
    const [, body] = await this.call('repository/index', {});
    const all = body as readonly { readonly name: string; readonly state?: string }[];
    return all.filter(({ name }) => name === model).map(({ state = '' }) => state);
  }

  facts(): Promise<TargetFacts> {
    return this.target.facts();
  }

  async metrics(): Promise<string> {
    return await (await fetch(`http://127.0.0.1:${this.target.ports.metrics}/metrics`)).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.target[Symbol.asyncDispose]();
  }
}

/** Whether a process runs; one that ended and was not asked for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}
