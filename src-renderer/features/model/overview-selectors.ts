// Joins what config, client interface and model file say of the same tensor, and finds what the server completed by
// itself. Pure.

import type { EffectiveConfig } from '../../../src-shared/contract/config-calls.ts';
import type { TensorDescription } from '../../../src-shared/config/model-description.ts';
import type { TensorFacts } from './components/tensor-card.tsx';
import type { ServedTensor, ServerRole } from './served-config.ts';

interface ClientTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly optional?: boolean;
}

/** What is said of the inputs, or of the outputs; absent = not known. */
interface TensorSources {
  readonly config?: readonly ServedTensor[] | undefined;
  readonly client?: readonly ClientTensor[] | undefined;
  /** What the model file says. */
  readonly graph?: readonly TensorDescription[] | undefined;
}

interface ModelFacts {
  readonly isBatched: boolean;
  /** Tensor -> what the server gives or takes by it; tensors of clients alone are missing. */
  readonly serverRoles?: ReadonlyMap<string, ServerRole> | undefined;
}

/** Every tensor that any of the three names, in the order of config, client, file. */
export function tensorFacts(
  { config = [], client = [], graph = [] }: TensorSources,
  { isBatched, serverRoles }: ModelFacts,
): readonly TensorFacts[] {
  const names = new Set([...config, ...client, ...graph].map(({ name }) => name));
  const facts = [...names].map((name) => {
    const inConfig = config.find((tensor) => tensor.name === name);
    const atClient = client.find((tensor) => tensor.name === name);
    const inGraph = graph.find((tensor) => tensor.name === name);
    return {
      name,
      datatype:
        atClient?.datatype ??
        inConfig?.dataType.replace('TYPE_', '') ??
        inGraph?.datatype ??
        inGraph?.sourceType ??
        '',
      isOptional: atClient?.optional ?? false,
      client: atClient?.shape,
      config: inConfig?.dims,
      reshape: inConfig?.reshape,
      graph: inGraph?.shape,
      isBatched,
      // A state that is asked for as an output too is the client's as well.
      serverRole: inConfig === undefined && atClient === undefined ? serverRoles?.get(name) : undefined,
    };
  });
  // What has neither is a fragment of a text that cannot be read.
  return facts.filter(({ name, datatype }) => name !== '' || datatype !== '');
}

/** Each follows from what is written or from the file, and can be nothing else: no news. */
const IMPLIED: ReadonlySet<string> = new Set(['backend', 'platform', 'model_transaction_policy']);

/** Top-level fields whose lines came from completion, in order, each once, with its value where that is one word. */
export function filledFields({ text, origins }: EffectiveConfig): readonly string[] {
  const fields = new Map<string, string>();
  text.split('\n').forEach((line, index) => {
    const [, field, value = ''] = /^([a-z_]+)\s*(?:[{[]|:\s*([\w".-]*))/.exec(line) ?? [];
    if (field === undefined || origins[index]?.kind !== 'auto-complete' || IMPLIED.has(field)) return;
    const shown = value.replaceAll('"', '');
    fields.set(field, shown === '' ? field : `${field} ${shown}`);
  });
  return [...fields.values()];
}
