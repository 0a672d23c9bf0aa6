// What the header of a .npy file says for an input: the shape that it is sent in, and of which type its numbers are. Pure.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { readNpyHeader } from '../../../src-shared/tensor/npy-header.ts';
import type { InputDraft } from './draft.ts';

/** What of it an input takes. */
export interface NpyFacts {
  /** The input's own where the file's does not fit it. */
  readonly shape: readonly number[];
  /** Of the numbers in the file; undefined when that cannot be told. */
  readonly held: DataType | undefined;
}

/** A file without a row for the batch is one item of it. The size of the batch stays: it is that of every input. */
export function npyFacts(
  input: Pick<InputDraft, 'template' | 'isBatched' | 'shape'>,
  content: Uint8Array,
): NpyFacts {
  const header = readNpyHeader(content);
  if (header === 'none' || 'unreadable' in header) return { shape: input.shape, held: undefined };
  const { shape: found, datatype: held } = header;
  const isItem = input.isBatched && input.shape[0] === 1 && found.length === input.template.length - 1;
  const shape = isItem ? [1, ...found] : found;
  const fits =
    shape.length === input.template.length &&
    input.template.every((dim, at) =>
      dim === -1 && !(input.isBatched && at === 0)
        ? true
        : shape[at] === (at === 0 && input.isBatched ? input.shape[0] : dim),
    );
  return { shape: fits ? shape : input.shape, held };
}
