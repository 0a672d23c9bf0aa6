// Emulators of the three stores, each on a free port of this machine and without network. Their programs are fetched once
// into `.cache`, from PyPI and npm; where that cannot be, the reason is told instead.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { freePorts } from '../../tools/free-ports.ts';
import { pythonEnvironment, runProgram } from '../../tools/python-environment.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Emulator {
  /** What leads a server to it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly mountVariable: string;
  /** Uploads below `<bucket>/<place>` and answers with the repository path of that. */
  upload(place: string, files: Files): Promise<string>;
}

export type Started = Emulator | { readonly missing: string };

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUCKET = 'bucket';
const ACCOUNT = 'devstoreaccount1';
/** Published: every emulator of Azure's storage has it. */
const ACCOUNT_KEY =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const running: ChildProcess[] = [];

/** Ends those that were started. */
export function endEmulators(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL');
}

async function start(command: string, args: readonly string[], port: number): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore', cwd: path.join(ROOT, '.cache') });
  running.push(child);
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Eight uploads at a time. */
async function each(files: Files, put: (name: string, content: Buffer) => Promise<unknown>): Promise<void> {
  const entries = Object.entries(files);
  const lane = async (): Promise<void> => {
    for (let entry = entries.pop(); entry !== undefined; entry = entries.pop())
      await put(entry[0], Buffer.from(entry[1]));
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

export async function startMoto(): Promise<Started> {
  const python = await pythonEnvironment('moto', ['moto[server]==5.2.*']);
  if ('missing' in python) return python;
  const port = await freePort();
  await start(python.python, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], port);
  const { S3Client, CreateBucketCommand, PutObjectCommand } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test-secret' },
  });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    environment: {
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test-secret',
      AWS_DEFAULT_REGION: 'us-east-1',
    },
    mountVariable: 'TRITON_AWS_MOUNT_DIRECTORY',
    upload: async (place, files) => {
      await each(files, (name, Body) =>
        client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${place}/${name}`, Body })),
      );
      return `s3://127.0.0.1:${port}/${BUCKET}/${place}`;
    },
  };
}

export async function startGcsEmulator(): Promise<Started> {
  const python = await pythonEnvironment('gcs-emulator', ['gcp-storage-emulator==2026.*', 'setuptools<81']);
  if ('missing' in python) return python;
  const port = await freePort();
  const program = path.join(python.folder, 'bin', 'gcp-storage-emulator');
  const endpoint = `http://127.0.0.1:${port}`;
  await start(
    program,
    ['start', '--host=127.0.0.1', `--port=${port}`, '--in-memory', `--default-bucket=${BUCKET}`],
    port,
  );
  return {
    environment: { STORAGE_EMULATOR_HOST: endpoint },
    mountVariable: 'TRITON_GCS_MOUNT_DIRECTORY',
    upload: async (place, files) => {
      await each(files, async (name, body) => {
        const query = `uploadType=media&name=${encodeURIComponent(`${place}/${name}`)}`;
        const answer = await fetch(`${endpoint}/upload/storage/v1/b/${BUCKET}/o?${query}`, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: new Uint8Array(body),
        });
        if (!answer.ok) throw new Error(`upload of ${name}: ${answer.status}`);
      });
      return `gs://${BUCKET}/${place}`;
    },
  };
}

export async function startAzurite(): Promise<Started> {
  const folder = path.join(ROOT, '.cache', 'azurite');
  const program = path.join(folder, 'node_modules/azurite/dist/src/blob/main.js');
  if (!existsSync(program)) {
    const made = await runProgram('npm', ['install', '--no-audit', '--prefix', folder, 'azurite@3.35.0']);
    if (made.code !== 0) return { missing: 'azurite cannot be installed' };
  }
  const port = await freePort();
  await start(
    process.execPath,
    [program, '--blobPort', String(port), '--inMemoryPersistence', '--skipApiVersionCheck', '--silent'],
    port,
  );
  const { BlobServiceClient } = await import('@azure/storage-blob');
  const connection =
    `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${ACCOUNT_KEY};` +
    `BlobEndpoint=http://127.0.0.1:${port}/${ACCOUNT};`;
  const container = BlobServiceClient.fromConnectionString(connection).getContainerClient(BUCKET);
  await container.create();
  return {
    environment: { AZURE_STORAGE_CONNECTION_STRING: connection },
    mountVariable: 'TRITON_AZURE_MOUNT_DIRECTORY',
    upload: async (place, files) => {
      await each(files, (name, content) =>
        container.getBlockBlobClient(`${place}/${name}`).upload(content, content.byteLength),
      );
      return `as://${ACCOUNT}/${BUCKET}/${place}`;
    },
  };
}
