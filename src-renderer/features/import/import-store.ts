// What the import shows: dialogs waiting for an answer (one at a time, in order), the picker, and a running upload.

import { createStore } from 'zustand/vanilla';

import type { CodeTemplateId } from '../../../src-shared/contract/code-calls.ts';
import type { FrameworkInspection } from '../../../src-shared/contract/framework-calls.ts';
import type { ConversionStep } from '../../../src-shared/contract/conversion-steps.ts';
import type { OnnxInspection } from '../../../src-shared/contract/config-calls.ts';
import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';

/** Put a copy into the repository, open the folder where it is, or only look. */
export type Intent = 'copy' | 'link' | 'inspect';

/** What to do about a name that is taken; undefined = leave that model out. */
export type ConflictAnswer = 'add-version' | 'replace' | 'keep-both' | undefined;

/** A question that is asked, with what its answer is about. */
export type ImportDialog =
  | { readonly kind: 'wizard'; readonly inspections: readonly OnnxInspection[] }
  | {
      readonly kind: 'repository';
      readonly item: DropItem;
      /** Repository that goes when this one is added. */
      readonly replaced?: string | undefined;
    }
  | { readonly kind: 'config'; readonly item: DropItem }
  | { readonly kind: 'version'; readonly item: DropItem; readonly model: string }
  | { readonly kind: 'inspect'; readonly item: DropItem }
  | {
      readonly kind: 'framework';
      readonly inspection: FrameworkInspection;
      /** The file is code that may run. */
      readonly isCode: boolean;
    }
  | { readonly kind: 'convert'; readonly model: string }
  | { readonly kind: 'template'; readonly template: CodeTemplateId }
  | { readonly kind: 'ensemble' }
  | {
      readonly kind: 'conflict';
      readonly item: DropItem;
      readonly keepBothName: string;
      readonly answer: (answer: ConflictAnswer) => void;
    };

/** What the picker is to find, and who gets it. */
export interface PickerRequest {
  readonly title: string;
  /** Folders only, or files and folders. */
  readonly mode: 'folder' | 'any';
  /** Not only what looks like a model. */
  readonly isAnyFile?: boolean;
  /** Server paths; empty when cancelled. */
  readonly answer: (paths: readonly string[]) => void;
}

/** All that is shown of importing. */
export interface ImportState {
  /** The first one is open, the others wait for it. */
  readonly dialogs: readonly ImportDialog[];
  readonly picker: PickerRequest | undefined;
  /** Those under way, in the order in which they began. */
  readonly uploads: readonly Upload[];
  /** Files whose framework is being asked what they hold. */
  readonly readings: readonly Reading[];
  /** The last conversion to ONNX of a model that failed, until the next one; closing its dialog does not forget it. */
  readonly failedConversions: ReadonlyMap<string, FailedConversion>;
}

/** Why a conversion ended before its time. */
export interface ConversionFailure {
  readonly message: string;
  /** What the framework printed; undefined = nothing beside the message. */
  readonly output: string | undefined;
}

/** How a conversion failed, and at which step. */
export interface FailedConversion {
  /** Name that the new model was to have. */
  readonly newName: string;
  readonly step: ConversionStep;
  readonly failure: ConversionFailure;
}

/** A model file that is being read. */
export interface Reading {
  readonly name: string;
  /** Ends the reading. */
  readonly controller: AbortController;
}

/** Files on their way to the server, under the name that is shown. */
export interface Upload {
  readonly name: string;
  /** 0..1 */
  readonly share: number;
  /** Ends the upload. */
  readonly controller: AbortController;
}

/** The first dialog is the one that is shown. */
export const importStore = createStore<ImportState>(() => ({
  dialogs: [],
  picker: undefined,
  uploads: [],
  readings: [],
  failedConversions: new Map(),
}));

/** `failed`: undefined = the model has none that failed. */
export function keepConversion(model: string, failed: FailedConversion | undefined): void {
  importStore.setState(({ failedConversions }) => {
    const kept = new Map(failedConversions);
    if (failed === undefined) kept.delete(model);
    else kept.set(model, failed);
    return { failedConversions: kept };
  });
}

/** Whether the conversion of that model is shown, or waits for another dialog. */
export function isConvertShown(model: string): boolean {
  return importStore.getState().dialogs.some((dialog) => dialog.kind === 'convert' && dialog.model === model);
}

/** Opens a dialog, after those that wait already. */
export function showDialog(dialog: ImportDialog): void {
  importStore.setState(({ dialogs }) => ({ dialogs: [...dialogs, dialog] }));
}

/** Takes a dialog away, open or waiting; the next one opens. */
export function closeDialog(dialog: ImportDialog): void {
  importStore.setState(({ dialogs }) => ({ dialogs: dialogs.filter((other) => other !== dialog) }));
}

/** Asks what becomes of a model whose name is taken; undefined = it is not imported. */
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

/** Shows how far an upload is, for the first time or again. */
export function showUpload(upload: Upload): void {
  importStore.setState(({ uploads }) => ({
    uploads: uploads.some(({ controller }) => controller === upload.controller)
      ? uploads.map((other) => (other.controller === upload.controller ? upload : other))
      : [...uploads, upload],
  }));
}

/** Takes an upload away that ended; others stay. */
export function endUpload(ended: AbortController): void {
  importStore.setState(({ uploads }) => ({
    uploads: uploads.filter(({ controller }) => controller !== ended),
  }));
}

/** Does the work that reads a file, and shows it meanwhile. Rejects with an AbortError when it is cancelled. */
export async function whileReading<T>(name: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const reading = { name, controller: new AbortController() };
  importStore.setState(({ readings }) => ({ readings: [...readings, reading] }));
  try {
    return await work(reading.controller.signal);
  } finally {
    importStore.setState(({ readings }) => ({ readings: readings.filter((other) => other !== reading) }));
  }
}

/** The page's own picker; a second request cancels the first. Server paths; empty when cancelled. */
export function askPath(
  title: string,
  mode: PickerRequest['mode'],
  isAnyFile = false,
): Promise<readonly string[]> {
  importStore.getState().picker?.answer([]);
  return new Promise((resolve) => {
    const request: PickerRequest = {
      title,
      mode,
      isAnyFile,
      answer: (paths) => {
        // An upload answers long after its picker closed, and another one may be open by then.
        importStore.setState(({ picker }) => ({ picker: picker === request ? undefined : picker }));
        resolve(paths);
      },
    };
    importStore.setState({ picker: request });
  });
}
