// A view that is fetched when it is first drawn, together with the texts that the first script leaves out.

import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';

import { loadTexts } from '../texts/load-texts.ts';

export function lazyView<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const [View] = await Promise.all([load(), loadTexts()]);
    return { default: View };
  });
}
