// The locale that numbers and dates are written in: the one the user chose, else the system's. Texts have a catalogue of
// their own. Exports, configurations and what is sent never follow it.

import { createStore } from 'zustand/vanilla';

const SYSTEM_LOCALE = 'system';

/** A tag for Intl, never `SYSTEM_LOCALE`. The window is drawn again when it changes. */
export const shownLocale = createStore<{ readonly tag: string }>(() => ({ tag: systemLocale() }));

/** The tag of the locale that numbers and dates are written in now. */
export function numberLocale(): string {
  return shownLocale.getState().tag;
}

/** `setting` = `SYSTEM_LOCALE` or a tag; one that Intl does not know counts as the system's. */
export function chooseLocale(setting: string): void {
  const tag = setting !== SYSTEM_LOCALE && isKnown(setting) ? setting : systemLocale();
  if (tag !== numberLocale()) shownLocale.setState({ tag });
}

function systemLocale(): string {
  return typeof navigator === 'undefined' ? 'en' : navigator.language;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([tag]).length > 0;
  } catch {
    return false;
  }
}
