// Run inside a copy of the project in which the recipe was followed: what window, editor, wire and loader know of the
// new backend, as JSON on standard output. The first argument is the folder with the recipe's model.

import { cp } from 'node:fs/promises';

import { completionsAt } from '../../src-shared/config/editor-completion.ts';
import { parseText } from '../../src-shared/config/text-format/parser.ts';
import { startControlWorld } from '../../src-main/testing/control-world.ts';

const [models = ''] = process.argv.slice(2);

const world = await startControlWorld([]);
try {
  await cp(models, world.repositoryPath, { recursive: true });
  await world.client.call('repository/rescan', {});
  const view = async () => {
    const { models: views } = await world.client.call('repository/snapshot', {});
    return views.find(({ name }) => name === 'turned');
  };
  const unloaded = await view();
  const { backends } = await world.client.call('config/context', { model: 'turned' });
  const offered = (before: string, after = ''): readonly string[] =>
    completionsAt(parseText(before + after), before.length, { backends }).map(({ label }) => label);
  await world.client.call('repository/load', { model: 'turned' });
  const answer = await fetch(`http://${world.httpAddress}/v2/models/turned/infer`, {
    method: 'POST',
    body: JSON.stringify({
      inputs: [{ name: 'INPUT', datatype: 'FP32', shape: [4], data: [1, 2, 3, 4] }],
    }),
  });
  const known = {
    unloaded: {
      state: unloaded?.state,
      needs: unloaded?.needs,
      reason: unloaded?.reason,
      kind: unloaded?.kind,
    },
    ready: (await view())?.state,
    backends: offered('backend: "', '"'),
    parameters: offered('backend: "reverse" parameters { key: "', '" }'),
    answer: await answer.json(),
  };
  process.stdout.write(`\n${JSON.stringify(known)}\n`);
} finally {
  await world[Symbol.asyncDispose]();
}
