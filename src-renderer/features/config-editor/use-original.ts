// What the text in the editor is compared with: the file, what it completes to, what runs, what another version
// completes to, another profile, the text of a perf run, the last commit.

import { useMemo } from 'react';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { editableText } from '../../config/drafts/config-drafts.ts';
import { useLanguageAnswer } from '../../config/drafts/use-config-document.ts';
import { useCall } from '../../engine/use-call.ts';
import { formatDateTime } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import type { PaneProps } from './components/effective-pane.tsx';

const PROFILE = 'profile:';
const VERSION = 'version:';
const RUN = 'run:';
const SHOWN_RUNS = 10;

/** One text that can be compared with, as an entry of the list. */
export interface DiffOption {
  /** See `compareWith` of `ConfigPanes`. */
  readonly value: string;
  readonly label: string;
  readonly disabledReason?: string | undefined;
}

/** What there is to compare with, in the order of the list. */
export function useDiffOptions({ model, draft }: PaneProps): readonly DiffOption[] {
  const { name } = model;
  const profiles = useCall('config/profiles', { model: name }, draft.disk.hash).data?.profiles ?? [];
  const runs = useCall('perf/runs', { model: name }).data ?? [];
  const isReady = model.state === 'ready';
  return [
    { value: 'disk', label: t('config.diff.disk') },
    { value: 'effective', label: t('config.diff.effective') },
    {
      value: 'running',
      label: t('config.diff.running'),
      disabledReason: isReady ? undefined : t('config.effective.notRunning'),
    },
    {
      value: 'loaded',
      label: t('config.diff.loaded'),
      disabledReason: isReady ? undefined : t('config.effective.notRunning'),
    },
    { value: 'git', label: t('config.diff.git') },
    ...otherVersions(model).map((version) => ({
      value: VERSION + version,
      label: t('config.diff.version', { version }),
    })),
    ...profiles
      .filter((profile) => profile !== draft.profile)
      .map((profile) => ({ value: PROFILE + profile, label: t('config.diff.profile', { profile }) })),
    ...runs.slice(0, SHOWN_RUNS).map(({ id, name: title, startedAtMs }) => ({
      value: RUN + id,
      label: t('config.diff.run', {
        name: title,
        time: formatDateTime(startedAtMs),
      }),
    })),
  ];
}

/** A single version completes to what Effective shows anyway. */
function otherVersions({ versions }: ModelView): readonly string[] {
  return versions.length < 2 ? [] : versions.map(({ version }) => version);
}

/** The other text; undefined while it is fetched, or with the reason why there is none. */
export function useOriginal(
  { model, document, draft, facts }: PaneProps,
  target: string,
): { readonly text: string | undefined; readonly error: string | undefined } {
  const { name } = model;
  const after = (prefix: string): string | undefined =>
    target.startsWith(prefix) ? target.slice(prefix.length) : undefined;
  const [profile, version, run] = [after(PROFILE), after(VERSION), after(RUN)];
  const running = useCall(
    'config/effective',
    target === 'running' ? { model: name } : undefined,
    `${model.loadedAtMs} ${String(model.hasOverride)}`,
  );
  const ofVersion = useCall(
    'config/effective',
    version === undefined ? undefined : { model: name, text: draft.disk.text, version },
  );
  const ofProfile = useCall(
    'config/readProfile',
    profile === undefined ? undefined : { model: name, profile },
  );
  const ofRun = useCall('perf/run', run === undefined ? undefined : { run });
  const loaded = useCall(
    'config/lastLoaded',
    target === 'loaded' ? { model: name } : undefined,
    `${model.loadedAtMs} ${String(model.changedOnDisk)}`,
  );
  const git = useCall(
    'config/gitHead',
    target === 'git' ? { model: name, profile: draft.profile } : undefined,
  );
  const effective = useLanguageAnswer('effective', document, target === 'effective', facts);
  const effectiveText = useMemo(
    () => effective.answer?.lines.map(({ text }) => `${text}\n`).join(''),
    [effective.answer],
  );
  if (version !== undefined) return { text: withLineEnd(ofVersion.data?.text), error: ofVersion.error };
  if (run !== undefined) return { text: withLineEnd(ofRun.data?.configText), error: ofRun.error };
  if (profile !== undefined) {
    return { text: ofProfile.data && editableText(ofProfile.data.text), error: ofProfile.error };
  }
  switch (target) {
    case 'effective':
      return { text: effectiveText, error: effective.error };
    case 'running':
      return { text: withLineEnd(running.data?.text), error: running.error };
    case 'loaded': {
      const isUnknown = loaded.data !== undefined && loaded.data.text === undefined;
      const text = loaded.data?.text;
      return {
        text: text === undefined ? undefined : editableText(text),
        error: isUnknown ? t('config.diff.loadedUnknown') : loaded.error,
      };
    }
    case 'git':
      return {
        text: git.data?.text === undefined ? undefined : editableText(git.data.text),
        error: git.error ?? git.data?.reason,
      };
    default:
      return { text: (draft.conflict ?? draft.disk).text, error: undefined };
  }
}

function withLineEnd(text: string | undefined): string | undefined {
  return text === undefined || text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
