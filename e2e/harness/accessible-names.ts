// What a screen reader gets of the window: the browser's own accessibility tree, not the page's markup.

import type { AppUnderTest } from './launch-app.ts';

const CONTROLS: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'combobox',
  'link',
  'menuitem',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'textbox',
]);

interface TreeNode {
  readonly nodeId: string;
  readonly parentId?: string;
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
}

/** Controls that have no name, and choices of one group that share one: whoever hears them cannot tell what they do. */
export async function unclearNames(app: AppUnderTest): Promise<readonly string[]> {
  const devTools = await app.devTools();
  const { nodes } = (await devTools.send('Accessibility.getFullAXTree')) as {
    readonly nodes: readonly TreeNode[];
  };
  const groups = new Set<string>();
  const unclear: string[] = [];
  for (const { nodeId, parentId = '', ignored, role, name } of nodes) {
    const kind = String(role?.value ?? '');
    if (ignored || !CONTROLS.has(kind)) continue;
    const text = String(name?.value ?? '').trim();
    if (text === '') unclear.push(`${kind} ${nodeId} has no name`);
    if (kind !== 'radio' && kind !== 'tab') continue;
    const key = `${parentId} ${kind} ${text}`;
    if (groups.has(key)) unclear.push(`more than one ${kind} is "${text}"`);
    groups.add(key);
  }
  await devTools.detach();
  return unclear;
}
