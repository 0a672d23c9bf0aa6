// The watcher marks changed models: one event for changes that belong together, config changes told apart.
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { EventBus } from '../base/event-bus.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import type { RepositoryEvents } from './repository-events.ts';
import { RepositoryWatcher } from './repository-watcher.ts';

let repository: TempRepository;
let events: EventBus<RepositoryEvents>;
let watcher: RepositoryWatcher;

beforeEach(async () => {
  repository = await TempRepository.create({ 'm/config.pbtxt': 'a', 'm/1/model.onnx': 'x' });
  events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  watcher = new RepositoryWatcher({ clock: systemClock, events });
  await watcher.follow([repository.path]);
});
afterEach(async () => {
  await watcher.close();
  await repository.close();
});

function next<K extends keyof RepositoryEvents>(name: K): Promise<RepositoryEvents[K]> {
  return new Promise((resolve) => {
    const following = events.subscribe(name, (event) => {
      following[Symbol.dispose]();
      resolve(event);
    });
  });
}

it('tells a changed configuration from changed model files', async () => {
  const config = next('filesChanged');
  await repository.write({ 'm/config.pbtxt': 'b' });
  expect(await config).toEqual({ name: 'm', repository: repository.path, isConfig: true });
  const file = next('filesChanged');
  await repository.write({ 'm/1/model.onnx': 'y' });
  expect(await file).toEqual({ name: 'm', repository: repository.path, isConfig: false });
});

it('tells when model folders come and go', async () => {
  const added = next('foldersChanged');
  await repository.write({ 'n/1/model.onnx': 'x' });
  expect(await added).toEqual({ repositories: [repository.path] });
  const removed = next('foldersChanged');
  await repository.remove('n');
  expect(await removed).toEqual({ repositories: [repository.path] });
});

it('tells when a repository goes and comes back, and watches what is there then', async () => {
  const away = `${repository.path}-away`;
  const gone = next('foldersChanged');
  await rename(repository.path, away);
  await gone;
  const back = next('filesChanged');
  await rename(away, repository.path);
  expect(await back).toEqual({ name: 'm', repository: repository.path, isConfig: true });
  const changed = next('filesChanged');
  await repository.write({ 'm/1/model.onnx': 'y' });
  expect(await changed).toEqual({ name: 'm', repository: repository.path, isConfig: false });
});

it('watches a repository that was not there at first', async () => {
  const late = `${repository.path}-late`;
  await watcher.follow([late]);
  const there = next('filesChanged');
  await cp(repository.path, late, { recursive: true });
  expect(await there).toMatchObject({ name: 'm', repository: late });
  await watcher.follow([]);
  await rm(late, { recursive: true });
});

it('follows other repositories when told and leaves the old ones', async () => {
  await using other = await TempRepository.create({ 'k/1/model.onnx': 'x' });
  await watcher.follow([other.path]);
  const changed = next('filesChanged');
  await repository.write({ 'm/config.pbtxt': 'ignored' });
  await other.write({ 'k/1/model.onnx': 'y' });
  expect(await changed).toMatchObject({ name: 'k', repository: other.path });
});

it('has others list again when it begins to watch, for folders that came meanwhile', async () => {
  await using other = await TempRepository.create({ 'k/1/model.onnx': 'x' });
  const told = next('foldersChanged');
  const following = watcher.follow([other.path]);
  await other.write({ 'meanwhile/1/model.onnx': 'x' });
  await following;
  expect(await told).toEqual({ repositories: [other.path] });
});

it('follows links to models elsewhere, and not one that leads to the whole disk', async () => {
  await using other = await TempRepository.create({ 'k/1/model.onnx': 'x' });
  await using linked = await TempRepository.create({ 'm/1/model.onnx': 'x' });
  await symlink(other.at('k'), linked.at('elsewhere'));
  await symlink('/', linked.at('everything'));
  await symlink('/', linked.at('m/1/labels.txt'));
  await watcher.follow([linked.path]);
  const changed = next('filesChanged');
  await other.write({ 'k/1/model.onnx': 'y' });
  expect(await changed).toMatchObject({ name: 'elsewhere', repository: linked.path });
});
