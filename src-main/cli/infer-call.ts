// Sends one file to a model of a running server over HTTP: an image as a tensor, with top-k classes as the answer; or a
// JSON file that is a request body already.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { systemClock } from '../base/clock.ts';
import { HttpInferClient } from '../client/http-client.ts';
import type { ClientTensor } from '../client/infer-client.ts';
import { buildInput } from '../playground/input-builder.ts';
import { decodeValues } from '../tensor/value-codec.ts';
import { cliErrors } from './cli-errors.ts';
import { configSchema, metadataSchema, planImage } from './image-request.ts';

const SHOWN_VALUES = 16;

/** Which model gets the file, and how its answer is shown. */
export interface InferFileOptions {
  readonly model: string;
  /** "" = the server's choice. */
  readonly version: string;
  /** "host:port" of the HTTP endpoint, with or without "http://". */
  readonly address: string;
  /** Top-k classes; 0 = the tensor itself. */
  readonly classCount: number;
  readonly scaling: 'NONE' | 'INCEPTION' | 'VGG';
  readonly signal: AbortSignal;
}

function modelPath({ model, version }: InferFileOptions): string {
  const suffix = version === '' ? '' : `/versions/${encodeURIComponent(version)}`;
  return `/v2/models/${encodeURIComponent(model)}${suffix}`;
}

/** "0.93 (504) = COFFEE MUG" from "0.93:504:COFFEE MUG". */
function classText(text: string): string {
  const [score = '', index = '', ...label] = text.split(':');
  return `${Number(score).toFixed(6)} (${index})${label.length === 0 ? '' : ` = ${label.join(':')}`}`;
}

function outputText({ name, datatype, shape, bytes }: ClientTensor, isClasses: boolean): string {
  if (datatype === 'BYTES' && isClasses) {
    return decodeValues(bytes, 'BYTES', Number.MAX_SAFE_INTEGER)
      .map((text) => `    ${classText(text)}\n`)
      .join('');
  }
  const count = shape.reduce((all, dim) => all * dim, 1);
  const values = decodeValues(bytes, datatype as 'FP32', SHOWN_VALUES).join(', ');
  return `${name}  ${datatype} [${shape.join(',')}]: ${values}${count > SHOWN_VALUES ? ', ...' : ''}\n`;
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw cliErrors.noFile({ file, reason: code === 'ENOENT' ? 'there is none' : (code ?? String(thrown)) });
  }
}

class FileSender {
  readonly #options: InferFileOptions;
  readonly #client: HttpInferClient;

  constructor(options: InferFileOptions) {
    this.#options = options;
    this.#client = new HttpInferClient(options.address, {
      clock: systemClock,
      encoding: 'binary',
      userAgent: 'conch-infer',
    });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async sendJson(file: string): Promise<string> {
    const body = await contentOf(file);
    const headers = { 'content-type': 'application/json' };
    const route = `${modelPath(this.#options)}/infer`;
    const { signal } = this.#options;
    const answer = await this.#client.call({ method: 'POST', path: route, headers, body, signal });
    return `${JSON.stringify(this.#checked(answer.status, answer.body), undefined, 2)}\n`;
  }

  async sendImage(file: string): Promise<string> {
    const { model, version, classCount, scaling, signal } = this.#options;
    const metadata = metadataSchema.parse(await this.#read(''));
    const plan = planImage(metadata, configSchema.parse(await this.#read('/config')));
    const bytes = await contentOf(file);
    const { layout, channels, datatype, shape } = plan;
    const source = { kind: 'image', blob: file, resize: 'stretch', layout, channels, scaling } as const;
    const input = await buildInput({ name: plan.input, datatype, shape: [...shape], source }, () => bytes);
    const { responses, error, ok, status } = await this.#client.infer(
      {
        model,
        version,
        id: '',
        inputs: [input],
        outputs: [{ name: plan.output, classCount }],
        parameters: new Map(),
      },
      { signal },
    );
    if (!ok) throw cliErrors.answered({ status, reason: error ?? '' });
    const outputs = responses.flatMap((response) => response.outputs);
    return `Image '${file}':\n${outputs.map((output) => outputText(output, classCount > 0)).join('')}`;
  }

  async #read(suffix: string): Promise<unknown> {
    const route = `${modelPath(this.#options)}${suffix}`;
    const { signal } = this.#options;
    const { status, body } = await this.#client.call({ method: 'GET', path: route, signal });
    return this.#checked(status, body);
  }

  #checked(status: number, body: Buffer): unknown {
    let json: unknown;
    try {
      json = JSON.parse(body.toString('utf8'));
    } catch {
      throw cliErrors.noJson({ address: this.#options.address, status });
    }
    if (status === 200) return json;
    const { error } = json as { error?: string };
    throw cliErrors.answered({ status, reason: error ?? 'without a message' });
  }
}

/** Text to print. Rejects with the server's message. */
export async function inferFile(file: string, options: InferFileOptions): Promise<string> {
  const address = /^(?:http:\/\/)?([^/]+:\d+)\/?$/.exec(options.address)?.[1];
  if (address === undefined) throw cliErrors.address({ address: options.address });
  const sender = new FileSender({ ...options, address });
  try {
    return path.extname(file).toLowerCase() === '.json'
      ? await sender.sendJson(file)
      : await sender.sendImage(file);
  } finally {
    await sender.close();
  }
}
