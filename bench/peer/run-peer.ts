// npm run bench -- --peer [--awake] [--quick] [--only=ROW,...] [--json=FILE]
//
// Our server and the reference in one run, on one machine, with the same models and the same load tools. Rounds take
// turns, so that the machine's mood is shared; medians are compared.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { writePeerRepository, writeStartRepository } from './peer-models.ts';
import type { PeerRow } from './peer-rows.ts';
import { peerRows } from './peer-rows.ts';
import { processorSeconds, residentBytes, startOurs, startPeer } from './peer-servers.ts';
import type { Measured } from './peer-servers.ts';
import { missingTools, runTool } from './peer-tools.ts';
import type { MemoryRecord, PeerRecord, RowRecord, Sample, StartRecord } from './peer-table.ts';
import { peerCommand } from '../../tools/reference-command.ts';
import { median } from '../median.ts';

/** In messages. */
const NAMES = { ours: 'our server', peer: 'the reference' } as const;

interface PeerPace {
  readonly rounds: number;
  readonly seconds: number;
}

/** Throws when the reference or a tool is missing, and when a server answers a request with a fault. */
export async function comparePeers(only: string | undefined, isQuick: boolean): Promise<PeerRecord> {
  const command = peerCommand();
  if (command === undefined) {
    throw new Error(
      'no reference server: set CONCH_PEER to a command that takes the options of tritonserver',
    );
  }
  const missing = await missingTools();
  if (missing.length > 0) throw new Error(`please install ${missing.join(' and ')}`);
  const pace = isQuick ? { rounds: 3, seconds: 2 } : { rounds: 7, seconds: 4 };
  const chosen = only?.split(',');
  const known = [...peerRows().map(({ id }) => id), 'start'];
  const stranger = chosen?.find((id) => !known.includes(id));
  if (stranger !== undefined) throw new Error(`unknown row '${stranger}', there are: ${known.join(', ')}`);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-peer-'));
  try {
    const rows = peerRows().filter(({ id }) => chosen === undefined || chosen.includes(id));
    const start = chosen === undefined || chosen.includes('start');
    const failures: string[] = [];
    const compared = rows.length === 0 ? undefined : await compareRows(rows, command, folder, pace, failures);
    return {
      rows: compared?.records ?? [],
      memory: compared?.memory,
      start: start ? await compareStarts(command, folder, pace) : undefined,
      failures,
      pace,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareRows(
  rows: readonly PeerRow[],
  command: readonly string[],
  folder: string,
  pace: PeerPace,
  failures: string[],
): Promise<{ records: RowRecord[]; memory: MemoryRecord }> {
  const repository = path.join(folder, 'models');
  await mkdir(repository);
  await writePeerRepository(repository);
  const ours = await startOurs(repository);
  try {
    const peer = await startPeer(command, repository);
    try {
      const records: RowRecord[] = [];
      const loaded = await residentNow(ours, peer);
      for (const row of rows) {
        process.stderr.write(`measuring: ${row.title}\n`);
        try {
          records.push(await compareRow(row, ours, peer, folder, pace));
        } catch (thrown) {
          failures.push(thrown instanceof Error ? thrown.message : String(thrown));
        }
      }
      return { records, memory: { loaded, after: await residentNow(ours, peer) } };
    } finally {
      await peer.server.stop();
    }
  } finally {
    await ours.server.stop();
  }
}

/** Resident bytes of both, once what the last work left behind is collected. */
async function residentNow(ours: Measured, peer: Measured): Promise<MemoryRecord['loaded']> {
  await sleep(1000);
  return { ours: residentBytes(ours.server.pid), peer: residentBytes(peer.server.pid) };
}

async function compareRow(
  row: PeerRow,
  ours: Measured,
  peer: Measured,
  folder: string,
  { rounds, seconds }: PeerPace,
): Promise<RowRecord> {
  const samples = { ours: [] as Sample[], peer: [] as Sample[] };
  const sample = async (which: 'ours' | 'peer', seconds_: number): Promise<Sample> => {
    const { server } = which === 'ours' ? ours : peer;
    const port = Number(server[row.protocol].split(':').at(-1));
    const before = processorSeconds(server.pid);
    const result = await runTool(row, port, seconds_, folder).catch((thrown: unknown) => {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      const state = server.hasEnded() ? 'it has ended' : 'it is still running';
      const said = `${text}\nIt was asked on port ${port}; ${state}; its last words:\n${server.log().slice(-2000)}`;
      throw new Error(`${NAMES[which]}: ${said}`);
    });
    const cpuUs = ((processorSeconds(server.pid) - before) * 1e6) / (result.perSecond * seconds_);
    return { ...result, cpuUs };
  };
  // A second may be too short for one large answer, and what is wrong shows below.
  for (const which of ['ours', 'peer'] as const) await sample(which, 1).catch(() => undefined);
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first changes with every round.
    const order = round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    for (const which of order) samples[which].push(await sample(which, seconds));
  }
  return { id: row.id, title: row.title, ...samples };
}

async function compareStarts(
  command: readonly string[],
  folder: string,
  { rounds }: PeerPace,
): Promise<StartRecord> {
  const repository = path.join(folder, 'start');
  await mkdir(repository);
  await writeStartRepository(repository);
  const ours: { ms: number; bytes: number }[] = [];
  const peer: typeof ours = [];
  const note = async (list: typeof ours, begin: () => Promise<Measured>): Promise<void> => {
    const { server, startMs } = await begin();
    // What the start leaves behind is collected by then.
    await sleep(1000);
    list.push({ ms: startMs, bytes: residentBytes(server.pid) });
    await server.stop();
  };
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    await note(ours, () => startOurs(repository));
    await note(peer, () => startPeer(command, repository));
  }
  const middle = (list: typeof ours) => ({
    ms: median(list.map(({ ms }) => ms)),
    bytes: median(list.map(({ bytes }) => bytes)),
  });
  return { ours: middle(ours), peer: middle(peer) };
}
