// CPU time of this process and of the server process, for the question which of the two was the limit. The server's
// is read where the system tells it (Linux, same machine) and is absent elsewhere.

import { readdir, readFile, readlink } from 'node:fs/promises';

/** Clock ticks per second of /proc; the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** User and system time in ms; undefined when it cannot be read. */
export async function processCpuMs(pid: number): Promise<number | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything; fields count from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? (ticks * 1000) / TICKS_PER_SECOND : undefined;
  } catch {
    return undefined;
  }
}

/** Inodes of the sockets that listen on a port. */
async function listeningInodes(port: number): Promise<ReadonlySet<string>> {
  const inodes = new Set<string>();
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const line of text.split('\n')) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(`:${wanted}`) === true && columns[3] === '0A') inodes.add(columns[9] ?? '');
    }
  }
  return inodes;
}

async function holdsSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    const link = await readlink(`${folder}/${name}`).catch(() => '');
    const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

/** Process on this machine that listens on the port; undefined elsewhere, or when it belongs to somebody else. */
export async function listeningProcess(host: string, port: number): Promise<number | undefined> {
  if (process.platform !== 'linux' || !['localhost', '127.0.0.1', '::1', '[::1]'].includes(host))
    return undefined;
  const inodes = await listeningInodes(port);
  if (inodes.size === 0) return undefined;
  for (const name of await readdir('/proc').catch(() => [])) {
    if (/^\d+$/.test(name) && (await holdsSocket(name, inodes))) return Number(name);
  }
  return undefined;
}
