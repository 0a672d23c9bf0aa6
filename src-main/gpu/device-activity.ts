// What goes on on each GPU while a load is measured there. Memory has no owner's name on it: a difference is a model's only
// when nothing else was made, closed or run meanwhile.

/** `process`: inside of this process. `elsewhere`: in processes of models or of comparisons. */
export type ActivityScope = 'process' | 'elsewhere';

/** What a model on a GPU has run so far, and runs now. */
export interface DeviceRuns {
  readonly executionCount: number;
  readonly inFlightCount: number;
}

interface Activity {
  readonly devices: readonly number[] | 'all';
  readonly scope: ActivityScope;
}

interface User {
  readonly device: number;
  readonly scope: ActivityScope;
  readonly runs: () => DeviceRuns;
}

/** Everything that goes on on the machine's GPUs, told by those who do it. */
export class DeviceActivity {
  readonly #open = new Set<Activity>();
  readonly #users = new Set<User>();
  readonly #watches = new Set<DeviceWatch>();
  readonly #waiting: (() => void)[] = [];

  /**
   * Models are made, changed or closed there, or something else uses memory; the returned function ends it. `own` are the
   * watches of whoever does it. On no device it is nothing.
   */
  begin(
    devices: readonly number[] | 'all',
    scope: ActivityScope,
    own: readonly DeviceWatch[] = [],
  ): () => void {
    if (devices.length === 0) return () => undefined;
    const activity: Activity = { devices, scope };
    this.#open.add(activity);
    for (const watch of this.#watches) {
      if (touches(activity, watch.device) && !own.includes(watch)) watch.overlaps.add(scope);
    }
    return () => {
      this.#open.delete(activity);
      if (this.#open.size === 0) for (const admit of this.#waiting.splice(0)) admit();
    };
  }

  /** Resolves when no activity is going on: for work that would only spoil what others measure, and can wait. */
  async quiet(): Promise<void> {
    while (this.#open.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** A model answers requests there from now on, until the returned function is called. */
  join(device: number, scope: ActivityScope, runs: () => DeviceRuns): () => void {
    const user: User = { device, scope, runs };
    this.#users.add(user);
    return () => void this.#users.delete(user);
  }

  /** To be made before the watcher's own activity begins, and to be ended. */
  watch(device: number): DeviceWatch {
    const usersOf = (): readonly User[] => [...this.#users].filter((user) => user.device === device);
    const watch = new DeviceWatch(device, usersOf, () => void this.#watches.delete(watch));
    for (const activity of this.#open) if (touches(activity, device)) watch.overlaps.add(activity.scope);
    this.#watches.add(watch);
    return watch;
  }
}

/** Looks at one device from when it was made until `end`. */
export class DeviceWatch {
  readonly device: number;
  readonly overlaps = new Set<ActivityScope>();
  readonly end: () => void;
  readonly #users: () => readonly User[];
  readonly #before: ReadonlyMap<User, DeviceRuns>;

  constructor(device: number, users: () => readonly User[], end: () => void) {
    this.device = device;
    this.end = end;
    this.#users = users;
    this.#before = new Map(users().map((user) => [user, user.runs()]));
  }

  /** What happened in these scopes besides the watcher's own doing; undefined = nothing. */
  disturbance(scopes: readonly ActivityScope[]): 'overlap' | 'busy' | undefined {
    if (scopes.some((scope) => this.overlaps.has(scope))) return 'overlap';
    const isBusy = this.#users().some((user) => scopes.includes(user.scope) && this.#hasRun(user));
    return isBusy ? 'busy' : undefined;
  }

  #hasRun(user: User): boolean {
    const before = this.#before.get(user) ?? { executionCount: 0, inFlightCount: 0 };
    const now = user.runs();
    return before.inFlightCount > 0 || now.inFlightCount > 0 || now.executionCount !== before.executionCount;
  }
}

function touches({ devices }: Activity, device: number): boolean {
  return devices === 'all' || devices.includes(device);
}
