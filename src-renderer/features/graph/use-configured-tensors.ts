// What the configuration says about the inputs and outputs of a model, by name.

import { useMemo } from 'react';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { useCall } from '../../engine/use-call.ts';

/** Name -> "TYPE_FP32 [3,224,224]"; undefined until it is known. */
export function useConfiguredTensors(
  model: string,
  refresh: string,
): ReadonlyMap<string, string> | undefined {
  const text = useCall('config/effective', { model }, refresh).data?.text;
  return useMemo(() => {
    if (text === undefined) return undefined;
    const { config } = parseModelConfig(text);
    return new Map(
      [...config.input, ...config.output].map(({ name, dataType, dims }) => [
        name,
        `${dataType} [${dims.join(',')}]`,
      ]),
    );
  }, [text]);
}
