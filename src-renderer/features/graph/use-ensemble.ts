// An ensemble's graph bound to a component: the text being edited with its findings, the models of its steps, live
// numbers, and the layout.

import { useMemo } from 'react';
import { useStore } from 'zustand';

import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { ConfigDocument } from '../../config/drafts/use-config-document.ts';
import { useDraftText } from '../../config/drafts/use-draft.ts';
import {
  useConfigDocument,
  useLanguageContext,
  useLiveCheck,
} from '../../config/drafts/use-config-document.ts';
import { useModels, useSamples } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { liveIssuesOf, liveProblems } from '../../lib/live-problems.ts';
import type { EnsembleDag } from './ensemble-dag.ts';
import { ensembleDag } from './ensemble-dag.ts';
import type { StepLoad } from './ensemble-load.ts';
import { ensembleLoad } from './ensemble-load.ts';
import type { EnsembleLayouts } from './use-ensemble-layouts.ts';
import { useEnsembleLayouts } from './use-ensemble-layouts.ts';

/** What the drawing of an ensemble is made of. `config` is what could be read of the text. */
export interface Ensemble extends ConfigDocument {
  readonly text: string;
  readonly config: ModelConfig;
  /** First mistake of the text, undefined when it can be read. */
  readonly textError: string | undefined;
  /** Models that could be steps. */
  readonly modelNames: readonly string[];
  /** The effective configuration of one of them; undefined = there is no such model. */
  readonly modelOf: (name: string) => ModelConfig | undefined;
  readonly dag: EnsembleDag;
  readonly loads: readonly StepLoad[];
  /** Message of the newest failed request, undefined when there is none. */
  readonly lastError: string | undefined;
  readonly layouts: EnsembleLayouts;
}

/** Reads the text, follows it as it is typed, and lays the steps out when they change. */
export function useEnsemble(model: ModelView): Ensemble {
  const { name } = model;
  const opened = useConfigDocument(name);
  const { document, draft } = opened;
  const text = useDraftText(document);
  const facts = useLanguageContext(name, document);
  useLiveCheck(document, facts);
  const issues = useStore(liveProblems, (state) => liveIssuesOf(document, state));
  const models = useModels(({ byName }) => byName);
  const parsed = useMemo(() => parseModelConfig(text), [text]);
  const modelNames = useMemo(() => (facts?.models ?? []).map((other) => other.name), [facts]);
  const modelOf = useMemo(() => parsedOnce(facts?.models ?? []), [facts]);
  const dag = useMemo(() => ensembleDag(parsed.config, issues, modelOf), [parsed, issues, modelOf]);
  const tick = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const activity = useCall('graph/ensemble', { model: name }, tick).data;
  const loads = useMemo(
    () => ensembleLoad({ dag, ensemble: model, models, activity }),
    [dag, model, models, activity],
  );
  const isReady = draft !== undefined && facts !== undefined;
  const layouts = useEnsembleLayouts(name, dag, isReady);
  return {
    ...opened,
    text,
    config: parsed.config,
    textError: firstError(parsed.issues)?.message,
    modelNames,
    modelOf,
    dag,
    loads,
    lastError: activity?.lastError || undefined,
    layouts,
  };
}

/** Each text is parsed when it is first asked for: a repository has many more models than an ensemble has steps. */
function parsedOnce(
  models: readonly { readonly name: string; readonly configText: string }[],
): (name: string) => ModelConfig | undefined {
  const texts = new Map(models.map(({ name, configText }) => [name, configText]));
  const configs = new Map<string, ModelConfig>();
  return (name) => {
    const text = texts.get(name);
    if (text === undefined) return undefined;
    const config = configs.get(name) ?? parseModelConfig(text).config;
    configs.set(name, config);
    return config;
  };
}
