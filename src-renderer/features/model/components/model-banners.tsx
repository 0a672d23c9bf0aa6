// What lasts about one model: files changed on disk, an override that is not saved, limits it runs with.

import { useState } from 'react';

import { CONFIG_FILE } from '../../../../src-shared/config/config-file.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { disableDuplicate } from '../../../actions/disable-duplicate.ts';
import { beStrictAboutGpus } from '../../../actions/gpu-policy.ts';
import { reloadModel } from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { isWithoutFolder } from '../../../lib/model-folder.ts';
import { formatClock } from '../../../lib/format.ts';
import { isMissing, systemWords } from '../../../lib/system-words.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { BackendDialog, DeviceDialog } from './limits-dialog.tsx';

/** Often nothing; several banners stand below each other. */
export function ModelBanners({
  model,
  isConfigShown,
}: {
  readonly model: ModelView;
  /** The config tab has its own words and buttons for an override. */
  readonly isConfigShown: boolean;
}) {
  const empty = emptyVersion(model);
  // The backend is found by the file: a configuration without one is no fault of its own then.
  const isFileAllThatLacks = empty !== undefined && model.backend === '';
  return (
    <>
      {model.state === 'not-runnable' && <NotRunnableBanner model={model} />}
      {model.duplicateOf !== undefined && <DuplicateBanner model={model} />}
      {isWithoutFolder(model) && (
        <Banner isStrip tone="warn" testId="banner-away">
          {awayText(model)}
        </Banner>
      )}
      {model.isQuarantined && (
        <Banner isStrip tone="warn" testId="banner-quarantined">
          {t('model.quarantined')}
        </Banner>
      )}
      {model.changedOnDisk && model.state === 'ready' && model.failure === undefined && (
        <ChangedBanner key={model.loadedAtMs} model={model} />
      )}
      {model.hasOverride && !isConfigShown && <OverrideBanner model={model} />}
      {model.isDegraded && <DegradedBanner model={model} />}
      {empty !== undefined && <EmptyVersionBanner model={model} version={empty} />}
      {model.state === 'unloaded' && model.issueCounts.error > 0 && !isConfigShown && !isFileAllThatLacks && (
        <ProblemsBanner model={model} />
      )}
    </>
  );
}

/** Nobody mends a code of the system; what to do is said where nothing is there, else what the system says. */
function awayText({ path, reason = '' }: ModelView): string {
  return isMissing(reason)
    ? t('model.away.missing', { path })
    : t('model.away', { path, reason: systemWords(reason) });
}

/** The newest version folder without the file that the model needs; undefined = none, or it was tried already. */
function emptyVersion({ state, isEnsemble, backend, format, versions }: ModelView): string | undefined {
  if (state !== 'unloaded' || isEnsemble || (backend !== '' && format !== 'onnx')) return undefined;
  return versions.findLast(({ fileCount }) => fileCount === 0)?.version;
}

function EmptyVersionBanner({ model, version }: { readonly model: ModelView; readonly version: string }) {
  return (
    <Banner
      isStrip
      tone="warn"
      testId="banner-empty"
      actions={
        <Button size="sm" onClick={() => runCommand('model.locateData', model.name)}>
          {t('model.noFile.choose')}
        </Button>
      }
    >
      {t('model.noFile', { version })}
    </Banner>
  );
}

/** Before the first try: a load that failed has a card of its own. */
function ProblemsBanner({ model }: { readonly model: ModelView }) {
  return (
    <Banner
      isStrip
      tone="warn"
      testId="banner-problems"
      actions={
        <Button size="sm" onClick={() => open(modelAddress(model.name, 'config'))}>
          {t('model.problems.show')}
        </Button>
      }
    >
      {t('model.problems', { count: model.issueCounts.error })}
    </Banner>
  );
}

function DuplicateBanner({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  return (
    <Banner
      isStrip
      tone="warn"
      testId="banner-duplicate"
      actions={
        <Button size="sm" onClick={() => void disableDuplicate(engine, model.name)}>
          {t('duplicate.action')}
        </Button>
      }
    >
      {t('duplicate.banner', { first: model.repository, second: model.duplicateOf ?? '' })}
    </Banner>
  );
}

function NotRunnableBanner({ model }: { readonly model: ModelView }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Banner
      isStrip
      tone="neutral"
      testId="banner-not-runnable"
      actions={
        <Button size="sm" data-testid="banner-not-runnable-details" onClick={() => setIsOpen(true)}>
          {t('common.details')}
        </Button>
      }
    >
      {t('model.notRunnable', { backend: model.backend })}
      {isOpen && <BackendDialog model={model} onClose={() => setIsOpen(false)} />}
    </Banner>
  );
}

function DegradedBanner({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Banner
      isStrip
      tone="warn"
      testId="banner-degraded"
      actions={
        <>
          <Button size="sm" data-testid="banner-degraded-details" onClick={() => setIsOpen(true)}>
            {t('common.details')}
          </Button>
          <Button
            size="sm"
            data-testid="banner-degraded-strict"
            onClick={() => void beStrictAboutGpus(engine)}
          >
            {t('model.strict')}
          </Button>
        </>
      }
    >
      {t('model.degraded', { name: model.name })}
      {isOpen && <DeviceDialog model={model} onClose={() => setIsOpen(false)} />}
    </Banner>
  );
}

function ChangedBanner({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  const [isIgnored, setIsIgnored] = useState(false);
  if (isIgnored) return null;
  return (
    <Banner
      isStrip
      tone="info"
      testId="banner-changed"
      actions={
        <>
          <Button
            size="sm"
            data-testid="banner-changed-reload"
            onClick={() => void reloadModel(engine, model.name)}
          >
            {t(model.reloadKind === 'instances' ? 'model.changed.instances' : 'model.changed.reload')}
          </Button>
          {hasModelTab('config') && (
            <Button
              size="sm"
              onClick={() => open(modelAddress(model.name, 'config', { view: 'diff', with: 'loaded' }))}
            >
              {t('model.changed.diff')}
            </Button>
          )}
          <Button size="sm" onClick={() => setIsIgnored(true)}>
            {t('model.changed.ignore')}
          </Button>
        </>
      }
    >
      {t(model.isConfigChanged ? 'model.changed' : 'model.changed.files', {
        file: CONFIG_FILE,
        time: formatClock(model.loadedAtMs).slice(0, 5),
      })}
    </Banner>
  );
}

function OverrideBanner({ model }: { readonly model: ModelView }) {
  const engine = useEngine();
  return (
    <Banner
      isStrip
      tone="info"
      testId="banner-override"
      actions={
        <>
          {hasModelTab('config') && (
            <Button size="sm" onClick={() => open(modelAddress(model.name, 'config'))}>
              {t('model.override.open')}
            </Button>
          )}
          <Button
            size="sm"
            data-testid="banner-override-revert"
            onClick={() => void reloadModel(engine, model.name)}
          >
            {t('model.override.revert')}
          </Button>
        </>
      }
    >
      {t('model.override')}
    </Banner>
  );
}
