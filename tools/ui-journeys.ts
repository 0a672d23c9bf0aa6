// What a user does to get somewhere, taken by a script in a real page: how many clicks and keys it needs, and how long the
// machine takes for its part. Thinking, reading and typing of people are not in the seconds.

import type { Locator, Page } from '@playwright/test';

import { dropFiles } from '../e2e/harness/drop-files.ts';
import { classifierOnnx, TempRepository } from '../e2e/harness/fixture-models.ts';
import type { LaunchedApp, Launcher } from '../e2e/harness/launch-app.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import { ImportPage } from '../e2e/pages/import-page.ts';

/** One way through the window, as it was taken. */
export interface Journey {
  readonly name: string;
  /** Clicks, double clicks and drops. */
  readonly clicks: number;
  readonly keys: number;
  readonly seconds: number;
  /** Why it did not get there; undefined = it did. */
  readonly failure: string | undefined;
}

const PATIENCE_MS = 60_000;
const MOST_PRESSES = 40;

/** Does what a user does, and counts it. */
class Hand {
  clicks = 0;
  keys = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  place(testId: string): Locator {
    return this.#page.getByTestId(testId);
  }

  async click(testId: string): Promise<void> {
    this.clicks += 1;
    await this.place(testId).first().click({ timeout: PATIENCE_MS });
  }

  async clickOn(place: Locator): Promise<void> {
    this.clicks += 1;
    await place.click({ timeout: PATIENCE_MS });
  }

  async open(testId: string): Promise<void> {
    this.clicks += 1;
    await this.place(testId).dblclick({ timeout: PATIENCE_MS });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.keys += 1;
      await this.#page.keyboard.press(key);
    }
  }

  /** Presses a key until that place has the focus. */
  async pressUntil(key: string, testId: string): Promise<void> {
    const focused = `document.activeElement?.getAttribute('data-testid')`;
    for (let times = 0; times < MOST_PRESSES; times += 1) {
      await this.press(key);
      if ((await this.#page.evaluate<string | null>(focused)) === testId) return;
    }
    throw new Error(`${MOST_PRESSES} times ${key} do not lead to ${testId}`);
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.#page.keyboard.type(text);
  }

  async until(testId: string, state?: string): Promise<void> {
    const place =
      state === undefined
        ? this.place(testId)
        : this.#page.locator(`[data-testid="${testId}"][data-state="${state}"]`);
    await place.first().waitFor({ timeout: PATIENCE_MS });
  }
}

interface Plan {
  readonly name: string;
  readonly args?: readonly string[];
  /** Before the clock runs: the place where the user is. */
  readonly before?: (hand: Hand, app: LaunchedApp) => Promise<void>;
  readonly go: (hand: Hand, app: LaunchedApp) => Promise<void>;
}

const FRESH = ['--no-repository'];

async function ready(hand: Hand, model: string): Promise<void> {
  await hand.until(`model-state-${model}`, 'ready');
}

const PLANS: readonly Plan[] = [
  {
    name: 'No repository, the samples, first answer',
    args: FRESH,
    before: (hand) => hand.until('first-run-samples'),
    go: async (hand) => {
      await hand.click('first-run-samples');
      await hand.click('pg-send');
      await hand.until('pg-response', 'ok');
    },
  },
  {
    name: 'No repository, drop an .onnx file, first answer',
    args: FRESH,
    before: (hand) => hand.until('first-run-samples'),
    go: async (hand, app) => {
      await using folder = await TempRepository.create({ 'first.onnx': classifierOnnx() });
      hand.clicks += 1;
      await dropFiles(app, new ImportPage(app).zone('copy'), [folder.at('first.onnx')]);
      await hand.click('wizard-create-load');
      await hand.click('pg-send');
      await hand.until('pg-response', 'ok');
    },
  },
  {
    name: 'A served model, from the list to an answer',
    before: (hand) => ready(hand, 'batch_mlp'),
    go: async (hand) => {
      await hand.open('model-row-batch_mlp');
      await hand.click('model-sample-run');
      await hand.until('model-sample-example', 'true');
    },
  },
  {
    name: 'A model that cannot be loaded: explained, repaired, serving',
    before: (hand) => ready(hand, 'batch_mlp'),
    go: async (hand, { page }) => {
      await hand.open('model-row-broken_dims');
      await hand.click('model-load');
      await hand.clickOn(page.locator('[data-testid^="failure-fix-"]').first());
      await hand.until('model-header-state-broken_dims', 'ready');
    },
  },
  {
    name: 'The configuration as text, ready to be typed in, first time',
    before: (hand) => ready(hand, 'batch_mlp'),
    go: async (hand, { page }) => {
      await hand.open('model-row-batch_mlp');
      await hand.click('model-tab-config');
      await page.getByTestId('config-editor').locator('.view-line').first().waitFor({ timeout: PATIENCE_MS });
    },
  },
  {
    name: 'By keys alone: palette, model, playground, answer',
    before: (hand) => ready(hand, 'simple'),
    go: async (hand) => {
      await hand.press('ControlOrMeta+p');
      await hand.until('palette');
      await hand.type('simple');
      await hand.press('Enter');
      await hand.until('model-view-simple');
      await hand.pressUntil('Tab', 'model-tab-overview');
      await hand.pressUntil('ArrowRight', 'model-tab-playground');
      await hand.until('pg-send');
      await hand.press('ControlOrMeta+Enter');
      await hand.until('pg-response', 'ok');
    },
  },
  {
    name: "A client's request, captured, looked at, in the playground",
    before: (hand) => ready(hand, 'simple'),
    go: async (hand, app) => {
      await hand.click('status-problems');
      await hand.click('bottom-requests');
      await hand.clickOn(app.page.getByTestId('requests-view').getByText('Captured requests'));
      await hand.click('capture-start');
      await app.page.getByTestId('capture-stop').waitFor();
      await sendSimple(await app.httpAddress());
      const row = app.page.locator('[data-testid^="captured-"][role="row"]').first();
      hand.clicks += 1;
      await row.dblclick({ timeout: PATIENCE_MS });
      await hand.click('captured-open');
      await hand.until('pg-send');
    },
  },
  {
    name: 'The server process is killed: the page serves again',
    before: (hand) => ready(hand, 'batch_mlp'),
    go: async (hand, app) => {
      process.kill(await app.enginePid(), 'SIGKILL');
      await hand.until('banner-crashed');
      await ready(hand, 'batch_mlp');
    },
  },
];

async function sendSimple(http: string): Promise<void> {
  const data = Array.from({ length: 16 }, (_, at) => at);
  const inputs = ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [1, 16], data }));
  await fetch(`${http}/v2/models/simple/infer`, { method: 'POST', body: JSON.stringify({ inputs }) });
}

async function take(launcher: Launcher, { name, args, before, go }: Plan): Promise<Journey> {
  await using app = await launcher.launch(args === undefined ? {} : { args });
  const hand = new Hand(app.page);
  let startMs = performance.now();
  let failure: string | undefined;
  try {
    await before?.(hand, app);
    await new AppPage(app.page).statusServer.waitFor({ timeout: PATIENCE_MS });
    startMs = performance.now();
    await go(hand, app);
  } catch (thrown) {
    [failure] = String(thrown).split('\n');
  }
  const seconds = (performance.now() - startMs) / 1000;
  return { name, clicks: hand.clicks, keys: hand.keys, seconds, failure };
}

/** Each in an app and a page of its own, one after the other. */
export async function takeJourneys(
  launcher: Launcher,
  onStart: (name: string) => void,
): Promise<readonly Journey[]> {
  const journeys: Journey[] = [];
  for (const plan of PLANS) {
    onStart(plan.name);
    journeys.push(await take(launcher, plan));
  }
  return journeys;
}

/** A table in Markdown; a journey that did not arrive says where it ended in place of its seconds. */
export function journeyTable(journeys: readonly Journey[]): string {
  const lines = journeys.map(({ name, clicks, keys, seconds, failure }) =>
    failure === undefined
      ? `| ${name} | ${clicks} | ${keys} | ${seconds.toFixed(1)} |`
      : `| ${name} | ${clicks} | ${keys} | did not arrive: ${failure} |`,
  );
  return ['| Journey | Clicks | Keys | Seconds |', '| --- | --- | --- | --- |', ...lines].join('\n');
}
