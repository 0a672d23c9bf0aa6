// Calls about the app itself: what models can run on, our own data on disk, the settings file, licences.

import { z } from 'zod';

import { defineCall } from './define.ts';

/** A way of ONNX Runtime to run models on some hardware. */
export interface ProviderView {
  /** As ONNX Runtime names it: "cpu", "cuda", "webgpu". */
  readonly name: string;
  /** Its libraries are here; whether it works is what the self-test says. */
  readonly isUsable: boolean;
}

/** What ONNX Runtime could use on this machine, and what more could be fetched for it. */
export interface RuntimeView {
  readonly providers: readonly ProviderView[];
  /** What the driver's tool lists; empty without a driver. */
  readonly gpus: readonly string[];
  readonly cuda: {
    readonly isInstalled: boolean;
    /** What they take on the disk; 0 = they are not installed. */
    readonly installedBytes: number;
    /** Why the libraries cannot be fetched here; undefined = they can. */
    readonly unavailable: string | undefined;
    readonly folder: string;
    /** What fetching would bring: "8 file(s), 1485 MiB"; undefined where nothing can be fetched. */
    readonly download: string | undefined;
  };
}

/** Whether a provider really runs a small model here. */
export interface SelfTestResult {
  readonly isOk: boolean;
  /** One sentence: what ran and how fast, or the runtime's words. */
  readonly message: string;
}

/**
 * One folder of the app's own data, with the files in it at any depth. `byteSize`: sum of their lengths, not
 * what they take on the disk.
 */
export interface DataUsage {
  readonly kind: 'runs-and-requests' | 'uploads' | 'logs' | 'bin' | 'samples';
  readonly path: string;
  readonly fileCount: number;
  readonly byteSize: number;
}

/** One part of the app. `licence`: as its package states it, an SPDX expression as a rule. */
export interface LicenceView {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
}

/** What is fetched or tried takes long: it is a task. */
export const appCalls = [
  defineCall('runtime/view', z.object({}))<RuntimeView>(),
  /** Runs a small model with one provider and checks the result. */
  defineCall('runtime/selfTest', z.object({ provider: z.string() }))<SelfTestResult>(),
  /** Fetches ONNX Runtime's CUDA libraries as a task; they are used from the next start on. */
  defineCall('runtime/installGpu', z.object({ taskId: z.string() }))<void>(),
  /** Removes them, and what is left of a broken fetch. */
  defineCall('runtime/removeGpu', z.object({}))<void>(),
  defineCall('data/usage', z.object({}))<readonly DataUsage[]>(),
  /** Moves runs, saved requests and uploads to the bin. Settings, samples and repositories stay. */
  defineCall('data/deleteAll', z.object({}))<{ readonly movedTo: string | undefined }>(),
  /** The settings file as it is on disk; "" while there is none. */
  defineCall('settings/readText', z.object({}))<{ readonly path: string; readonly text: string }>(),
  /** Everything that is part of the app, by name. */
  defineCall('app/licences', z.object({}))<readonly LicenceView[]>(),
] as const;
