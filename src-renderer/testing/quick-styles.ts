// Styles of elements, quickly. jsdom matches every rule of its own style sheet against every element that is asked for,
// after each change of the page, which was a third of the time of the window's tests. Test pages have no style sheets of
// their own, so an element looks like every other of its kind, but for what its `style` says and what is inherited.

/** What rules of jsdom's style sheet look at, beside the name. */
const TELLING = ['hidden', 'open', 'popover', 'type', 'dir', 'href'];
/** Of what is inherited, what the window and axe ask for. */
const INHERITED: ReadonlySet<string> = new Set(['visibility', 'direction', 'cursor', 'color', 'white-space']);

type Compute = typeof window.getComputedStyle;

/** Property by property, as somebody asked for it. */
type Kind = (property: string) => string;

/** Rules that libraries put into the page: of scroll bars, which jsdom has none of, and of how messages move. */
const OF_LIBRARIES = /base-ui-disable-scrollbar|sonner|data-styled|^@keyframes/;

function changesWhatIsSeen({ cssRules }: CSSStyleSheet): boolean {
  return [...cssRules].some(({ cssText }) => !OF_LIBRARIES.test(cssText));
}

/** Replaces `getComputedStyle` of the test page. Pages with style sheets, and pseudo-elements, get jsdom's own. */
export function installQuickStyles(): void {
  const compute: Compute = window.getComputedStyle.bind(window);
  const kinds = new Map<string, Kind>();
  const verdicts = new WeakMap<CSSStyleSheet, boolean>();
  const isStyled = (): boolean => {
    const { styleSheets } = document;
    for (let at = 0; at < styleSheets.length; at++) {
      const sheet = styleSheets[at];
      if (sheet === undefined) continue;
      const verdict = verdicts.get(sheet) ?? changesWhatIsSeen(sheet);
      verdicts.set(sheet, verdict);
      if (verdict) return true;
    }
    return false;
  };
  const kindOf = (element: Element): Kind => {
    const key = keyOf(element);
    const known = kinds.get(key) ?? newKind(element, compute);
    kinds.set(key, known);
    return known;
  };
  window.getComputedStyle = (element, pseudo) => {
    const isOwn = typeof pseudo === 'string' && pseudo !== '';
    if (isOwn || isStyled()) return compute(element, pseudo);
    return declarationOf(element, kindOf);
  };
}

function keyOf(element: Element): string {
  const told = TELLING.map((name) => element.getAttribute(name));
  return JSON.stringify([element.namespaceURI, element.localName, ...told]);
}

/** Asks jsdom about a bare element of the same kind. */
function newKind(element: Element, compute: Compute): Kind {
  const bare = document.createElementNS(element.namespaceURI, element.localName);
  for (const name of TELLING) {
    const value = element.getAttribute(name);
    if (value !== null) bare.setAttribute(name, value);
  }
  const style = compute(bare);
  const values = new Map<string, string>();
  return (property) => {
    const value = values.get(property) ?? style.getPropertyValue(property);
    values.set(property, value);
    return value;
  };
}

function valueOf(element: Element, property: string, kindOf: (element: Element) => Kind): string {
  const { style } = element as Partial<ElementCSSInlineStyle>;
  // Most elements have none, and jsdom reads one slowly.
  const own = element.hasAttribute('style') ? (style?.getPropertyValue(property) ?? '') : '';
  if (own !== '' && own !== 'inherit') return own;
  const parent = INHERITED.has(property) ? element.parentElement : null;
  return parent === null ? kindOf(element)(property) : valueOf(parent, property, kindOf);
}

/** Reads as a declaration does, by name and by method; nothing is written to what was computed. */
function declarationOf(element: Element, kindOf: (element: Element) => Kind): CSSStyleDeclaration {
  const read = (property: string): string => valueOf(element, property, kindOf);
  const members = { getPropertyValue: read, getPropertyPriority: () => '', length: 0, cssText: '' };
  return new Proxy(members, {
    get: (known, name) =>
      typeof name !== 'string' || name in known ? (Reflect.get(known, name) as unknown) : read(dashed(name)),
  }) as unknown as CSSStyleDeclaration;
}

/** `backgroundColor` is `background-color`, `cssFloat` is `float`. */
function dashed(name: string): string {
  if (name === 'cssFloat') return 'float';
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^webkit-/, '-webkit-');
}
