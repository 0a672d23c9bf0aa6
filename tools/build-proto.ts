// Writes what is made of the schema of the configuration language: resources/proto/model_config.proto and
// docs/model-configuration.md; and docs/backends.md from what backends say of themselves. Then compiles resources/proto into the descriptor that the gRPC room loads. With --check
// it only compares, so that a forgotten run is noticed.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';

import { Disposer } from '../src-main/base/disposer.ts';
import { createBackends } from '../src-main/engine-backends.ts';
import { defaultEngineOptions } from '../src-main/options/engine-options.ts';
import { MODEL_CONFIG } from '../src-shared/config/schema/model-fields.ts';
import { backendsPage } from './backends-page.ts';
import { configPage } from './config-page.ts';
import { configProto } from './config-proto.ts';

const root = path.resolve(import.meta.dirname, '..');
const protoFolder = path.join(root, 'resources/proto');
const isCheck = process.argv.includes('--check');

function settle(file: string, text: string): void {
  const target = path.join(root, file);
  if (!isCheck) {
    writeFileSync(target, text);
  } else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write(`${file} is out of date: run npm run proto\n`);
    process.exitCode = 1;
  }
}

settle('resources/proto/model_config.proto', configProto(MODEL_CONFIG));

async function settlePage(page: string, text: string): Promise<void> {
  const style = await prettier.resolveConfig(path.join(root, page));
  settle(page, await prettier.format(text, { ...style, parser: 'markdown' }));
}

await settlePage('docs/model-configuration.md', configPage(MODEL_CONFIG));

const owned = new Disposer();
const { registry } = createBackends(defaultEngineOptions.backends, [], owned);
await settlePage('docs/backends.md', backendsPage(registry.descriptions));
await owned.close();

const pbjs = path.join(root, 'node_modules/protobufjs-cli/bin/pbjs');
const args = [pbjs, '-t', 'json', '--keep-case', '-p', protoFolder, 'grpc_service.proto', 'health.proto'];
const compiled: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
settle('src-main/grpc-wire/descriptor.generated.json', JSON.stringify(compiled));
