// LoRA adapters of the OpenAI-compatible endpoint: --lora-separator.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OpenaiWorld } from './openai-world.ts';

let world: OpenaiWorld;

beforeAll(async () => {
  world = await OpenaiWorld.start({ loraSeparator: '-lora-', requestFormat: 'vllm' });
  const write = async (model: string, file: string, value: unknown): Promise<void> => {
    const folder = path.join(world.repository.path, model, '1');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, file), JSON.stringify(value));
  };
  await write('sampled', 'model.json', { enable_lora: 'true' });
  await write('sampled', 'multi_lora.json', { doll: '/weights/doll', sheep: '/weights/sheep' });
  // Adapters that are not enabled do not count.
  await write('told', 'multi_lora.json', { doll: '/weights/doll' });
}, 60_000);

afterAll(() => world.close());

describe('adapters', () => {
  test('are listed behind their model, and described', async () => {
    const { data } = (await (await fetch(`${world.base}/v1/models`)).json()) as { data: { id: string }[] };
    const names = data.map(({ id }) => id);
    expect(names).toEqual(expect.arrayContaining(['sampled', 'sampled-lora-doll', 'sampled-lora-sheep']));
    expect(names).not.toContain('told-lora-doll');
    const described = await fetch(`${world.base}/v1/models/sampled-lora-doll`);
    expect([described.status, await described.json()]).toMatchObject([200, { id: 'sampled-lora-doll' }]);
    expect((await fetch(`${world.base}/v1/models/sampled-lora-cat`)).status).toBe(404);
  });

  test('reach the model by name, and the answer names what was asked for', async () => {
    const [status, body] = await world.complete({ model: 'sampled-lora-doll', max_tokens: 3 });
    expect([status, body]).toMatchObject([200, { model: 'sampled-lora-doll' }]);
    const { choices } = body as { choices: { text: string }[] };
    expect(JSON.parse(choices[0]?.text ?? '')).toEqual({ max_tokens: 3, lora_name: 'doll' });
  });

  test('that a model does not have are refused', async () => {
    expect(await world.complete({ model: 'sampled-lora-cat' })).toEqual([
      400,
      { detail: 'Unknown LoRA: cat; for model: sampled-lora-cat' },
    ]);
    expect(await world.complete({ model: 'nobody-lora-cat' })).toEqual([
      400,
      { detail: 'Unknown model: nobody-lora-cat' },
    ]);
  });

  test('a name with two separators is a model of that name', async () => {
    expect(await world.complete({ model: 'sampled-lora-a-lora-b' })).toEqual([
      400,
      { detail: 'Unknown model: sampled-lora-a-lora-b' },
    ]);
  });
});

test('models of the other form take no adapters', async () => {
  const other = await OpenaiWorld.start({ loraSeparator: '+' });
  try {
    expect(await other.complete({ model: 'told+doll' })).toEqual([
      400,
      { detail: 'LoRA selection is currently not supported for TRT-LLM backend' },
    ]);
  } finally {
    await other.close();
  }
});
