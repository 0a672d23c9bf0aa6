// The window on the fake engine, for looking at it in a browser: samples tick, loads take a moment. Not part of the
// product's build. `window.fake` is the engine behind it.

import { createRoot } from 'react-dom/client';

import { App } from '../app.tsx';
import '../styles/app.css';
import { FakeEngine } from './fake-engine.ts';
import { fakeSample } from './fake-views.ts';

const fake = new FakeEngine();
Object.assign(window, { fake });
fake.overrides['observe/sparklines'] = () => ({
  batch_mlp: Array.from({ length: 60 }, (_, index) => 380 + Math.sin(index / 6) * 60),
  bert_reranker: Array.from({ length: 60 }, (_, index) => 22 + Math.sin(index / 4) * 6),
});
setInterval(() => fake.publish('observe/sample', fakeSample(Date.now())), 500);

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App engine={fake.engine()} />);
