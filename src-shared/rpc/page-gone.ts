// Why a call ends that nobody called off: its page is gone, closed or cut off from the network.

/** The reason of an aborted call whose page went away, and may come back. */
export class PageGone extends Error {
  override readonly name = 'PageGone';

  constructor() {
    super('channel closed');
  }
}
