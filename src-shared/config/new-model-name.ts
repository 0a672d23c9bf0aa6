// Names that the window may give to new models. Servers take more of those that are there.

const MODEL_NAME = /^[A-Za-z0-9_][\w.-]{0,199}$/;

/** Whether every file system and URL takes it as it stands. */
export function isNewModelName(name: string): boolean {
  return MODEL_NAME.test(name) && !name.includes('..');
}
