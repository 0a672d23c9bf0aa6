// The commands that start an import. They are there with the frame; what carries them out is fetched when one is given,
// so that the first click is never lost.

import { useEngine } from '../../engine/engine-context.tsx';
import { isConvertible } from '../../lib/model-state.ts';
import { t } from '../../texts/translate.ts';
import { useCommand, useModelCommand } from '../../lib/command-registry.ts';
import type * as ExportFlow from './export-flow.ts';
import { showDialog } from './import-store.ts';
import type * as LocateData from './locate-data.ts';
import type * as ReplaceModelFile from './replace-model-file.ts';
import type * as StartImport from './start-import.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

type Carrier = typeof ExportFlow & typeof LocateData & typeof ReplaceModelFile & typeof StartImport;

async function carrier(): Promise<Carrier> {
  const [start, locate, replace, leave] = await Promise.all([
    import('./start-import.ts'),
    import('./locate-data.ts'),
    import('./replace-model-file.ts'),
    import('./export-flow.ts'),
  ]);
  return { ...start, ...locate, ...replace, ...leave };
}

function run(work: (carrier: Carrier) => Promise<unknown>): void {
  carrier().then(work).catch(toastThrown);
}

/** Stands once in the window; draws nothing. */
export function ImportCommands() {
  const engine = useEngine();
  useCommand('repository.add', (replaced) => run((to) => to.addRepository(engine, replaced)));
  useCommand('repository.importOnnx', (model) =>
    run((to) => to.importFiles(engine, { intent: 'copy', model })),
  );
  useCommand('import.inspect', () => run((to) => to.importFiles(engine, { intent: 'inspect' })));
  useModelCommand('model.locateData', (model) => run((to) => to.locateData(engine, model)));
  useModelCommand('model.replaceFile', (model) => run((to) => to.replaceModelFile(engine, model)));
  useModelCommand('model.export', (names) => run((to) => to.exportModels(engine, names)));
  useModelCommand(
    'model.convert',
    (model) => showDialog({ kind: 'convert', model }),
    (name) => {
      const model = engine.state.models.getState().byName.get(name);
      return model === undefined || isConvertible(model) ? undefined : t('command.notConvertible');
    },
  );
  useCommand('code.newModel', () => showDialog({ kind: 'template', template: 'model' }));
  useCommand('code.newStep', () => showDialog({ kind: 'template', template: 'preprocess' }));
  useCommand('ensemble.new', () => showDialog({ kind: 'ensemble' }));
  return null;
}
