// The menu on right click where the page has none of its own: what can be done with the text of a field, with selected
// text and with a link. Electron shows nothing there by itself.

import { clipboard, Menu } from 'electron';
import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';

/** What was clicked, as far as the menu depends on it. */
export type Clicked = Pick<ContextMenuParams, 'isEditable' | 'editFlags' | 'selectionText' | 'linkURL'>;

type Item = MenuItemConstructorOptions;

const SEPARATOR: Item = { type: 'separator' };

/** The menu as data; empty where there is nothing to do. `copy` puts a text on the clipboard. */
export function contextTemplate(clicked: Clicked, copy: (text: string) => void): Item[] {
  const { isEditable, editFlags, selectionText, linkURL } = clicked;
  if (isEditable) {
    return [
      { role: 'undo', label: 'Undo', enabled: editFlags.canUndo },
      { role: 'redo', label: 'Redo', enabled: editFlags.canRedo },
      SEPARATOR,
      { role: 'cut', label: 'Cut', enabled: editFlags.canCut },
      { role: 'copy', label: 'Copy', enabled: editFlags.canCopy },
      { role: 'paste', label: 'Paste', enabled: editFlags.canPaste },
      SEPARATOR,
      { role: 'selectAll', label: 'Select all', enabled: editFlags.canSelectAll },
    ];
  }
  const items: Item[] = [];
  if (selectionText.trim() !== '') items.push({ role: 'copy', label: 'Copy', enabled: editFlags.canCopy });
  // Addresses of the window itself are of no use elsewhere.
  if (/^https?:/.test(linkURL)) items.push({ label: 'Copy link address', click: () => copy(linkURL) });
  return items;
}

/** Shows the menu in this window. The page's own menus stay: what the page has handled is not told here. */
export function showContextMenus(window: BrowserWindow): void {
  window.webContents.on('context-menu', (_event, clicked) => {
    const template = contextTemplate(clicked, (text) => void clipboard.writeText(text));
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
}
