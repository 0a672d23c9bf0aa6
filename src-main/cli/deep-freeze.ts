// Options are checked once and then never change; freezing makes a mistake fail where it is made.

/**
 * The same object back. Goes into plain objects and arrays; what is frozen already is taken for frozen all the
 * way down.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
