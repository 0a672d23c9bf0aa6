// Who holds a port, and which ports are free. Best effort: what the system does not tell stays empty.

import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

import { isPortFree } from './choose-ports.ts';

/** The process that holds a port, as far as the system tells. */
export interface PortHolder {
  /** "python (pid 4242)"; undefined when unknown. */
  readonly name: string | undefined;
  /** Its command line; undefined when unknown. */
  readonly command: string | undefined;
}

const NOBODY: PortHolder = { name: undefined, command: undefined };

/** Linux only. */
export async function portHolder(port: number): Promise<PortHolder> {
  if (process.platform !== 'linux') return NOBODY;
  const inode = await listeningInode(port);
  if (inode === undefined) return NOBODY;
  for (const pid of await numericNames('/proc')) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
      if (target !== `socket:[${inode}]`) continue;
      return { name: `${await programName(pid)} (pid ${pid})`, command: await commandOf(pid) };
    }
  }
  return NOBODY;
}

async function commandOf(pid: string): Promise<string | undefined> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  return words.filter((word) => word !== '').join(' ') || undefined;
}

/** What was started, as a process list shows it; a program may name its threads as it likes. */
async function programName(pid: string): Promise<string> {
  const [program = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (program !== '') return path.basename(program);
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim();
}

async function numericNames(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => /^\d+$/.test(name));
}

async function listeningInode(port: number): Promise<string | undefined> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const lines = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1);
    for (const line of lines) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${wanted}`) === true && state === '0A') return inode;
    }
  }
  return undefined;
}

/** `count` free ports in a row, searched upwards from `first`; empty when there are none nearby. */
export async function freePorts(first: number, count: number, address: string): Promise<readonly number[]> {
  for (let start = first; start < Math.min(first + 200, 65_535 - count); start += count) {
    const ports = Array.from({ length: count }, (_, index) => start + index);
    const free = await Promise.all(ports.map((port) => isPortFree(address, port)));
    if (free.every(Boolean)) return ports;
  }
  return [];
}
