// Text that may be broken after what joins its words: a path, an address, a name with underscores. What is copied of it is
// the text itself, since a place to break is no character.

import { Fragment } from 'react';

const JOINTS = /(?<=[/_,.:&=-])(?=[^/_,.:&=\s-])/;
/** More would make more elements than a page needs. */
const MAX_LENGTH = 20_000;

/** The text as it is, in pieces that a line may end behind. */
export function Breakable({ text }: { readonly text: string }) {
  if (text.length > MAX_LENGTH) return text;
  return text.split(JOINTS).map((piece, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
