// The drawing as a picture of its own: an SVG text, and a PNG made of it. Colours are written out, so the file looks
// the same wherever it is opened.

import type { Point } from './graph-layout.ts';
import type { PlacedNode } from './graph-keys.ts';

/** A box with two lines of text; `kind` gives its shape. */
export interface PictureNode extends PlacedNode {
  readonly title: string;
  readonly subtitle: string;
  readonly kind: string;
}

/** A line through points, with a text at its middle; "" = none. */
export interface PictureEdge {
  readonly points: readonly Point[];
  readonly label: string;
}

/** CSS colours. */
export interface PictureColors {
  readonly background: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly softText: string;
  readonly accent: string;
}

/** What is drawn, in pixels at zoom 1, without the margin around it. */
export interface Picture {
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  readonly width: number;
  readonly height: number;
  readonly title: string;
}

const FONT = 'system-ui, sans-serif';
const MARGIN = 16;
/** Of second lines and of lines' labels; nothing is smaller. */
const SMALL_PX = 11;
/** Letters of the two lines that fit in one pixel of width, about. */
const LETTERS_PER_PX = 1 / 6.6;

/** Width and height of the whole picture in units of the drawing: with the margin around what is drawn. */
export function pictureSize({ width, height }: Pick<Picture, 'width' | 'height'>): {
  readonly width: number;
  readonly height: number;
} {
  return { width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN) };
}

/** The text of an SVG file. */
export function pictureSvg(picture: Picture, colors: PictureColors): string {
  const { nodes, edges, title } = picture;
  const { width: w, height: h } = pictureSize(picture);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${-MARGIN} ${-MARGIN} ${w} ${h}" font-family="${FONT}">`,
    `<title>${escapeText(title)}</title>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colors.line}"/></marker></defs>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${w}" height="${h}" fill="${colors.background}"/>`,
    ...edges.map((edge) => edgeSvg(edge, colors)),
    ...nodes.map((node) => nodeSvg(node, colors)),
    '</svg>',
  ].join('\n');
}

function edgeSvg({ points, label }: PictureEdge, { line, softText }: PictureColors): string {
  const path = `<path d="${smoothPath(points)}" fill="none" stroke="${line}" stroke-width="1.25" marker-end="url(#arrow)"/>`;
  const middle = points[Math.floor(points.length / 2)];
  if (label === '' || middle === undefined) return path;
  return `${path}<text x="${middle.x}" y="${middle.y - 4}" font-size="${SMALL_PX}" text-anchor="middle" fill="${softText}">${escapeText(label)}</text>`;
}

function nodeSvg(node: PictureNode, { surface, line, text, softText, accent }: PictureColors): string {
  const { x, y, width, height, kind, title, subtitle } = node;
  const isTensor = kind === 'input' || kind === 'output';
  const radius = isTensor ? height / 2 : 5;
  const dash = kind === 'scope' ? ' stroke-dasharray="5 3"' : '';
  const letters = Math.floor((width - 16) * LETTERS_PER_PX);
  const middle = x + width / 2;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${surface}" stroke="${isTensor ? accent : line}"${dash}/>`,
    `<text x="${middle}" y="${y + 17}" font-size="12" font-weight="600" text-anchor="middle" fill="${text}">${escapeText(cut(title, letters))}</text>`,
    `<text x="${middle}" y="${y + 32}" font-size="${SMALL_PX}" text-anchor="middle" fill="${softText}">${escapeText(cut(subtitle, letters + 1))}</text>`,
  ].join('');
}

/** A line through the points with rounded bends. */
export function smoothPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let path = `M${round(first.x)} ${round(first.y)}`;
  rest.forEach((point, at) => {
    const next = rest[at + 1];
    if (next === undefined) {
      path += `L${round(point.x)} ${round(point.y)}`;
      return;
    }
    const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    path += `Q${round(point.x)} ${round(point.y)} ${round(middle.x)} ${round(middle.y)}`;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function cut(text: string, letters: number): string {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/\p{Cc}/gu, ' ');
}

/** Browsers give up on larger pictures. */
const MAX_PICTURE_SIDE = 16_000;
const MAX_PICTURE_PIXELS = 64e6;
const PREFERRED_SCALE = 2;

/** How many pixels a unit of the drawing gets. */
export function pictureScale(width: number, height: number): number {
  return Math.min(
    PREFERRED_SCALE,
    MAX_PICTURE_SIDE / Math.max(width, height),
    Math.sqrt(MAX_PICTURE_PIXELS / (width * height)),
  );
}

/** The bytes of a PNG of an SVG text of this size. Rejects when the picture cannot be drawn. */
export async function picturePng(
  svg: string,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    await image.decode();
    const scale = pictureScale(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png');
    });
    if (blob === null) throw new Error('the picture is too large');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** The window's colours as they are now. */
export function pictureColors(element: Element): PictureColors {
  const style = getComputedStyle(element);
  const role = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    background: role('canvas'),
    surface: role('surface'),
    line: role('line-strong'),
    text: role('text'),
    softText: role('text-soft'),
    accent: role('accent'),
  };
}
