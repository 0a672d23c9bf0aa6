// What the frame needs to know of a feature: where it is found and what is drawn. Views load when they are first shown.

import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { PlainKey } from '../texts/translate.ts';

import type { Address } from './address.ts';
import type { LazyView } from './lazy-view.ts';

/** `address` is the same object until the place changes. */
export interface FeatureViewProps {
  readonly address: Address;
}

/** A screen of the window, or a tab of a model. */
export interface FeatureDefinition {
  /** Area of its addresses; also the suffix of its rail item's test id. */
  readonly area: string;
  readonly title: PlainKey;
  readonly icon: LucideIcon;
  readonly rail: 'top' | 'bottom' | 'none';
  /** Tabs of the screen that are found by name as it is itself; each stands at `wb://area/tab`. */
  readonly parts?: readonly { readonly tab: string; readonly title: PlainKey }[];
  readonly View: LazyView<FeatureViewProps>;
}

/** A panel at the bottom of the window. */
export interface PanelDefinition {
  readonly id: string;
  readonly title: PlainKey;
  readonly icon: LucideIcon;
  readonly View: ComponentType;
}

/** What a tab of a model gets. */
export interface ModelTabProps {
  readonly model: string;
  /** Version chosen in the header; "" = the server's choice. */
  readonly version: string;
  readonly address: Address;
}

/** A sub-tab of a model. */
export interface ModelTabDefinition {
  /** Sub-tab of the address: wb://models/<name>/<id>. */
  readonly id: string;
  readonly title: PlainKey;
  /** Models that have it; all when absent. */
  readonly isFor?: (model: ModelView) => boolean;
  readonly View: LazyView<ModelTabProps>;
}
