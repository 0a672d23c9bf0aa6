// `npm run attack`: the long form of the hostile suite. Starts the server as a user does and sends it, class by class,
// what no client should: half a million inputs. After each class the server has to be alive, to answer with the right
// values, to have written of no error that nobody caught, and to hold no more descriptors, threads and memory than
// before. Options: --seed=N, --scale=0.05 (of all inputs), --only=class,class, --first=N --inputs=N (of one class).
// Inputs that did harm are kept in .cache/attack. Exit status 1 with findings.

import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { ATTACKS } from './attack/attacks.ts';
import type { AttackClass } from './attack/attack-class.ts';
import { reportText } from './attack/report.ts';
import type { ClassResult } from './attack/run-class.ts';
import { ClassRun } from './attack/run-class.ts';
import { Victim } from './attack/victim.ts';
import { ensureBuilt } from './bootstrap.mjs';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    scale: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    first: { type: 'string', default: '0' },
    inputs: { type: 'string' },
    report: { type: 'string' },
  },
});

function chosen(): readonly AttackClass[] {
  if (flags.only === '') return ATTACKS;
  return flags.only.split(',').map((name) => {
    const found = ATTACKS.find((attack) => attack.name === name);
    if (found !== undefined) return found;
    throw new Error(
      `there is no class ${name}; there are ${ATTACKS.map((attack) => attack.name).join(', ')}`,
    );
  });
}

function line({
  name,
  inputs,
  seconds,
  faults,
  slowestPulseMs,
  longestHoldMs,
  before,
  after,
}: ClassResult): string {
  const held = `descriptors ${before.descriptors} > ${after.descriptors}, threads ${before.threads} > ${after.threads}, heap ${before.heapMiB} > ${after.heapMiB} MiB, resident ${before.residentMiB} > ${after.residentMiB} MiB`;
  return `${name}: ${inputs} inputs in ${seconds.toFixed(0)} s, slowest pulse ${slowestPulseMs} ms, loop held ${longestHoldMs} ms, ${held}, ${faults.length} fault(s)`;
}

await ensureBuilt();
const seed = Number(flags.seed);
const attacks = chosen();
console.log(`seed ${seed}; again with: npm run attack -- --seed=${seed}`);
const results: ClassResult[] = [];
let victim = await Victim.start();
for (const attack of attacks) {
  const inputs = Number(flags.inputs ?? Math.max(1, Math.round(attack.inputs * Number(flags.scale))));
  const result = await new ClassRun(victim, attack, { seed, first: Number(flags.first), inputs }).run();
  results.push(result);
  console.log(line(result));
  for (const fault of result.faults) console.log(`  ${fault}`);
  if (!victim.hasCrashed) continue;
  await victim[Symbol.asyncDispose]();
  victim = await Victim.start();
}
await victim[Symbol.asyncDispose]();
if (flags.report !== undefined) await writeFile(flags.report, reportText(results, seed));
const failed = results.filter(({ faults }) => faults.length > 0).length;
console.log(`${results.reduce((total, { inputs }) => total + inputs, 0)} inputs`);
console.log(`${results.length - failed} passed, ${failed} failed, 0 skipped`);
process.exit(failed === 0 ? 0 : 1);
