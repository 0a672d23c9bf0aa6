// Texts of config.pbtxt, its profiles and the source files of models as they are in this window: what is on disk, what
// was typed, and what to do when both have changed. Kept outside React, so that nothing typed is lost by changing tabs
// or when the server process restarts. The step functions are pure; `drafts` holds one draft per document.

import { createStore } from 'zustand/vanilla';

import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';

/** A file as the editor can hold it. */
export interface DiskFile extends ConfigFile {
  /** It begins with a byte order mark, which the text here has not. */
  readonly hasMark?: boolean;
}

/** One text that is edited here, known by its document. */
export interface Draft {
  readonly model: string;
  /** Of configs/<profile>.pbtxt; undefined = config.pbtxt. */
  readonly profile: string | undefined;
  /** A source file, relative to the model folder; undefined = a configuration. */
  readonly code: string | undefined;
  /** The file as last read or written; writes are refused when it is no longer that. */
  readonly disk: DiskFile;
  readonly text: string;
  /** The file changed while there was unsaved text: the user chooses. */
  readonly conflict: DiskFile | undefined;
  /** Text that a load runs with instead of the file, as far as this window knows. */
  readonly triedText: string | undefined;
  /** Shows the editor although there is no file yet. */
  readonly isNew: boolean;
}

/** A draft without its text. */
export interface DraftHead extends Omit<Draft, 'text'> {
  readonly isDirty: boolean;
  readonly isEmpty: boolean;
}

/** All of a draft but its text, which changes with each key. */
export function headOf(draft: Draft): DraftHead {
  const { text, ...rest } = draft;
  return { ...rest, isDirty: isDirty(draft), isEmpty: text === '' };
}

/** Document of a model's file: the model's name for config.pbtxt itself. */
export function documentKey(model: string, profile?: string): string {
  return profile === undefined ? model : `${model}/configs/${profile}`;
}

/** Document of a source file of a model; `file` is relative to its folder. */
export function codeDocument(model: string, file: string): string {
  return `${model}/code/${file}`;
}

/** The key that drafts are kept by: another one for each profile and each source file of a model. */
export function documentOfDraft({ model, profile, code }: Pick<Draft, 'model' | 'profile' | 'code'>): string {
  return code === undefined ? documentKey(model, profile) : codeDocument(model, code);
}

/** The file with a text that the editor can hold. */
export function editable(file: ConfigFile): DiskFile {
  return { ...file, text: editableText(file.text), hasMark: file.text.startsWith('\uFEFF') };
}

/** What the editor can hold unchanged: no byte order mark, one kind of line end. */
export function editableText(text: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  const ends = new Set(plain.match(/\r\n|\r|\n/g));
  return ends.size > 1 || ends.has('\r') ? plain.replaceAll(/\r\n|\r/g, '\n') : plain;
}

/** Begins with the text on disk, without changes. Which file it is says `Draft`. */
export function newDraft(
  model: string,
  disk: DiskFile,
  { profile, code }: Partial<Pick<Draft, 'profile' | 'code'>> = {},
): Draft {
  return {
    model,
    profile,
    code,
    disk,
    text: disk.text,
    conflict: undefined,
    triedText: undefined,
    isNew: false,
  };
}

/** Whether what was typed differs from what was read last; a conflict is no difference of its own. */
export function isDirty({ text, disk }: Draft): boolean {
  return text !== disk.text;
}

/** What was read from disk just now meets what is being edited. */
export function withDisk(draft: Draft, disk: DiskFile): Draft {
  if (disk.hash === draft.disk.hash) return { ...draft, disk, conflict: undefined };
  if (!isDirty(draft)) return { ...draft, disk, text: disk.text, conflict: undefined };
  if (disk.text === draft.text) return { ...draft, disk, conflict: undefined };
  return { ...draft, conflict: disk };
}

/** The unsaved text stays, and may replace what is on disk now. */
export function keepMine(draft: Draft): Draft {
  return draft.conflict === undefined ? draft : { ...draft, disk: draft.conflict, conflict: undefined };
}

/** Drops what was typed in favour of the disk, in its newer version when both had changed. */
export function takeDisk(draft: Draft): Draft {
  const disk = draft.conflict ?? draft.disk;
  return { ...draft, disk, text: disk.text, conflict: undefined };
}

/** A text was written; what was typed meanwhile stays unsaved. */
export function withSaved(draft: Draft, written: ConfigFile): Draft {
  return { ...draft, disk: written, conflict: undefined, isNew: false };
}

type Drafts = ReadonlyMap<string, Draft>;

/** The drafts of this window by the address of their document, saved ones too. */
export const drafts = createStore<{ readonly byDocument: Drafts }>(() => ({ byDocument: new Map() }));

/** Undefined for a document that was not read. Without `state` the store of this window is asked. */
export function draftOf(document: string, { byDocument } = drafts.getState()): Draft | undefined {
  return byDocument.get(document);
}

/** Replaces the draft of its document, text included. */
export function putDraft(draft: Draft): void {
  const document = documentOfDraft(draft);
  drafts.setState(({ byDocument }) => ({ byDocument: new Map(byDocument).set(document, draft) }));
}

/** No effect on a document that is not open. */
export function changeDraft(document: string, change: (draft: Draft) => Draft): void {
  const draft = draftOf(document);
  if (draft === undefined) return;
  const next = change(draft);
  if (next !== draft) putDraft(next);
}

/** Does nothing for a document without a draft, and for the text that is there. */
export function setDraftText(document: string, text: string): void {
  changeDraft(document, (draft) => (draft.text === text ? draft : { ...draft, text }));
}

/** Documents of `model`, its profiles included. */
export function documentsOf(model: string, { byDocument } = drafts.getState()): readonly string[] {
  return [...byDocument].filter(([, draft]) => draft.model === model).map(([document]) => document);
}

/** What was typed in them is lost: ask before. */
export function dropDrafts(documents: readonly string[]): void {
  drafts.setState(({ byDocument }) => ({
    byDocument: new Map([...byDocument].filter(([document]) => !documents.includes(document))),
  }));
}
