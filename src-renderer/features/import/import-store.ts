// What the import shows: dialogs waiting for an answer (one at a time, in order), the picker, and a running upload.

import { createStore } from 'zustand/vanilla';

import type { CodeTemplateId } from '../../../src-shared/contract/code-calls.ts';
import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';

export type Intent = 'copy' | 'link' | 'inspect';

export type ConflictAnswer = 'add-version' | 'replace' | 'keep-both' | undefined;

export type ImportDialog =
  | { readonly kind: 'wizard'; readonly inspections: readonly OnnxInspection[] }
  | {
      readonly kind: 'repository';
      readonly item: DropItem;
      /** Repository that goes when this one is added. */
      readonly replaced?: string;
    }
  | { readonly kind: 'config'; readonly item: DropItem }
  | { readonly kind: 'version'; readonly item: DropItem; readonly model: string }
  | { readonly kind: 'inspect'; readonly item: DropItem }
  | { readonly kind: 'framework'; readonly inspection: FrameworkInspection }
  | { readonly kind: 'convert'; readonly model: string }
  | { readonly kind: 'template'; readonly template: CodeTemplateId }
  | {
      readonly kind: 'conflict';
      readonly item: DropItem;
      readonly keepBothName: string;
      readonly answer: (answer: ConflictAnswer) => void;
    };

export interface PickerRequest {
  readonly title: string;
  /** Folders only, or files and folders. */
  readonly mode: 'folder' | 'any';
  /** Not only what looks like a model. */
  readonly isAnyFile?: boolean;
  /** Server paths; empty when cancelled. */
  readonly answer: (paths: readonly string[]) => void;
}

export interface ImportState {
  readonly dialogs: readonly ImportDialog[];
  readonly picker: PickerRequest | undefined;
  readonly upload:
    { readonly name: string; readonly share: number; readonly controller: AbortController } | undefined;
}

export const importStore = createStore<ImportState>(() => ({
  dialogs: [],
  picker: undefined,
  upload: undefined,
}));

export function showDialog(dialog: ImportDialog): void {
  importStore.setState(({ dialogs }) => ({ dialogs: [...dialogs, dialog] }));
}

export function closeDialog(dialog: ImportDialog): void {
  importStore.setState(({ dialogs }) => ({ dialogs: dialogs.filter((other) => other !== dialog) }));
}

export function askConflict(item: DropItem, keepBothName: string): Promise<ConflictAnswer> {
  return new Promise((resolve) => {
    const dialog: ImportDialog = {
      kind: 'conflict',
      item,
      keepBothName,
      answer: (answer) => {
        closeDialog(dialog);
        resolve(answer);
      },
    };
    showDialog(dialog);
  });
}

/** The page's own picker; a second request cancels the first. */
export function askPath(
  title: string,
  mode: PickerRequest['mode'],
  isAnyFile = false,
): Promise<readonly string[]> {
  importStore.getState().picker?.answer([]);
  return new Promise((resolve) => {
    importStore.setState({
      picker: {
        title,
        mode,
        isAnyFile,
        answer: (paths) => {
          importStore.setState({ picker: undefined });
          resolve(paths);
        },
      },
    });
  });
}
