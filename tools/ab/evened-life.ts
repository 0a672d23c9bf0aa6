// What may differ in what two servers say of models that come and go, each with its reason; everything else must be equal.

/** The reference answers some of these loads as if they had gone well. */
export const NO_ENSEMBLE = 'an ensemble that cannot be loaded';

const RULES: readonly (readonly [RegExp, string])[] = [
  // Times.
  [/"(ns|last_inference)":"?\d+"?/g, '"$1":0'],
  // An ensemble that cannot be loaded, loaded again without a change: why is told again, and shorter there.
  [
    /^(500 \{"error":"failed to load '(chain|over)', (no version is available|failed to poll from model repository)"\}|400 \{"error":"load failed for model '(chain|over)': ensemble .*\})$/gs,
    NO_ENSEMBLE,
  ],
  // What is wrong with a file that is no model is told.
  [/(Protobuf parsing failed\.)[^"]*/g, '$1'],
  // Which of the version's folders is told where files came with the load.
  [/\/tmp\/folder\w{6}/g, '<folder>'],
  // Newer servers have this field.
  [/"max_inflight_requests":0,/g, ''],
];

/** A text without what is allowed to differ. */
export function evenedLife(text: string, folders: readonly string[]): string {
  const placed = folders.reduce((shown, folder, index) => shown.replaceAll(folder, `<${index}>`), text);
  return RULES.reduce((shown, [pattern, words]) => shown.replace(pattern, words), placed);
}
