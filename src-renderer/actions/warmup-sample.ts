// Puts a sample into config.pbtxt or takes one out, and back again while the file is still what was written.

import { editConfigValue } from '../../src-shared/config/config-edit.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../src-shared/config/text-format/ast.ts';
import { notFound } from '../../src-shared/errors.ts';
import type { EngineClient } from '../engine/engine-client.ts';

type Undo = () => Promise<unknown>;

/** Returns the undo. Rejects when the file changed on disk meanwhile. */
export async function insertSample(client: EngineClient, model: string, sampleText: string): Promise<Undo> {
  const before = await client.call('config/read', { model });
  const { text } = await client.call('warmup/insert', { model, text: before.text, sampleText });
  return write(client, model, before, text);
}

/** Returns the undo. NOT_FOUND when the file has no sample of that name; its data files stay. */
export async function removeSample(client: EngineClient, model: string, name: string): Promise<Undo> {
  const before = await client.call('config/read', { model });
  const { config, tree } = parseModelConfig(before.text);
  const index = config.modelWarmup.findIndex((sample) => sample.name === name);
  if (index < 0) throw notFound(`config.pbtxt of '${model}' has no warmup sample '${name}'`);
  const edits = editConfigValue(tree, `model_warmup[${index}]`, undefined);
  return write(client, model, before, applyTextEdits(before.text, edits));
}

async function write(
  client: EngineClient,
  model: string,
  before: { readonly text: string; readonly hash: string | undefined },
  text: string,
): Promise<Undo> {
  const written = await client.call('config/write', { model, text, expectedHash: before.hash });
  return () => client.call('config/write', { model, text: before.text, expectedHash: written.hash });
}
