// POST .../generate and .../generate_stream.

import type { ModelConfig } from '../../../../src-shared/config/model-config.ts';
import { dataTypeFromConfig } from '../../../../src-shared/datatypes.ts';
import { requestEncoding } from '../content-encoding.ts';
import type { Exchange } from '../exchange.ts';
import { GenerateCall } from '../generate-call.ts';
import type { GenerateModel } from '../generate-parser.ts';
import { parseGenerate } from '../generate-parser.ts';
import { httpErrors } from '../http-errors.ts';
import type { BodyBytes } from '../infer-binary.ts';
import { OFFLOAD_MIN_BYTES } from '../json-offload.ts';
import type { Route } from './route-handler.ts';
import { modelPaths, wholeBody } from './route-handler.ts';

function generateModel(config: ModelConfig): GenerateModel {
  const inputs: GenerateModel['inputs'][number][] = [];
  for (const { name, dataType, dims } of config.input) {
    const datatype = dataTypeFromConfig(dataType);
    if (datatype !== undefined) {
      inputs.push({ name, datatype, dims: config.maxBatchSize > 0 ? [-1, ...dims] : dims });
    }
  }
  return { inputs };
}

/** Reads the body and has the model answer it: once, or as a stream of events. */
export function startGenerate(exchange: Exchange, isStream: boolean): void {
  const { context } = exchange;
  exchange.readBody(context.maxInputByteSize, (_, body) => bodyArrived(exchange, body, isStream));
}

function bodyArrived(exchange: Exchange, body: BodyBytes, isStream: boolean): void {
  const { context, match } = exchange;
  const use = context.service.useModel(match.model, match.version);
  const call = new GenerateCall(exchange, use, isStream);
  try {
    if (requestEncoding(exchange.header('content-encoding')) !== 'identity') {
      throw httpErrors.generateCompressed();
    }
    call.startTrace();
    const json = wholeBody(exchange, body);
    const model = generateModel(use.config);
    const limit = context.maxInputByteSize;
    if (json.length <= OFFLOAD_MIN_BYTES) {
      call.submit(parseGenerate(json, model, limit));
      return;
    }
    context.offload
      .generate(json, model, limit, exchange.gone)
      .then((parsed) => call.submit(parsed))
      .catch((thrown: unknown) => call.fail(thrown));
  } catch (thrown) {
    call.fail(thrown);
  }
}

/** Both take one JSON object; the second answers with events. */
export const generateRoutes: readonly Route[] = [
  {
    paths: modelPaths('/generate'),
    category: 'inference',
    methods: ['POST'],
    handler: (exchange) => startGenerate(exchange, false),
  },
  {
    paths: modelPaths('/generate_stream'),
    category: 'inference',
    methods: ['POST'],
    handler: (exchange) => startGenerate(exchange, true),
  },
];
