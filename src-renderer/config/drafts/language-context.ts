// Joins what the engine told about a model and what the window knows of the others into the facts the language worker
// checks with. Pure.

import type { ConfigContext } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { LanguageContext, ModelReadiness } from '../language/language-protocol.ts';

type ReadinessByName = LanguageContext['readiness'];

/** A model that is not loaded is loaded together with its ensemble, so its versions on disk count. */
function readinessOf(model: ModelView): ModelReadiness {
  const versions =
    model.state === 'ready' ? model.servedVersions : model.versions.map(({ version }) => version);
  const hasFailed = model.state === 'failed';
  return {
    readyVersions: hasFailed ? [] : versions.map(Number),
    loadError: hasFailed ? (model.failure?.original ?? model.reason) || undefined : undefined,
  };
}

const texts = new WeakMap<readonly ModelView[], string>();

/**
 * As text, so that a list of models that is ready in the same way compares as equal. Written once per list: a thousand
 * models take some milliseconds, and it is asked for at each drawing.
 */
export function readinessText(models: readonly ModelView[]): string {
  const known = texts.get(models);
  if (known !== undefined) return known;
  const text = JSON.stringify(Object.fromEntries(models.map((model) => [model.name, readinessOf(model)])));
  texts.set(models, text);
  return text;
}

/** `readiness`: JSON of model name to readiness, as one text so that equal ones compare equal. */
export function languageContext(
  context: ConfigContext,
  readiness: string,
  gpuPolicy: 'strict' | 'fallback',
): LanguageContext {
  return { ...context, gpuPolicy, readiness: JSON.parse(readiness) as ReadinessByName };
}
