// Importing as a part of the window: the drop overlay, the dialogs in their order, the picker, a running upload.

import { X } from 'lucide-react';
import { useStore } from 'zustand';

import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { DropOverlay } from './components/drop-overlay.tsx';
import { ConvertDialog } from './components/convert-dialog.tsx';
import { EnsembleDialog } from './components/ensemble-dialog.tsx';
import { FrameworkDialog } from './components/framework-dialog.tsx';
import {
  ConflictDialog,
  InspectDialog,
  RepositoryDialog,
  VersionDialog,
} from './components/import-dialogs.tsx';
import { NameDialog } from './components/name-dialog.tsx';
import { PathPicker } from './components/path-picker.tsx';
import { ScratchDialog } from './components/scratch-dialog.tsx';
import { TemplateDialog } from './components/template-dialog.tsx';
import { WizardDialog } from './components/wizard-dialog.tsx';
import type { ImportDialog, Reading, Upload } from './import-store.ts';
import { closeDialog, importStore } from './import-store.ts';
import { useOpenFromDesktop } from './open-from-desktop.ts';

/** Stands once in the window; one dialog is open at a time. */
export function ImportHost() {
  const dialog = useStore(importStore, ({ dialogs }) => dialogs[0]);
  useOpenFromDesktop();
  return (
    <>
      <DropOverlay />
      {dialog !== undefined && <OpenDialog dialog={dialog} />}
      <NameDialog />
      <PathPicker />
      <UploadStrips />
      <ReadingStrips />
    </>
  );
}

function OpenDialog({ dialog }: { readonly dialog: ImportDialog }) {
  const onClose = (): void => closeDialog(dialog);
  switch (dialog.kind) {
    case 'wizard':
      return <WizardDialog inspections={dialog.inspections} onClose={onClose} />;
    case 'conflict':
      return <ConflictDialog dialog={dialog} />;
    case 'config':
      return <ScratchDialog key={dialog.item.path} item={dialog.item} onClose={onClose} />;
    case 'repository':
      return <RepositoryDialog key={dialog.item.path} dialog={dialog} onClose={onClose} />;
    case 'version':
      return <VersionDialog key={dialog.item.path} dialog={dialog} onClose={onClose} />;
    case 'framework':
      return (
        <FrameworkDialog
          key={dialog.inspection.path}
          inspection={dialog.inspection}
          isCode={dialog.isCode}
          onClose={onClose}
        />
      );
    case 'convert':
      return <ConvertDialog key={dialog.model} model={dialog.model} onClose={onClose} />;
    case 'template':
      return <TemplateDialog first={dialog.template} onClose={onClose} />;
    case 'ensemble':
      return <EnsembleDialog onClose={onClose} />;
    case 'inspect':
      return <InspectDialog key={dialog.item.path} dialog={dialog} onClose={onClose} />;
  }
}

function UploadStrips() {
  const uploads = useStore(importStore, (state) => state.uploads);
  return uploads.map((upload, index) => <UploadStrip key={index} upload={upload} />);
}

function UploadStrip({ upload: { name, share, controller } }: { readonly upload: Upload }) {
  return (
    <WorkStrip
      testId="upload"
      label={t('import.uploading', { name })}
      share={share}
      cancelText={t('import.uploadCancel')}
      controller={controller}
    />
  );
}

function ReadingStrips() {
  const readings = useStore(importStore, (state) => state.readings);
  return readings.map((reading, index) => <ReadingStrip key={index} reading={reading} />);
}

function ReadingStrip({ reading: { name, controller } }: { readonly reading: Reading }) {
  return (
    <WorkStrip
      testId="reading"
      label={t('framework.reading', { name })}
      share={undefined}
      cancelText={t('framework.readingCancel')}
      controller={controller}
    />
  );
}

/** Work that is on its way, and the button that ends it. `share`: 0..1, undefined = not known. */
function WorkStrip({
  testId,
  label,
  share,
  cancelText,
  controller,
}: {
  readonly testId: string;
  readonly label: string;
  readonly share: number | undefined;
  readonly cancelText: string;
  readonly controller: AbortController;
}) {
  return (
    <div
      role="status"
      aria-live="polite"
      data-testid={`${testId}-strip`}
      className="flex shrink-0 items-center gap-3 border-t border-line bg-info-soft px-3 py-1.5"
    >
      <span className="truncate text-strong">{label}</span>
      <Progress value={share} label={label} className="w-56" />
      {share !== undefined && <span className="w-10 text-right text-soft">{Math.round(share * 100)} %</span>}
      <Button
        size="sm"
        icon={X}
        worksOffline
        data-testid={`${testId}-cancel`}
        onClick={() => controller.abort(new DOMException('cancelled', 'AbortError'))}
      >
        {cancelText}
      </Button>
    </div>
  );
}
