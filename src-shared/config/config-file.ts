// The files of a model's folder that hold its configuration: the one that is read as long as nothing else is asked for,
// and one for each profile (`--model-config-name`).

/** In the model's folder. */
export const CONFIG_FILE = 'config.pbtxt';

/** The folder of the profiles, in the model's folder. */
export const PROFILE_FOLDER = 'configs';

const PROFILE_ENDING = '.pbtxt';

/** Name of a profile's file in the folder of the profiles. */
export function profileEntry(profile: string): string {
  return profile + PROFILE_ENDING;
}

/** The profile of a file in the folder of the profiles; undefined for a file that is none. */
export function profileOf(entry: string): string | undefined {
  return entry.endsWith(PROFILE_ENDING) ? entry.slice(0, -PROFILE_ENDING.length) : undefined;
}

/** Path below the model's folder, with a slash on every system; `profile` undefined = none is chosen. */
export function configFileOf(profile: string | undefined): string {
  return profile === undefined ? CONFIG_FILE : `${PROFILE_FOLDER}/${profileEntry(profile)}`;
}
