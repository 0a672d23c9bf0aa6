// No models yet: the same three ways in as the welcome page.

import { FileDown, FolderPlus, Sparkles } from 'lucide-react';

import { openSamples } from '../../../actions/open-samples.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';

/** For a repository that is open and has no model in it. */
export function ListEmpty() {
  const engine = useEngine();
  const samples = useAction(() => openSamples(engine));
  const isMain = useMainAct(true, 'sends');
  return (
    <EmptyState
      testId="models-empty"
      title={t('models.empty.title')}
      text={t('models.empty.text')}
      actions={
        <>
          <Button
            variant={isMain ? 'primary' : 'secondary'}
            icon={Sparkles}
            isBusy={samples.isRunning}
            onClick={samples.run}
          >
            {t('models.samples')}
          </Button>
          <Button icon={FolderPlus} onClick={() => runCommand('repository.add')}>
            {t('models.addRepository')}
          </Button>
          <Button icon={FileDown} onClick={() => runCommand('repository.importOnnx')}>
            {t('models.addModel')}
          </Button>
        </>
      }
    />
  );
}
