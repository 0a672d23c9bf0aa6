// What differs between two configurations, and what that means for a model that is served: nothing, instances changed
// in place, or a rebuild.

import { childPath } from './config-decoder.ts';
import { defaultValue, type AnyMessage } from './message-value.ts';
import type { ModelConfig, ModelInstanceGroup } from './model-config.ts';
import { countInstances, devicesOf } from './config-normalize.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { INSTANCE_GROUP } from './schema/instance-fields.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';

/** One field that differs between two configurations. */
export interface ConfigChangeEntry {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Value of ModelConfig before and after; undefined where there is none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** A value of a configuration as one text, blocks as they are written in config.pbtxt; "" for none. */
export function configValueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' && value !== null ? blockText(value) : String(value);
}

/** What is as if it were not written is left out. */
function blockText(block: object): string {
  if (Array.isArray(block)) return `[ ${block.map(partText).join(', ')} ]`;
  const parts = Object.entries(block)
    .filter(([, part]) => !isUnwritten(part))
    .map(([property, part]) => {
      const isBlock = typeof part === 'object' && !Array.isArray(part);
      return `${property.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)}${isBlock ? '' : ':'} ${partText(part)}`;
    });
  return ['{', ...parts, '}'].join(' ');
}

const ENUM = /^[A-Z]+(?:_[A-Z0-9]+)+$/;

/** What a choice is that nobody made. */
const UNCHOSEN: ReadonlySet<unknown> = new Set([
  'TYPE_INVALID',
  'FORMAT_NONE',
  'KIND_AUTO',
  'PRIORITY_DEFAULT',
]);

function partText(part: unknown): string {
  if (typeof part === 'object' && part !== null) return blockText(part);
  return typeof part === 'string' && !ENUM.test(part) ? JSON.stringify(part) : String(part);
}

function isUnwritten(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return !part || UNCHOSEN.has(part);
  return Object.keys(part).length === 0;
}

/** Differences in declaration order. Blocks that exist on one side only are one entry. */
export function diffModelConfigs(before: ModelConfig, after: ModelConfig): ConfigChangeEntry[] {
  return diffMessages(before, after, MODEL_CONFIG, '');
}

function diffMessages(
  before: AnyMessage,
  after: AnyMessage,
  schema: MessageSchema,
  path: string,
): ConfigChangeEntry[] {
  return schema.fields.flatMap((field) =>
    diffField(before[field.property], after[field.property], field, childPath(path, field.name)),
  );
}

function diffField(before: unknown, after: unknown, field: FieldSchema, path: string): ConfigChangeEntry[] {
  if (field.label === 'repeated' && field.type.kind === 'message') {
    return diffLists(before as unknown[], after as unknown[], field, path);
  }
  if (field.label === 'map') {
    const keys = new Set([...Object.keys(before as object), ...Object.keys(after as object)]);
    return [...keys].flatMap((key) =>
      diffSingle(entryOf(before, key), entryOf(after, key), field, `${path}[${JSON.stringify(key)}]`),
    );
  }
  return diffSingle(before, after, field, path);
}

function entryOf(map: unknown, key: string): unknown {
  const entries = map as Record<string, unknown>;
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

function diffLists(
  before: readonly unknown[],
  after: readonly unknown[],
  field: FieldSchema,
  path: string,
): ConfigChangeEntry[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) =>
    diffSingle(before[index], after[index], field, `${path}[${index}]`),
  ).flat();
}

function diffSingle(before: unknown, after: unknown, field: FieldSchema, path: string): ConfigChangeEntry[] {
  if (before !== undefined && after !== undefined && field.type.kind === 'message') {
    return diffMessages(before as AnyMessage, after as AnyMessage, field.type, path);
  }
  if (isSame(before, after)) return [];
  const wasSet = isSet(before, field);
  const kind = !wasSet ? 'added' : isSet(after, field) ? 'changed' : 'removed';
  return [{ path, kind, before, after }];
}

function isSet(value: unknown, field: FieldSchema): boolean {
  if (value === undefined) return false;
  if (Array.isArray(value)) return value.length > 0;
  return field.presence === 'optional' || field.label === 'map' || value !== defaultValue(field);
}

function isSame(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, index) => Object.is(item, after[index]));
  }
  return Object.is(before, after);
}

/** in-place: instances change while the model serves; rebuild: a new copy takes the place of the old one. */
export type ReloadNeed = 'none' | 'in-place' | 'rebuild';

/** Fields whose change leaves a version standing and only changes its instances or which versions are served. */
const IN_PLACE_FIELDS = ['instance_group', 'version_policy'];

/**
 * What loading `after` does to a version that runs `before` and whose files have not changed. Both as they are after
 * normalisation when the model is read. An ensemble has no instances: any change rebuilds it.
 */
export function reloadNeed(before: ModelConfig, after: ModelConfig): ReloadNeed {
  const changes = diffModelConfigs(before, after);
  if (changes.length === 0) return 'none';
  if (after.ensembleScheduling !== undefined) return 'rebuild';
  const isInPlace = changes.every(({ path }) => IN_PLACE_FIELDS.some((name) => belongsTo(path, name)));
  return isInPlace ? 'in-place' : 'rebuild';
}

const belongsTo = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`);

/**
 * What must be equal for a running instance to be kept under a new group: everything but name and count of the group,
 * and the device.
 */
function instanceSignature(group: ModelInstanceGroup, deviceId: number | undefined): string {
  const values: AnyMessage = group;
  const parts = INSTANCE_GROUP.fields
    .filter((field) => field.name !== 'name' && field.name !== 'count')
    .map((field) => values[field.property] ?? null);
  return JSON.stringify([parts, deviceId ?? null]);
}

/** Counts of instances, not of groups; a group with `count: 3` on two devices stands for six. */
export interface InstanceUpdate {
  readonly kept: number;
  readonly created: number;
  readonly removed: number;
}

/** How many instances an in-place update keeps, creates and removes. Both configs with normalised groups. */
export function planInstanceUpdate(before: ModelConfig, after: ModelConfig): InstanceUpdate {
  const old = instanceCounts(before.instanceGroup);
  const wanted = instanceCounts(after.instanceGroup);
  let kept = 0;
  for (const [signature, count] of wanted) kept += Math.min(count, old.get(signature) ?? 0);
  return {
    kept,
    created: countInstances(after.instanceGroup) - kept,
    removed: countInstances(before.instanceGroup) - kept,
  };
}

/** Signature -> number of instances that have it. */
function instanceCounts(groups: readonly ModelInstanceGroup[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const group of groups) {
    for (const deviceId of devicesOf(group)) {
      const signature = instanceSignature(group, deviceId);
      counts.set(signature, (counts.get(signature) ?? 0) + group.count);
    }
  }
  return counts;
}
