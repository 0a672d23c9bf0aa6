// Where two servers may differ in words on purpose: answers with those evened out.

const RULES: readonly (readonly [RegExp, string])[] = [
  // Which of several missing versions of an ensemble's models is named.
  [/depends on '\w+' whose required version \d+/g, 'depends on one whose version'],
  // How many of several requests that were sent together came in one batch.
  [/(InferenceRequest|InferenceResponse)\(s\) size is:\d+/g, '$1(s) size is:#'],
  // How signatures and their values are shown.
  [/TypeError: .*?(?=["}]|$)/gs, 'TypeError'],
  // Which of several instances ran a request.
  [/model '(a|b|m\d+(_\d)?)_\d'/g, "model '#'"],
  [/ object at 0x[0-9a-f]+/g, ' object'],
  // A message with a blank at its end gets lost on the way from the reference to this client.
  [/"details":"(?:[^"\\]|\\.)* "/g, '"details":""'],
  // A batch of no rows is refused here; there the next check stumbles over it.
  [
    /(request id: [^\]]*\] )(inference request batch-size must be >= 1|unexpected shape for input '\w+').*? got (0|\[0[,\d]*\]).*?(?=["}])/g,
    '$1no rows',
  ],
  // Where backends lie.
  [/'[^' ]*\/backends\/(\w+)'/g, "'<backends>/$1'"],
  // Where in its files Python was.
  [/(\\*n)*At:\\+n.*?(?=["}]|$)/gs, '<traceback>'],
];

/** An answer without what is allowed to differ. */
export function evened(answer: string): string {
  return RULES.reduce((text, [pattern, words]) => text.replace(pattern, words), answer);
}
