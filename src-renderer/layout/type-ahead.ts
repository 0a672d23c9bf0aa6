// What is typed between the key that opens the palette and its field: the first time its content has to be fetched. Until
// the field has the focus letters go into its text and to nobody else, or they would be keys of the list behind it.

import { closePalette, palette, setPaletteText } from './palette-store.ts';

/** From the moment it is opened; the function that comes back ends it. */
export function catchTyping(): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const { activeElement } = document;
    if (
      activeElement instanceof HTMLInputElement &&
      activeElement.closest('[data-testid="palette"]') !== null
    )
      return;
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { text } = palette.getState();
    if (event.key === 'Escape') closePalette();
    else if (event.key === 'Backspace') setPaletteText(text.slice(0, -1));
    else if ([...event.key].length === 1) setPaletteText(text + event.key);
  };
  window.addEventListener('keydown', onKeyDown, true);
  return () => window.removeEventListener('keydown', onKeyDown, true);
}
