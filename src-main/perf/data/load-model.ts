// A model as a load test sees it: what to send, what comes back, which models work behind it.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ConfigDataType, DataType } from '../../../src-shared/datatypes.ts';
import { isDataType } from '../../../src-shared/datatypes.ts';
import type { ServerLink } from '../server/server-link.ts';
import { perfDataErrors } from './data-errors.ts';

/** An input or output of the model under load. */
export interface LoadTensor {
  readonly name: string;
  readonly datatype: DataType;
  /** Without the batch dimension; -1 = any. */
  readonly dims: readonly number[];
  readonly isOptional: boolean;
}

/** The model under load, as the server describes it. */
export interface LoadModel {
  readonly name: string;
  /** As asked for; "" = the server's choice. */
  readonly version: string;
  readonly maxBatchSize: number;
  readonly inputs: readonly LoadTensor[];
  readonly outputs: readonly LoadTensor[];
  /** It, or a model of its ensemble, needs sequence parameters. */
  readonly isSequence: boolean;
  readonly isDecoupled: boolean;
  readonly isEnsemble: boolean;
  readonly hasCache: boolean;
  /** Steps of an ensemble, or models that were named as called by it. */
  readonly composing: readonly LoadModel[];
}

function wireType(type: ConfigDataType): DataType {
  const name = type === 'TYPE_STRING' ? 'BYTES' : type.slice('TYPE_'.length);
  if (!isDataType(name)) throw perfDataErrors.datatype({ datatype: type });
  return name;
}

/** From the configuration that the server gives; `composing` are the models of an ensemble. */
export function loadModelOf(
  config: ModelConfig,
  version: string,
  composing: readonly LoadModel[],
): LoadModel {
  const isEnsemble = config.ensembleScheduling !== undefined;
  return {
    name: config.name,
    version,
    maxBatchSize: config.maxBatchSize,
    inputs: config.input.map(({ name, dataType, dims, optional }) => ({
      name,
      datatype: wireType(dataType),
      dims,
      isOptional: optional,
    })),
    outputs: config.output.map(({ name, dataType, dims }) => ({
      name,
      datatype: wireType(dataType),
      dims,
      isOptional: false,
    })),
    isSequence:
      config.sequenceBatching !== undefined || (isEnsemble && composing.some(({ isSequence }) => isSequence)),
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
    isEnsemble,
    hasCache: config.responseCache?.enable === true,
    composing,
  };
}

/** Asks the server for a model and everything behind it. */
export async function describeModel(
  link: ServerLink,
  model: string,
  version: string,
  called: readonly { readonly model: string; readonly version: string }[] = [],
): Promise<LoadModel> {
  const config = await link.modelConfig(model, version);
  const steps = (config.ensembleScheduling?.step ?? []).map((step) => ({
    model: step.modelName,
    version: step.modelVersion > 0 ? String(step.modelVersion) : '',
  }));
  const composing: LoadModel[] = [];
  for (const step of [...steps, ...called]) {
    if (composing.some(({ name, version: known }) => name === step.model && known === step.version)) continue;
    composing.push(await describeModel(link, step.model, step.version));
  }
  return loadModelOf(config, version, composing);
}
