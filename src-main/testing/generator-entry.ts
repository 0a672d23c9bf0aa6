// Process entry for forkGenerator: the load generator and nothing else of the command line.

import { runPerfProcess } from '../perf/process/perf-process.ts';

process.exit(await runPerfProcess());
