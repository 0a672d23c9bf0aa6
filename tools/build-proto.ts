// Compiles resources/proto/*.proto into the descriptor that the gRPC room loads. With --check it only compares, so a
// forgotten run is noticed.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'src-main/grpc-wire/descriptor.generated.json');

const protoFolder = path.join(root, 'resources/proto');
const pbjs = path.join(root, 'node_modules/protobufjs-cli/bin/pbjs');
const args = [pbjs, '-t', 'json', '--keep-case', '-p', protoFolder, 'grpc_service.proto', 'health.proto'];
const compiled: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
const descriptor = JSON.stringify(compiled);

if (!process.argv.includes('--check')) {
  writeFileSync(target, descriptor);
} else if (readFileSync(target, 'utf8') !== descriptor) {
  process.stderr.write(`${path.relative(root, target)} is out of date: run npm run proto\n`);
  process.exitCode = 1;
}
