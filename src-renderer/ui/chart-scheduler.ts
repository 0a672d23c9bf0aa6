// Turns for charts: one chart is drawn again per animation frame, so that six charts never land in the same one.
// Animation frames stop while the window is hidden, and so does drawing.

/** Calls back in the next frame; tests hand in their own. */
export type RequestFrame = (callback: () => void) => void;

/** Spreads drawing over frames, one chart each. */
export interface ChartScheduler {
  /** Runs `draw` in a frame of its own; a newer request of the same chart replaces an older one. */
  request(chart: object, draw: () => void): void;
  /** Forgets what the chart asked for; to be called when the chart goes away. */
  cancel(chart: object): void;
}

/** A chart that asks again before its turn keeps its place and is drawn once. */
export function createChartScheduler(requestFrame: RequestFrame): ChartScheduler {
  const waiting = new Map<object, () => void>();
  let isAsked = false;
  const ask = (): void => {
    if (isAsked || waiting.size === 0) return;
    isAsked = true;
    requestFrame(() => {
      isAsked = false;
      const next = waiting.entries().next();
      if (next.done === true) return;
      const [chart, draw] = next.value;
      waiting.delete(chart);
      draw();
      ask();
    });
  };
  return {
    request: (chart, draw) => {
      waiting.set(chart, draw);
      ask();
    },
    cancel: (chart) => void waiting.delete(chart),
  };
}

/** The one of the window: all charts take turns in it. */
export const chartScheduler = createChartScheduler((callback) => void requestAnimationFrame(callback));
