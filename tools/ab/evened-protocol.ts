// What may differ in the answers of the walk through the protocol, each with its reason; everything else must be equal.

const RULES: readonly (readonly [RegExp, string])[] = [
  // Which release it is.
  [/"version":"\d+\.\d+\.\d+"/g, '"version":"#"'],
  // Times.
  [/"(ns|last_inference)":"?\d+"?/g, '"$1":0'],
  // Newer servers refuse empty names and keys by name, and say otherwise what is wrong with data and members.
  [/^13 Unable to open shared memory region: '' $/, '3 empty'],
  [/^3 cannot register shared memory region '.*' - invalid shm key '' $/, '3 empty'],
  [/^500 {3}\{"error":"Unable to open shared memory region: ''"\}$/, '400 empty'],
  [/^400 {3}\{"error":"cannot register shared memory region '.*' - invalid shm key ''"\}$/, '400 empty'],
  [/^13 failed to load '', failed to poll from model repository $/, '3 empty'],
  [/^3 Model name cannot be empty\. Please enter a valid name to deploy\. $/, '3 empty'],
  [
    /Unable to parse 'data': Shape does not match true shape of 'data' field/g,
    "Failed to parse 'data' field: shape does not match true shape",
  ],
  [/Unable to parse '(key|offset|byte_size)': /g, ''],
  [/^500 {3}\{"error":"attempt to access JSON non-boolean as boolean"\}$/, '400 ready'],
  [/^400 {3}\{"error":"Invalid value for 'ready': expected a boolean"\}$/, '400 ready'],
  // Which of two faulty parameters is told.
  [/invalid value type for '(custom|priority)' parameter, expected .*\. $/, 'a faulty parameter'],
  // A batch of less than one row is refused as such; there the next check stumbles over it.
  [
    /inference request batch-size must be >= 1 for 'copy', got (0|-\d+)|input byte size mismatch for input 'INPUT0' for model 'copy'\. Expected (\d{10,}|0|16), got \d+/g,
    'no rows',
  ],
];

/** An answer without what is allowed to differ. */
export function evenedProtocol(answer: string): string {
  return RULES.reduce((text, [pattern, words]) => text.replace(pattern, words), answer);
}
