// Server metadata, model metadata and model configuration. Key order is that of the reference.

import { modelConfigToJson } from '../../../../src-shared/config/config-json.ts';
import type { RouteHandlers } from './route-handler.ts';

export const metadataRoutes: RouteHandlers = {
  'server-metadata': (exchange) => {
    const { name, version, extensions } = exchange.context.service.serverMetadata();
    exchange.json(JSON.stringify({ name, version, extensions }));
  },
  'model-metadata': (exchange) => {
    const { context, match } = exchange;
    const metadata = context.service.modelMetadata(match.model, match.version);
    const { name, versions, platform, inputs, outputs } = metadata;
    const tensors = (list: typeof inputs): object[] =>
      list.map((tensor) => ({ name: tensor.name, datatype: tensor.datatype, shape: tensor.shape }));
    exchange.json(
      JSON.stringify({ name, versions, platform, inputs: tensors(inputs), outputs: tensors(outputs) }),
    );
  },
  'model-config': (exchange) => {
    const { context, match } = exchange;
    exchange.json(modelConfigToJson(context.service.modelConfig(match.model, match.version)));
  },
};
