// The page of a folder whose name is used in another repository too. Everything that acts on a model finds it by its
// name and would reach the other folder, so this page says where both are and what to do, and nothing else.

import { Copy, FolderOpen, ListX, SquareArrowOutUpRight } from 'lucide-react';

import { disableDuplicate } from '../../../actions/disable-duplicate.ts';
import { ModelInspector } from '../../../actions/model-inspector.tsx';
import { revealPath } from '../../../actions/reveal.ts';
import { useEngine, useModel, useModels } from '../../../engine/engine-context.tsx';
import { nativeShell } from '../../../engine/native-shell.ts';
import { modelAddress } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { InInspector } from '../../../ui/inspector-slot.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ModelGone } from './model-gone.tsx';

/** Once its name is used here alone, the page leads to that of the model. */
export function ShadowedFolder({ name, repository }: { readonly name: string; readonly repository: string }) {
  const engine = useEngine();
  const isLoadedOnce = useModels((state) => state.isLoaded);
  const folder = useModels(({ models }) =>
    models.find((model) => model.name === name && model.repository === repository),
  );
  const first = useModel(name);
  if (!isLoadedOnce) return <Skeleton rows={6} />;
  if (folder === undefined) return <ModelGone name={name} />;
  const { path, isShadowed } = folder;
  const other = first?.path ?? '';
  return (
    <>
      <EmptyState
        icon={Copy}
        testId="shadowed-folder"
        title={t(isShadowed ? 'model.shadowed.title' : 'model.shadowed.over', { name })}
        text={isShadowed ? t('model.shadowed.text', { name, path, other }) : path}
        actions={
          <>
            {isShadowed && (
              <Button
                icon={ListX}
                variant="primary"
                data-testid="shadowed-disable"
                onClick={() => void disableDuplicate(engine, name)}
              >
                {t('duplicate.action')}
              </Button>
            )}
            <Button
              icon={SquareArrowOutUpRight}
              data-testid="shadowed-open-other"
              onClick={() => open(modelAddress(name))}
            >
              {isShadowed ? t('model.shadowed.other', { other }) : t('common.open')}
            </Button>
            <Button icon={FolderOpen} onClick={() => void revealPath(path)}>
              {t(nativeShell() === undefined ? 'models.copyPathOf' : 'models.revealOf', { name })}
            </Button>
          </>
        }
      />
      <InInspector>
        <ModelInspector models={[folder]} isOpened />
      </InInspector>
    </>
  );
}
