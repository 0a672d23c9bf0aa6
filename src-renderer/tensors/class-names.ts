// Names of classes: those of the model's own label file or of a step inside an ensemble, or one of two well-known lists
// that is read when first needed.

import { useEffect, useState } from 'react';

import type { StepLabels } from '../../src-shared/contract/inference-calls.ts';
import { useCall } from '../engine/use-call.ts';

/** The well-known lists. */
export type NameList = 'imagenet' | 'coco';
/** Where names come from; 'none' = classes have their numbers alone. */
export type NameSource = 'none' | 'model' | 'step' | NameList;

/** What the model itself says about the classes of an output. */
export interface KnownLabels {
  /** From its own label file; empty without one. */
  readonly labels: readonly string[];
  /** Of a model inside an ensemble that names none for this output. */
  readonly step: StepLabels | undefined;
}

/** Which model answered; "" version = the server's choice. */
export interface AnswerSource {
  readonly model: string;
  readonly version: string;
}

const NO_NAMES: readonly string[] = [];
/** Lists of 1001 classes have one for "background" in front. */
const IMAGENET_WITH_BACKGROUND = 1001;

function lines(text: string): readonly string[] {
  return text.trimEnd().split('\n');
}

async function readList(list: NameList, length: number): Promise<readonly string[]> {
  if (list === 'imagenet') {
    const names = lines((await import('./names/imagenet.txt?raw')).default);
    return length === IMAGENET_WITH_BACKGROUND ? ['background', ...names] : names;
  }
  const names = lines((await import('./names/coco.txt?raw')).default);
  if (length >= 91) return names;
  // 90 leaves the background out, 80 the places without a name as well.
  return names.filter((name) => name !== '__background__' && (length >= 90 || name !== 'N/A'));
}

/** Labels of an output of the model; none while they are asked for, and without a label file. */
export function useModelLabels(source: AnswerSource | undefined, output: string): KnownLabels {
  const { data } = useCall('playground/labels', source === undefined ? undefined : { ...source, output });
  return { labels: data?.labels ?? NO_NAMES, step: data?.step };
}

/** One of the well-known lists; empty until it is there. */
export function useNameList(list: NameList | undefined, length: number): readonly string[] {
  const [known, setKnown] = useState<{ readonly key: string; readonly names: readonly string[] }>();
  const key = `${list} ${length}`;
  useEffect(() => {
    if (list === undefined) return undefined;
    let isCurrent = true;
    void readList(list, length).then((names) => isCurrent && setKnown({ key, names }));
    return () => {
      isCurrent = false;
    };
  }, [list, length, key]);
  return list !== undefined && known?.key === key ? known.names : NO_NAMES;
}
