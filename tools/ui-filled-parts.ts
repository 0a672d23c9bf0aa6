// The parts of the budget about a window with much in it: a repository of a thousand models, long configurations, many
// tabs, a full log, as many traces as are kept, a large drawing.

import type { FrameReport } from '../e2e/harness/frame-watch.ts';
import { residualOnnx, sampleFiles, TempRepository } from '../e2e/harness/fixture-models.ts';
import type { ServedApp, ServeOptions } from '../e2e/harness/serve-app.ts';
import { serveApp } from '../e2e/harness/serve-app.ts';
import { measureGraph } from './ui-graph.ts';
import type { GraphFrames } from './ui-graph.ts';
import { measureLongLog, measureManyTraces } from './ui-long-lists.ts';
import type { LongListFrames } from './ui-long-lists.ts';
import * as measures from './ui-measures.ts';
import type { PartGroup } from './ui-parts.ts';
import { mib, ms, percent, row, wallClock } from './ui-rows.ts';
import type { Row } from './ui-rows.ts';

const MANY_MODELS = 1000;
const LONG_CONFIG_LINES = 2000;

const MODEL_NAMES = Array.from(
  { length: MANY_MODELS },
  (_, index) => `model_${String(index).padStart(4, '0')}`,
);
/** Its configuration is the long one. */
const LONG_MODEL = 'model_0000';
const LOADED_MODELS = MODEL_NAMES.slice(0, 10);

/** On one server with a thousand models, of which ten are loaded. */
export const manyModelsParts: PartGroup = {
  serve: serveManyModels,
  parts: {
    list: {
      title: 'List of models',
      rows: async (place) => listScrollRows(await measures.measureModelList(place)),
    },
    editor: {
      title: 'Editor',
      rows: async (place) => editorRows(await measures.measureEditor(place, LONG_MODEL)),
    },
    memory: {
      title: 'Memory',
      rows: async (place) => memoryRows(await measures.measureMemory(place, LOADED_MODELS)),
    },
  },
};

const LOG_LINES = 190_000;
const TRACE_ROWS = 50_000;
const GRAPH_NODES = 800;
const LAYOUT_LIMIT_MS = 3000;
const GRAPH_MODEL = 'residual';

/** On one server that logs every request; the page keeps 200,000 lines, and drops a tenth beyond. */
export const logParts: PartGroup = {
  serve: () => serveApp({ samples: ['batch_mlp'], args: ['--log-verbose=1'] }),
  parts: {
    logs: {
      title: 'Log lines',
      rows: async (place) => {
        const { followed, scrolled, filtered } = await measureLongLog(place, LOG_LINES);
        return [
          longListRow('lines of the log, followed as they come', followed),
          longListRow('lines of the log, scrolled', scrolled),
          longListRow('lines of the log, filtered by words as they are typed', filtered),
        ];
      },
    },
  },
};

/** On one server with nothing else to do. */
export const traceParts: PartGroup = {
  serve: () => serveApp({ samples: ['batch_mlp'] }),
  parts: {
    traces: {
      title: 'Trace rows',
      rows: async (place) => {
        const { scrolled, zoomed, chosen } = await measureManyTraces(place, TRACE_ROWS);
        return [
          longListRow('traced requests, scrolled', scrolled),
          longListRow('traced requests, their timeline zoomed', zoomed),
          longListRow('traced requests, one after the other chosen by key', chosen),
        ];
      },
    },
  },
};

/** On one server whose model is a large file. */
export const graphParts: PartGroup = {
  serve: () =>
    serveFiles(
      {
        [`${GRAPH_MODEL}/1/model.onnx`]: residualOnnx(GRAPH_NODES),
        [`${GRAPH_MODEL}/config.pbtxt`]: `name: "${GRAPH_MODEL}"\nbackend: "onnxruntime"\n`,
      },
      {},
    ),
  parts: {
    graph: {
      title: 'Graph',
      rows: async (place) => graphRows(await measureGraph(place, GRAPH_MODEL)),
    },
  },
};

/** The files go with the server. */
async function serveFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: ServeOptions,
): Promise<ServedApp> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await TempRepository.create(files));
  const args = [`--model-repository=${folder.path}`, ...(options.args ?? [])];
  const app = opened.use(await serveApp({ ...options, args }));
  const whole = opened.move();
  return {
    addresses: app.addresses,
    userDataPath: app.userDataPath,
    repositoryPath: folder.path,
    pid: app.pid,
    output: () => app.output(),
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
}

function serveManyModels(): Promise<ServedApp> {
  const files = Object.assign({}, ...MODEL_NAMES.map((name) => sampleFiles('simple', name))) as Record<
    string,
    string | Uint8Array
  >;
  files[`${LONG_MODEL}/config.pbtxt`] = longConfig(String(files[`${LONG_MODEL}/config.pbtxt`]));
  return serveFiles(files, {
    args: ['--model-control-mode=explicit', ...LOADED_MODELS.map((name) => `--load-model=${name}`)],
  });
}

/** Comments count as lines to the editor as much as fields do. */
function longConfig(text: string): string {
  const lines = text.split('\n');
  const filler = Array.from(
    { length: LONG_CONFIG_LINES - lines.length },
    (_, index) => `parameters { key: "setting_${index}" value { string_value: "${index}" } }`,
  );
  return [...lines, ...filler, ''].join('\n');
}

function listScrollRows({ framesPerSecond, gaps }: measures.ListScroll): readonly Row[] {
  const ownGap = Math.max(0, ...gaps.map(({ ownMs }) => ownMs));
  return [
    wallClock(
      `List of ${MANY_MODELS} models, scrolled`,
      '60 fps',
      `${framesPerSecond.toFixed(1)} fps; most own work between two frames ${ms(ownGap)}`,
      framesPerSecond >= 55,
    ),
  ];
}

function editorRows({ keyToPaintMs, diagnosticsMs }: measures.EditorTimes): readonly Row[] {
  return [
    wallClock(
      `Editor, key to paint, ${LONG_CONFIG_LINES} lines (p95)`,
      '< 30 ms',
      ms(keyToPaintMs),
      keyToPaintMs < 30,
    ),
    wallClock(
      'Editor, diagnostics after the last key',
      '< 150 ms after the pause',
      `${ms(diagnosticsMs)}, the pause included`,
      diagnosticsMs < 300,
    ),
  ];
}

function memoryRows({ tabCount, processBytes, heapBytes }: measures.RendererMemory): readonly Row[] {
  return [
    row(
      `Renderer memory with ${tabCount} model tabs`,
      '< 350 MB',
      `${mib(processBytes)} (JavaScript heap ${mib(heapBytes)})`,
      processBytes < 350e6,
    ),
  ];
}

function framesText({ frameCount, durationMs, gaps, busyMs }: FrameReport): string {
  const ownGap = Math.max(0, ...gaps.map(({ ownMs }) => ownMs));
  const framesPerSecond = (frameCount / durationMs) * 1000;
  return `${framesPerSecond.toFixed(1)} fps; most own work between two frames ${ms(ownGap)}; main thread busy ${percent(busyMs / durationMs)}`;
}

const isAtLeast = ({ frameCount, durationMs }: FrameReport, framesPerSecond: number): boolean =>
  (frameCount / durationMs) * 1000 >= framesPerSecond;

function longListRow(what: string, frames: LongListFrames): Row {
  const item = `${frames.rowCount.toLocaleString('en')} ${what}`;
  return wallClock(item, '60 fps', framesText(frames), isAtLeast(frames, 55));
}

function graphRows({ shownMs, dragged, zoomed }: GraphFrames): readonly Row[] {
  const item = `Graph of ${GRAPH_NODES} nodes`;
  return [
    wallClock(`${item}, from the press to the drawing`, '< 3 s', ms(shownMs), shownMs < LAYOUT_LIMIT_MS),
    wallClock(`${item}, dragged`, '50 fps', framesText(dragged), isAtLeast(dragged, 50)),
    wallClock(`${item}, zoomed`, '50 fps', framesText(zoomed), isAtLeast(zoomed, 50)),
  ];
}
