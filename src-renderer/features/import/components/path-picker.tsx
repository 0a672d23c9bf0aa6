// The page's own picker: folders of the server below its root, walked or typed, with a new one where none fits; or files
// of this computer, which are uploaded.

import { ArrowUp, Folder, FolderPlus, PencilLine, Upload } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { useClient, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatDuration } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useClock } from '../../../ui/use-clock.ts';
import { Checkbox } from '../../../ui/toggles.tsx';
import { filesOf } from '../dropped-entries.ts';
import type { PickerRequest } from '../import-store.ts';
import { importStore } from '../import-store.ts';
import { upload } from '../start-import.ts';
import { Entries, ENTRIES } from './picker-entries.tsx';

/** What has the focus in a picker without entries. */
const UP = 'picker-up';

/** Stands once in the window; the request in the store gets the paths. */
export function PathPicker() {
  const request = useStore(importStore, (state) => state.picker);
  return request === undefined ? null : <OpenPicker key={request.title} request={request} />;
}

function OpenPicker({ request }: { readonly request: PickerRequest }) {
  const hasRoot = useServer((view) => (view?.uiRoot ?? '') !== '');
  const [path, setPath] = useState('');
  const [chosen, setChosen] = useState<string>();
  // A missing file may be of any kind; a model is one of few.
  const [showsAll, setShowsAll] = useState(request.isAnyFile === true);
  const listing = useCall('repository/browse', hasRoot ? { path } : undefined);
  const current = listing.data?.path ?? path;
  /** A folder was opened by its entry, or left from one: what comes next has the focus. */
  const walksOn = useRef(false);
  /** Until the first list is there, unless somebody went elsewhere meanwhile. */
  const isOpening = useRef(true);
  const first = useRef<HTMLButtonElement>(null);
  const go = (next: string): void => {
    walksOn.current = document.activeElement?.closest(`[data-testid="${ENTRIES}"]`) != null;
    setPath(next);
    setChosen(undefined);
  };
  const canGoUp = listing.data?.parent !== '' && current !== '';
  const up = (): void => {
    if (canGoUp) go(listing.data?.parent ?? '');
  };
  // The entry that was opened is gone, and the dialog has put the focus wherever it may be: the first one of what came has
  // it, so that keys walk on; also when the picker opens, before any other key was pressed. Before anything is painted: a key that is pressed at once must not lose the focus again.
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isNowhere = activeElement === document.body || activeElement?.matches('[role="dialog"]') === true;
    if (listing.data === undefined) return;
    if (path !== '' && listing.data.path !== path && listing.data.file === undefined) return;
    const isUntouched = isOpening.current && activeElement?.matches(`[data-testid="${UP}"]`) === true;
    isOpening.current = false;
    if (!walksOn.current && !isNowhere && !isUntouched) return;
    walksOn.current = false;
    first.current?.focus();
  }, [path, listing.data]);
  const isFolderMode = request.mode === 'folder';
  // A folder that is not there, or not yet looked into, is no answer.
  const pathOf = ({ name }: { readonly name: string }): string => `${current.replace(/[\\/]$/, '')}/${name}`;
  // A file whose path was typed is chosen, whatever it looks like.
  const typed = isFolderMode ? undefined : listing.data?.file;
  const picked = chosen ?? (typed === undefined ? undefined : pathOf({ name: typed }));
  const answer = picked ?? (isFolderMode ? listing.data?.path : undefined);
  return (
    <Dialog
      isOpen
      isFlush
      width="md"
      testId="path-picker"
      title={request.title}
      initialFocus={first}
      onClose={() => request.answer([])}
      footer={
        <>
          {request.mode === 'any' && <UploadButtons request={request} />}
          <span className="flex-1" />
          <Button worksOffline onClick={() => request.answer([])}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            data-testid="picker-choose"
            disabledReason={answer === undefined ? t('picker.nothing') : undefined}
            onClick={() => request.answer(answer === undefined ? [] : [answer])}
          >
            {t(isFolderMode && chosen === undefined ? 'picker.use' : 'picker.choose')}
          </Button>
        </>
      }
    >
      {!hasRoot ? (
        <EmptyState title={t('picker.noRoot')} />
      ) : (
        <div className="flex h-80 flex-col border-t border-line">
          <div className="flex items-center gap-1 border-b border-line px-3 py-1">
            <IconButton
              label={t('picker.up')}
              icon={ArrowUp}
              // From a folder that cannot be read it leads to where one began.
              disabledReason={canGoUp ? undefined : t('picker.top')}
              data-testid={UP}
              onClick={up}
            />
            <Place current={current} fault={listing.error} onGo={go} />
            {request.mode === 'any' && (
              <Checkbox isOn={showsAll} onChange={setShowsAll} data-testid="picker-all">
                {t('picker.allFiles')}
              </Checkbox>
            )}
          </div>
          {listing.error !== undefined && (
            <p role="alert" aria-live="assertive" className="p-4 text-bad">
              {listing.error}
            </p>
          )}
          {listing.data === undefined ? (
            listing.error === undefined && <Looking key={path} path={path} />
          ) : (
            <Entries
              key={current}
              first={first}
              entries={listing.data.entries.filter(
                ({ name, isFolder, looksLike }) =>
                  isFolder || name === typed || (!isFolderMode && (showsAll || looksLike !== 'unknown')),
              )}
              chosen={picked}
              pathOf={pathOf}
              onChoose={setChosen}
              onGo={go}
              onAnswer={(next) => request.answer([next])}
              onUp={up}
            />
          )}
        </div>
      )}
    </Dialog>
  );
}

/** A store or a mounted folder may be slow to answer, or never do. */
const SLOW_MS = 2000;

function Looking({ path }: { readonly path: string }) {
  const [sinceMs] = useState(() => Date.now());
  const elapsedMs = useClock() - sinceMs;
  return (
    <>
      {path !== '' && elapsedMs >= SLOW_MS && (
        <p role="status" aria-live="polite" className="px-4 pt-3 text-soft" data-testid="picker-slow">
          {t('picker.slow', { path })}{' '}
          <span aria-live="off">{t('picker.slowSince', { elapsed: formatDuration(elapsedMs) })}</span>
        </p>
      )}
      <Skeleton />
    </>
  );
}

/** Where one is; a path can be typed, and a folder made. `fault`: why what is there cannot be shown. */
function Place({
  current,
  fault,
  onGo,
}: {
  readonly current: string;
  readonly fault: string | undefined;
  readonly onGo: (path: string) => void;
}) {
  const client = useClient();
  const [editing, setEditing] = useState<'path' | 'folder'>();
  const [text, setText] = useState('');
  const begin = (what: 'path' | 'folder'): void => {
    setEditing(what);
    setText(what === 'path' ? current : '');
  };
  const isTyped = useRef(false);
  // A path that cannot be shown is still there to be mended, and has the focus.
  useEffect(() => {
    if (fault === undefined || !isTyped.current) return undefined;
    isTyped.current = false;
    setEditing('path');
    return () => setEditing(undefined);
  }, [fault]);
  const done = useAction(async () => {
    const typed = text.trim();
    if (typed === '') return;
    isTyped.current = editing === 'path';
    if (editing === 'path') onGo(typed);
    else onGo((await client.call('repository/createFolder', { parent: current, name: typed })).path);
    setEditing(undefined);
  });
  if (editing === undefined) {
    return (
      <>
        <code className="min-w-0 flex-1 truncate text-strong" data-testid="picker-path">
          {current}
        </code>
        <IconButton
          label={t('picker.type')}
          icon={PencilLine}
          data-testid="picker-type"
          onClick={() => begin('path')}
        />
        <IconButton
          label={t('picker.newFolder')}
          icon={FolderPlus}
          needsServer
          data-testid="picker-new-folder"
          onClick={() => begin('folder')}
        />
      </>
    );
  }
  return (
    <form
      className="flex min-w-0 flex-1 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        done.run();
      }}
    >
      <TextInput
        autoFocus
        isMono
        className="flex-1"
        aria-label={t(editing === 'path' ? 'picker.path' : 'picker.folderName')}
        placeholder={t(editing === 'path' ? 'picker.path' : 'picker.folderName')}
        value={text}
        onChange={setText}
        // What is typed takes the place of what is there.
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-testid="picker-text"
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setEditing(undefined);
        }}
      />
      <Button size="sm" type="submit" isBusy={done.isRunning} data-testid="picker-text-done">
        {t(editing === 'path' ? 'picker.go' : 'picker.make')}
      </Button>
    </form>
  );
}

function UploadButtons({ request }: { readonly request: PickerRequest }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const onChosen = (list: FileList | null): void => {
    if (list === null || list.length === 0) return;
    const chosen = filesOf(list);
    importStore.setState({ picker: undefined });
    void upload(chosen).then(request.answer);
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-testid="picker-upload-input"
        onChange={(event) => onChosen(event.target.files)}
      />
      <input
        type="file"
        hidden
        data-testid="picker-upload-folder-input"
        ref={(element) => {
          // Not known to React's types; every browser that runs this page knows it.
          element?.setAttribute('webkitdirectory', '');
          folder.current = element;
        }}
        onChange={(event) => onChosen(event.target.files)}
      />
      <Button icon={Upload} data-testid="picker-upload" onClick={() => files.current?.click()}>
        {t('picker.upload')}
      </Button>
      <Button icon={Folder} onClick={() => folder.current?.click()}>
        {t('picker.uploadFolder')}
      </Button>
    </>
  );
}
