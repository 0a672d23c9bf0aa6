// Inputs that belong to the same text: the numbers of its tokens, which of them count, and which sentence each is of. A
// model takes them at one length. Pure.

import type { InputDraft, RequestDraft } from './draft.ts';
import { withShape } from './draft.ts';
import { tokenFill } from './token-fill.ts';

const TOKENS_NAME = /(^|_)(input_?)?ids(_\d+)?$|tokens?$/i;

function isOfTokens(input: InputDraft): boolean {
  return (
    tokenFill(input) !== undefined || (/^INT(32|64)$/.test(input.datatype) && TOKENS_NAME.test(input.name))
  );
}

/** The draft with another size of one dimension of an input, and of those that are about the same tokens. */
export function withSize(
  draft: RequestDraft,
  name: string,
  { at, size }: { readonly at: number; readonly size: number },
): RequestDraft {
  const changed = draft.inputs.find((input) => input.name === name);
  if (changed === undefined) return draft;
  const isSame = (input: InputDraft): boolean =>
    input === changed ||
    (isOfTokens(changed) &&
      isOfTokens(input) &&
      input.template.join() === changed.template.join() &&
      input.shape[at] === changed.shape[at]);
  return {
    ...draft,
    inputs: draft.inputs.map((input) =>
      isSame(input) ? withShape(input, input.shape.with(at, size)) : input,
    ),
  };
}
