// Draws the icon: a conch as a growing spiral with ribs. Writes resources/icon.svg and resources/icon.png; run it by
// hand when the drawing changes.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CompressionType, Transformer } from '@napi-rs/image';

const resources = path.resolve(import.meta.dirname, '../resources');
const SIZE = 512;
const CENTRE = { x: 272, y: 240 };
/** The whorl grows by this factor per turn. */
const GROWTH = 2.35;
const TURNS = 2.6;
const OUTER_RADIUS = 206;

/** Point on the spiral at `turn` (TURNS = the opening of the shell), scaled by `factor`. */
function point(turn: number, factor: number): string {
  const radius = OUTER_RADIUS * GROWTH ** (turn - TURNS) * factor;
  const angle = 2 * Math.PI * turn - 1.15;
  return `${(CENTRE.x + radius * Math.cos(angle)).toFixed(1)} ${(CENTRE.y + radius * Math.sin(angle)).toFixed(1)}`;
}

function spiral(from: number, to: number, factor: number): string[] {
  const steps = Math.ceil(Math.abs(to - from) * 48);
  return Array.from({ length: steps + 1 }, (_, at) => point(from + ((to - from) * at) / steps, factor));
}

function ribs(): string {
  const lines: string[] = [];
  for (let turn = 0.9; turn < TURNS - 0.08; turn += 1 / 11) {
    const width = (2 + 7 * (turn / TURNS) ** 2).toFixed(1);
    lines.push(
      `<path d="M${point(turn, 1 / GROWTH + 0.05)} Q${point(turn + 0.035, 0.7)} ${point(turn, 0.96)}" stroke-width="${width}"/>`,
    );
  }
  return lines.join('');
}

function drawing(): string {
  const body = [...spiral(0, TURNS, 1), ...spiral(TURNS - 1, 0, 0.985).slice(0, -1)];
  const edge = `M${spiral(TURNS - 0.16, TURNS, 1).join('L')}Q${point(TURNS + 0.05, 0.72)} ${point(TURNS, 1 / GROWTH)}`;
  const suture = spiral(0.35, TURNS - 1, 1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="${SIZE}" height="${SIZE}">
<defs>
<linearGradient id="sea" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#12394a"/><stop offset="1" stop-color="#0a1e2b"/></linearGradient>
<linearGradient id="shell" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffd9b0"/><stop offset="0.55" stop-color="#ff9d76"/><stop offset="1" stop-color="#e8636a"/></linearGradient>
</defs>
<rect x="16" y="16" width="480" height="480" rx="108" fill="url(#sea)"/>
<path d="M${body.join('L')}Z" fill="url(#shell)"/>
<g fill="none" stroke="#b9434f" stroke-opacity="0.55" stroke-linecap="round">${ribs()}</g>
<g fill="none" stroke="#fff1e0" stroke-linecap="round" stroke-linejoin="round"><path d="M${suture.join('L')}" stroke-width="7" stroke-opacity="0.8"/><path d="${edge}" stroke-width="13"/></g>
</svg>
`;
}

const svg = drawing();
await mkdir(resources, { recursive: true });
await writeFile(path.join(resources, 'icon.svg'), svg);
const picture = Transformer.fromSvg(svg);
await writeFile(
  path.join(resources, 'icon.png'),
  await picture.png({ compressionType: CompressionType.Best }),
);
