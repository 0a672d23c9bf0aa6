// One comparison: the same calls to a running reference server and to ours, each giving a plain value; the two values
// must be equal as JSON.

import type { OtlpReceiver } from '../../src-main/testing/otlp-receiver.ts';
import { exchange } from './exchange.ts';
import type { Side } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

export interface Target {
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly metricsPort: number;
  readonly ports: readonly number[];
  /** The repositories, in the order of the command line. */
  readonly folders: readonly string[];
  readonly side: Side;
  readonly pid: number;
  /** Where the server sends its spans, in scenes with a receiver. */
  readonly spans?: OtlpReceiver;
  /** Ports of the endpoints for SageMaker and Vertex AI, in scenes that have them. */
  readonly cloudPorts: readonly [sagemaker: number, vertexAi: number];
  /** Everything the server has written so far. */
  log(): string;
  /** Asks the server to end; gives the exit code. */
  stop(): Promise<number>;
}

export interface ReferenceCase {
  readonly name: string;
  /** After this time a server counts as one that gives no answer; default one minute. */
  readonly limitMs?: number;
  run(target: Target): Promise<unknown>;
}

/** One HTTP exchange as a case. */
export function wireReferenceCase(wireCase: WireCase): ReferenceCase {
  return { name: `HTTP ${wireCase.name}`, run: ({ httpPort }) => exchange(httpPort, wireCase) };
}

/** A connection that broke is an answer too. */
export function answerOf(port: number, step: WireCase): Promise<object> {
  return exchange(port, step).catch((error: unknown) => ({ thrown: String(error) }));
}

/** Exchanges one after another; the answers of all of them are compared. */
export function script(name: string, steps: readonly WireCase[]): ReferenceCase {
  return {
    name: `HTTP script: ${name}`,
    run: async ({ httpPort }) => {
      const answers: unknown[] = [];
      for (const step of steps) answers.push({ step: step.name, ...(await answerOf(httpPort, step)) });
      return answers;
    },
  };
}

/** Exchanges started 100 ms apart without waiting for each other. */
export function overlapping(name: string, steps: readonly WireCase[]): ReferenceCase {
  return {
    name: `HTTP overlapping: ${name}`,
    run: async ({ httpPort }) => {
      const running: Promise<unknown>[] = [];
      for (const step of steps) {
        running.push(answerOf(httpPort, step));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return Promise.all(running);
    },
  };
}
