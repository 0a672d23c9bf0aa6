import { expect, test } from 'vitest';

import type { RoutePattern } from './router.ts';
import { Router } from './router.ts';

const route = (...paths: readonly string[]): RoutePattern => ({
  paths,
  category: 'metadata',
  methods: ['GET'],
});

const routes = {
  server: route(''),
  all: route('/models/stats'),
  model: route('/models/{model}', '/models/{model}/versions/{version}'),
  setting: route('/models/{model}/trace/setting'),
  load: route('/repository/models/{model}/load', '/repository/{repository}/models/{model}/load'),
  region: route('/systemsharedmemory/region/{region}/status'),
};
const router = new Router(Object.values(routes), (name) => ['a b', 'c%20d', 'c d', 'e/f'].includes(name));

test.each([
  ['/v2', routes.server, {}],
  ['/v2?x=/models/m', routes.server, {}],
  ['http://proxy:80/v2/models/m', routes.model, { model: 'm' }],
  ['/v2/models/m', routes.model, { model: 'm', version: '' }],
  ['/v2/models/stats', routes.all, { model: '' }],
  ['/v2/models/a%20b/versions/007', routes.model, { model: 'a b', version: '007' }],
  ['/v2/models/c%20d', routes.model, { model: 'c%20d' }],
  ['/v2/models/e%2Ff', routes.model, { model: 'e/f' }],
  ['/v2/models/nobody%20s', routes.model, { model: 'nobody%20s' }],
  ['/v2/models/%zz', routes.model, { model: '%zz' }],
  ['/v2/models/100%/trace/setting', routes.setting, { model: '100%' }],
  ['/v2/models/versions/versions/1', routes.model, { model: 'versions', version: '1' }],
  ['/v2/repository/models/m/load', routes.load, { model: 'm', repository: '' }],
  ['/v2/repository/r/models/m/load', routes.load, { model: 'm', repository: 'r' }],
  ['/v2/systemsharedmemory/region/a%2Fb/status', routes.region, { region: 'a%2Fb' }],
])('%s', (target, wanted, names) => {
  for (const match of [router.match(target), router.match(target)]) {
    expect(match).toMatchObject(names);
    expect(match?.route).toBe(wanted);
  }
});

test.each([
  '/',
  '/v2/',
  '/v1/models/m',
  '/V2/models/m',
  '/v2/models',
  '/v2/models/',
  '/v2/models//trace/setting',
  '/v2/models/m/',
  '/v2/models/m/versions',
  '/v2/models/m/versions/',
  '/v2/models/m/versions/1x',
  '/v2/models/m/versions/%31',
  '/v2/models/m/versions/1/trace/setting',
  '/v2/repository//models/m/load',
  '/v2/systemsharedmemory/region//status',
  'models/m',
])('%s is no path', (target) => {
  expect(router.match(target)).toBeUndefined();
});
