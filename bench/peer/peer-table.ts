// What the comparison found, and the table that is made of it.

import { median } from '../median.ts';

/** What one server did in one row. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number | undefined;
  /** Processor time of the server for one request. */
  readonly cpuUs: number;
}

/** One sample of each side for every round; the two of a round were taken one right after the other. */
export interface RowRecord {
  readonly id: string;
  readonly title: string;
  readonly ours: readonly Sample[];
  readonly peer: readonly Sample[];
}

/** Resident bytes of each server and all its processes, with every model that the rows ask. */
export interface MemoryRecord {
  /** One second after it was ready. */
  readonly loaded: { readonly ours: number; readonly peer: number };
  /** One second behind the last request of the rows. */
  readonly after: { readonly ours: number; readonly peer: number };
}

/** Milliseconds until ready, and resident bytes right after that. */
export interface StartRecord {
  readonly ours: { readonly ms: number; readonly bytes: number };
  readonly peer: { readonly ms: number; readonly bytes: number };
}

/** The whole comparison, as it is kept. */
export interface PeerRecord {
  readonly rows: readonly RowRecord[];
  /** `undefined` when no row was chosen. */
  readonly memory: MemoryRecord | undefined;
  readonly start: StartRecord | undefined;
  /** Of rows that could not be measured: what went wrong. */
  readonly failures: readonly string[];
  readonly pace: { readonly rounds: number; readonly seconds: number };
}

const amount = (value: number): string =>
  value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');
const ms = (us: number | undefined): string => (us === undefined ? '–' : (us / 1000).toFixed(2));

/** Markdown: ours / reference, and the ratio of medians; above 1 ours is the faster one. */
export function peerTable({ rows, memory, start }: PeerRecord): string {
  const cells: string[][] = [
    ['Case', 'Requests/s', 'Ratio', 'Range', 'p50 ms', 'p99 ms', 'CPU us/request'],
    ['---', '---', '---', '---', '---', '---', '---'],
  ];
  for (const { title, ours, peer } of rows) {
    const pair = (pick: (sample: Sample) => number): readonly [number, number] => [
      median(ours.map(pick)),
      median(peer.map(pick)),
    ];
    const [ourRate, peerRate] = pair(({ perSecond }) => perSecond);
    const [ourP50, peerP50] = pair(({ p50Us }) => p50Us);
    const [ourP99, peerP99] = pair(({ p99Us }) => p99Us ?? NaN);
    const [ourCpu, peerCpu] = pair(({ cpuUs }) => cpuUs);
    const ratios = ours.map(({ perSecond }, index) => perSecond / (peer[index]?.perSecond ?? NaN));
    const hasTails = !Number.isNaN(ourP99);
    cells.push([
      title,
      `${amount(ourRate)} / ${amount(peerRate)}`,
      (ourRate / peerRate).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      `${ms(ourP50)} / ${ms(peerP50)}${hasTails ? '' : ' (mean)'}`,
      hasTails ? `${ms(ourP99)} / ${ms(peerP99)}` : '–',
      `${Math.round(ourCpu)} / ${Math.round(peerCpu)}`,
    ]);
  }
  const mb = (bytes: number): string => Math.round(bytes / 1e6).toString();
  const memoryRow = (title: string, { ours, peer }: { ours: number; peer: number }): void => {
    cells.push([title, `${mb(ours)} / ${mb(peer)}`, (peer / ours).toFixed(2), '', '', '', '']);
  };
  if (memory !== undefined) {
    memoryRow('resident memory, the models of these rows loaded, MB', memory.loaded);
    memoryRow('resident memory behind these rows, MB', memory.after);
  }
  if (start !== undefined) {
    const { ours, peer } = start;
    const seconds = `${(ours.ms / 1000).toFixed(2)} / ${(peer.ms / 1000).toFixed(2)}`;
    cells.push([
      'start to ready, 8 small models, s',
      seconds,
      (peer.ms / ours.ms).toFixed(2),
      '',
      '',
      '',
      '',
    ]);
    memoryRow('resident memory then, MB', { ours: ours.bytes, peer: peer.bytes });
  }
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
