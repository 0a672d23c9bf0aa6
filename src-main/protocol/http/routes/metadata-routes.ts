// Server metadata, model metadata and model configuration. Key order is that of the reference.

import { modelConfigToJson } from '../../../../src-shared/config/config-json.ts';
import type { Exchange } from '../exchange.ts';
import type { Route } from './route-handler.ts';
import { modelPaths } from './route-handler.ts';

/** Answered at once, without asking a model. */
export const metadataRoutes: readonly Route[] = [
  { paths: [''], category: 'metadata', methods: ['GET'], handler: serverMetadata },
  { paths: modelPaths(''), category: 'metadata', methods: ['GET'], handler: modelMetadata },
  { paths: modelPaths('/config'), category: 'model-config', methods: ['GET'], handler: modelConfig },
];

function serverMetadata(exchange: Exchange): void {
  const { name, version, extensions } = exchange.context.service.serverMetadata();
  exchange.json(JSON.stringify({ name, version, extensions }));
}

function modelMetadata(exchange: Exchange): void {
  const { context, match } = exchange;
  const metadata = context.service.modelMetadata(match.model, match.version);
  const { name, versions, platform, inputs, outputs } = metadata;
  const tensors = (list: typeof inputs): object[] =>
    list.map((tensor) => ({ name: tensor.name, datatype: tensor.datatype, shape: tensor.shape }));
  exchange.json(
    JSON.stringify({ name, versions, platform, inputs: tensors(inputs), outputs: tensors(outputs) }),
  );
}

function modelConfig(exchange: Exchange): void {
  const { context, match } = exchange;
  exchange.json(modelConfigToJson(context.service.modelConfig(match.model, match.version)));
}
