// `npm run fixtures`: writes tests/fixtures, the models and images that tests and tools use, all made here and the same
// bytes every time. `-- --check` compares instead of writing; the photograph is left out of that, since its bytes
// are the image library's.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { Transformer } from '@napi-rs/image';

import { writeOnnx } from '../src-main/onnx/onnx-writer.ts';
import { configurations } from './fixtures/configurations.ts';
import { plainRun } from './fixtures/plain-run.ts';
import type { FixtureFiles } from './fixtures/quick-models.ts';
import { quickModels } from './fixtures/quick-models.ts';
import { IMAGE_SHAPE, smallNetworks } from './fixtures/small-networks.ts';

const folder = path.resolve(import.meta.dirname, '../tests/fixtures');

/** The image that the expected scores belong to: a pattern that differs in every channel and row. */
function patternPixels(): Float64Array {
  const count = IMAGE_SHAPE.reduce<number>((product, dim) => product * dim, 1);
  return Float64Array.from({ length: count }, (_, index) => Math.fround((index % 251) / 251));
}

function networkFiles(): FixtureFiles {
  const files: Record<string, string | Uint8Array> = {};
  const facts = smallNetworks().map(({ name, graph, isSafeToBatch }) => {
    files[`networks/${name}.onnx`] = writeOnnx({ graph });
    const scores = plainRun(graph, { pixels: { dims: IMAGE_SHAPE, values: patternPixels() } }).get('scores');
    return {
      name,
      nodeCount: graph.nodes.length,
      isSafeToBatch,
      outputShape: scores?.dims,
      scores: [...(scores?.values ?? [])].map((score) => Number(score.toPrecision(7))),
    };
  });
  files['networks/networks.json'] = `${JSON.stringify(facts, null, 2)}\n`;
  return files;
}

/** Circles on a gradient, 96 x 64. */
function photograph(): Promise<Uint8Array> {
  const [width, height] = [96, 64];
  const pixels = Uint8Array.from({ length: width * height * 4 }, (_, index) => {
    const [pixel, channel] = [Math.floor(index / 4), index % 4];
    if (channel === 3) return 255;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isInside = (x - 30) ** 2 + (y - 34) ** 2 < 300 || (x - 66) ** 2 + (y - 26) ** 2 < 200;
    return isInside ? 255 - channel * 90 : (x * 2 + y * (channel + 1)) % 256;
  });
  return Transformer.fromRgbaPixels(pixels, width, height).jpeg(90);
}

function madeFiles(): FixtureFiles {
  const models = Object.entries(quickModels()).map(([file, content]) => [`models/${file}`, content] as const);
  const cases = Object.entries(configurations()).map(
    ([file, content]) => [`configurations/${file}`, content] as const,
  );
  return { ...Object.fromEntries([...models, ...cases]), ...networkFiles() };
}

async function write(): Promise<void> {
  for (const [file, content] of Object.entries({
    ...madeFiles(),
    'images/circles.jpg': await photograph(),
  })) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
}

/** Files that are missing or differ. */
function differing(): readonly string[] {
  return Object.entries(madeFiles())
    .filter(([file, content]) => {
      const full = path.join(folder, file);
      return !existsSync(full) || Buffer.compare(readFileSync(full), Buffer.from(content)) !== 0;
    })
    .map(([file]) => file);
}

if (process.argv.includes('--check')) {
  const files = differing();
  for (const file of files) console.error(`tests/fixtures/${file} is not what the script makes`);
  process.exitCode = files.length === 0 ? 0 : 1;
} else {
  await write();
}
