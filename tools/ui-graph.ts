// The drawing of a large file: how long it takes until it is there, and frames while it is dragged and zoomed.

import type { FrameReport } from '../e2e/harness/frame-watch.ts';
import { FrameWatch } from '../e2e/harness/frame-watch.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import type { Place } from './ui-measures.ts';
import { openPage } from './ui-measures.ts';

/** One drawing with all its operators open. */
export interface GraphFrames {
  /** Wall-clock ms from the press on the tab to the drawing, its layout included. */
  readonly shownMs: number;
  readonly dragged: FrameReport;
  /** From where the names can be read to the whole, and back. */
  readonly zoomed: FrameReport;
}

const STEPS = 100;
const STEP_MS = 40;

/** The Graph tab of a model whose file was not looked at before. */
export async function measureGraph(place: Place, model: string): Promise<GraphFrames> {
  const page = await openPage(place);
  await new AppPage(page).openModel(model);
  const startMs = performance.now();
  await page.getByTestId('model-tab-graph').click();
  const canvas = page.getByTestId('graph-canvas');
  await canvas.waitFor();
  const shownMs = performance.now() - startMs;
  await page.waitForTimeout(3000);
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the drawing is not in view');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const framesOf = async (act: () => Promise<void>): Promise<FrameReport> => {
    const watch = await FrameWatch.start(page, session);
    await act();
    return watch.stop();
  };
  // Beside the nodes, where the drawing itself is taken hold of.
  await page.mouse.move(box.x + 12, y);
  const dragged = await framesOf(async () => {
    await page.mouse.down();
    for (let step = 0; step < STEPS; step += 1) {
      const turn = step < STEPS / 2 ? step : STEPS - step;
      await page.mouse.move(box.x + 12 + turn, y - turn * 6);
      await page.waitForTimeout(STEP_MS);
    }
    await page.mouse.up();
  });
  await page.mouse.move(x, y);
  const zoomed = await framesOf(async () => {
    for (let step = 0; step < STEPS; step += 1) {
      await page.mouse.wheel(0, step < STEPS / 2 ? 80 : -80);
      await page.waitForTimeout(STEP_MS);
    }
  });
  await page.close();
  return { shownMs, dragged, zoomed };
}
