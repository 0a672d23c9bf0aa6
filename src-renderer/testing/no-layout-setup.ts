// Set-up of tests in jsdom, which lays nothing out: where it lacks a function of the page altogether, it answers that nothing
// is there. A test that asks for more gives its document its own.

if (typeof Document !== 'undefined' && !('elementFromPoint' in Document.prototype)) {
  Object.defineProperty(Document.prototype, 'elementFromPoint', {
    value: () => null,
    configurable: true,
    writable: true,
  });
}
