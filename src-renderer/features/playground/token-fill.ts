// What stands in an input beside the tokens of a text until somebody says otherwise. Pure.

const MASK_NAME = /(^|_)(attention_?|input_?|padding_?)?mask(_ids?)?$/i;
const SENTENCE_NAME = /token_?types?(_|$)|segment(_?ids)?$/i;

/** 1 where every token counts, 0 where all are of the first sentence; undefined for other inputs. */
export function tokenFill({
  name,
  datatype,
}: {
  readonly name: string;
  readonly datatype: string;
}): '0' | '1' | undefined {
  if (!/^INT(32|64)$/.test(datatype)) return undefined;
  if (SENTENCE_NAME.test(name)) return '0';
  return MASK_NAME.test(name) ? '1' : undefined;
}
