// The charts of a run as one picture to take away: what is on the screen, with its colours written out, so that other
// programs show the same. Reads the drawn charts; nothing is drawn again.

const GAP = 16;
const HEAD = 26;
const SCALE = 2;
/** What style sheets decide about a drawing; everything else is in its attributes. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
] as const;

/** A picture that stands by itself. */
export interface ChartImage {
  /** Needs no style sheet. */
  readonly svg: string;
  /** px, as on the screen. */
  readonly width: number;
  readonly height: number;
}

/** The charts inside `root`, one under the other; undefined when none is drawn. */
export function chartsImage(root: ParentNode, title: string): ChartImage | undefined {
  const figures = [...root.querySelectorAll('figure')].flatMap((figure) => {
    const drawing = figure.querySelector<SVGSVGElement>('svg.recharts-surface, svg[data-plot]');
    return drawing === null ? [] : [{ figure, drawing }];
  });
  const [first] = figures;
  if (first === undefined) return undefined;
  const widths = figures.map(({ drawing }) => drawing.getBoundingClientRect().width);
  const width = Math.ceil(Math.max(...widths)) + 2 * GAP;
  const look = getComputedStyle(first.figure);
  const text = { color: look.color, font: look.fontFamily };
  let y = GAP + HEAD;
  const parts = [textAt(GAP, GAP + 12, title, { ...text, size: 15 })];
  for (const { figure, drawing } of figures) {
    parts.push(headOf(figure, y, width, text));
    y += HEAD;
    const { height } = drawing.getBoundingClientRect();
    const copy = styledCopy(drawing);
    copy.setAttribute('x', String(GAP));
    copy.setAttribute('y', String(y));
    parts.push(new XMLSerializer().serializeToString(copy));
    y += height + GAP;
  }
  const height = Math.ceil(y);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="100%" height="100%" fill="${look.backgroundColor}"/>${parts.join('')}</svg>`;
  return { svg, width, height };
}

/** The same picture as dots, twice as fine as the screen. */
export async function pngOf({ svg, width, height }: ChartImage): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob === null ? reject(new Error('the picture cannot be made')) : resolve(blob),
    );
  });
}

interface TextLook {
  readonly color: string;
  readonly font: string;
}

function textAt(
  x: number,
  y: number,
  text: string,
  { color, font, size }: TextLook & { readonly size: number },
): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-family="${escaped(font)}" font-weight="600" fill="${color}">${escaped(text)}</text>`;
}

/** Title and legend of a chart, on one line. */
function headOf(figure: HTMLElement, y: number, width: number, look: TextLook): string {
  const title = figure.querySelector('h3')?.textContent ?? '';
  const unit = figure.querySelector('h3 + span')?.textContent ?? '';
  const parts = [textAt(GAP, y + 14, unit === '' ? title : `${title} (${unit})`, { ...look, size: 13 })];
  let x = width - GAP;
  for (const entry of [...figure.querySelectorAll('header button[aria-pressed]')].toReversed()) {
    const swatch = entry.querySelector('svg');
    if (swatch === null) continue;
    const name = entry.textContent;
    x -= name.length * 6.5;
    parts.push(
      `<text x="${x}" y="${y + 14}" font-size="11" font-family="${escaped(look.font)}" fill="${look.color}">${escaped(name)}</text>`,
    );
    x -= 24;
    const copy = styledCopy(swatch);
    copy.setAttribute('x', String(x));
    copy.setAttribute('y', String(y + 6));
    parts.push(new XMLSerializer().serializeToString(copy));
    x -= 12;
  }
  return parts.join('');
}

/** A copy that needs no style sheet. */
function styledCopy(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const sources = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  const targets = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  sources.forEach((source, index) => {
    const target = targets[index];
    if (target === undefined) return;
    const look = getComputedStyle(source);
    for (const style of STYLES) target.setAttribute(style, look.getPropertyValue(style));
    target.removeAttribute('class');
    target.removeAttribute('style');
  });
  return copy;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
