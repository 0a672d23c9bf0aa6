// What a detector found, drawn over the picture that was sent: a frame, a name and a score for each box that is sure
// enough. How the four numbers are meant, and how sure is enough, can be changed.

import { Fragment, useMemo, useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { formatCount, formatPercent } from '../lib/format.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ROLE_COLORS } from '../ui/chart-types.ts';
import type { ChartRole } from '../ui/chart-types.ts';
import { cx } from '../ui/cx.ts';
import { Select } from '../ui/select.tsx';
import type { Box, Size } from './box.ts';
import type { BoxOrder, Detection } from './boxes.ts';
import { BOX_ORDERS, inPicture, readBoxes, sureBoxes } from './boxes.ts';
import type { AnswerSource } from './class-names.ts';
import { useModelLabels, useNameList } from './class-names.ts';
import { readHead, withoutOverlaps } from './detector-head.ts';
import { namesFor } from './output-kind.ts';
import { bestOfTable } from './score-table.ts';
import { selectedBoxes } from './selected-boxes.ts';
import { NO_OUTPUT, useNumbers } from './use-elements.ts';
import { ThresholdField } from './threshold-field.tsx';

/** The picture that was sent, and how it was made to fit the input. */
export interface SentPicture {
  /** Address of the file. */
  readonly address: string;
  readonly input: Size;
  readonly resize: 'stretch' | 'contain' | 'cover';
}

const MOST_DRAWN = 200;
/** COCO has this many numbers, some without a name. */
const COCO_CLASSES = 91;
/** More boxes than this are what the model looked at, not what it found. */
const MOST_FOUND = 500;
const LEAST_SCORE = 0.05;
const MOST_CANDIDATES = 2000;
const ROLES: readonly ChartRole[] = ['c2', 'c1', 'c3', 'c4', 'danger'];

/** Boxes are placed as shares of the picture, so they keep to it at any size. */
export function BoxesView({
  outputs,
  detection,
  picture,
  source,
}: {
  readonly outputs: readonly PlaygroundOutput[];
  readonly detection: Detection;
  readonly picture: SentPicture;
  /** Which model answered, for its labels. */
  readonly source: AnswerSource;
}) {
  const [order, setOrder] = useState<BoxOrder>(detection.order);
  const [threshold, setThreshold] = useState(0.5);
  const [natural, setNatural] = useState<Size>();
  const { values, error } = useBoxValues(outputs, detection);
  const { head } = detection;
  const names = useNames(outputs, detection, source);
  const all = useMemo(() => {
    if (values === undefined) return [];
    if (head !== undefined) return readHead(values.boxes, head, picture.input);
    const boxes = readBoxes(values, detection, order, picture.input);
    // So many are candidates, of which several are of the same thing.
    return detection.table !== undefined && detection.count > MOST_FOUND
      ? withoutOverlaps(sureBoxes(boxes, LEAST_SCORE).slice(0, MOST_CANDIDATES))
      : boxes;
  }, [values, detection, head, order, picture.input]);
  const sure = sureBoxes(all, threshold);
  const size = natural ?? picture.input;
  return (
    <Card title={t('tensor.boxes')} testId="tensor-boxes">
      <div className="mb-2 flex flex-wrap items-center gap-3">
        {head === undefined && (
          <Select
            aria-label={t('tensor.boxes.order')}
            data-testid="tensor-box-order"
            value={order}
            options={BOX_ORDERS.map((value) => ({ value, label: t(`tensor.boxes.${value}`) }))}
            onChange={setOrder}
          />
        )}
        <ThresholdField value={threshold} onChange={setThreshold} />
        <span className="text-sm text-faint" data-testid="tensor-box-count">
          {values !== undefined &&
            t('tensor.boxes.count', { shown: formatCount(sure.length), count: formatCount(all.length) })}
        </span>
      </div>
      {error !== undefined && (
        <p className="mb-2 text-sm text-bad" data-testid="tensor-box-error">
          {error}
        </p>
      )}
      {values === undefined && error === undefined && (
        <p role="status" aria-live="polite" className="mb-2 text-soft" data-testid="tensor-box-reading">
          {t('tensor.boxes.reading')}
        </p>
      )}
      {values !== undefined && sure.length === 0 && (
        <NoBoxes best={sureBoxes(all, 0)[0]?.score ?? 0} onThreshold={setThreshold} />
      )}
      {head !== undefined && (
        <p className="mb-2 text-sm text-faint">
          {t('tensor.boxes.head', { count: formatCount(head.count) })}
        </p>
      )}
      <div className="relative inline-block max-w-full overflow-hidden rounded">
        <img
          src={picture.address}
          alt={t('tensor.boxes.picture', { count: sure.length })}
          className="block max-h-[28rem] max-w-full"
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setNatural({ width, height })
          }
        />
        <div aria-hidden="true" className="absolute inset-0 forced-color-adjust-none">
          {sure.slice(0, MOST_DRAWN).map((box, index) => (
            <Fragment key={index}>
              <Frame
                box={inPicture(box, picture.input, size, picture.resize)}
                picture={size}
                name={nameOf(box, names)}
              />
              {inPicture(box, picture.input, size, picture.resize).points?.map(({ x, y }, point) => (
                <span
                  key={point}
                  data-testid="tensor-point"
                  className="absolute -mt-1 -ml-1 size-2 rounded-full border border-surface bg-c2"
                  style={{ left: `${(x / size.width) * 100}%`, top: `${(y / size.height) * 100}%` }}
                />
              ))}
            </Fragment>
          ))}
        </div>
      </div>
    </Card>
  );
}

/** The model's own names; else those of a well-known list with as many classes. */
function useNames(
  outputs: readonly PlaygroundOutput[],
  { head, selection, table = selection?.table, classes, columns, boxes }: Detection,
  source: AnswerSource,
): readonly string[] {
  const { labels } = useModelLabels(source, at(outputs, classes ?? table?.output ?? boxes).name);
  const hasClasses = classes !== undefined || columns === 6;
  const count = head?.classes ?? table?.classes ?? (hasClasses ? COCO_CLASSES : 0);
  // One more than the list is for "nothing there".
  const length = table !== undefined && count === COCO_CLASSES + 1 ? COCO_CLASSES : count;
  const list = useNameList(labels.length > 0 ? undefined : namesFor(length), length);
  return labels.length > 0 ? labels : list;
}

/** Nothing is framed: whether a lower score would frame something, or the model found nothing at all. */
function NoBoxes({
  best,
  onThreshold,
}: {
  /** Score of the surest box, 0 = there is none. */
  readonly best: number;
  readonly onThreshold: (threshold: number) => void;
}) {
  const score = Math.floor(best * 100) / 100;
  // Detectors fill the rest of their list with boxes of score 0.
  if (score === 0) {
    return (
      <p role="status" aria-live="polite" className="mb-2 text-soft" data-testid="tensor-box-none">
        {t('tensor.boxes.nothing')}
      </p>
    );
  }
  return (
    <p
      role="status"
      aria-live="polite"
      className="mb-2 flex flex-wrap items-center gap-2 text-soft"
      data-testid="tensor-box-none"
    >
      {t('tensor.boxes.belowScore', { score: String(score) })}
      <Button size="sm" data-testid="tensor-box-lower" onClick={() => onThreshold(score)}>
        {t('tensor.boxes.lower', { score: String(score) })}
      </Button>
    </p>
  );
}

/** A body with its joints needs no name. */
function nameOf({ classIndex, points }: Box, names: readonly string[]): string {
  if (classIndex === undefined || points !== undefined) return '';
  return names[classIndex] ?? String(classIndex);
}

/** Boxes that begin above this share of the picture have their names inside. */
const ROOM_ABOVE = 0.06;

function Frame({ box, picture, name }: { readonly box: Box; readonly picture: Size; readonly name: string }) {
  const { x, y, width, height, score, classIndex } = box;
  const color = ROLE_COLORS[ROLES[Math.abs(Math.round(classIndex ?? 0)) % ROLES.length] ?? 'c2'];
  const label = [name, score === undefined ? '' : formatPercent(score)].filter(Boolean).join(' ');
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  return (
    <div
      data-testid="tensor-box"
      className="absolute border-2 forced-color-adjust-none forced-colors:outline-1 forced-colors:outline-[Canvas]"
      style={{
        left: share(x, picture.width),
        top: share(y, picture.height),
        width: share(width, picture.width),
        height: share(height, picture.height),
        borderColor: color,
      }}
    >
      {label !== '' && (
        <span
          className={cx(
            'absolute -left-0.5 px-1 text-sm font-semibold whitespace-nowrap text-surface',
            y < picture.height * ROOM_ABOVE ? 'top-0' : 'bottom-full',
          )}
          style={{ backgroundColor: color }}
        >
          {label}
        </span>
      )}
    </div>
  );
}

const NO_VALUES = new Float64Array();

function useBoxValues(outputs: readonly PlaygroundOutput[], detection: Detection) {
  const { boxes, columns, count, scores, classes, head, selection } = detection;
  const table = detection.table ?? selection?.table;
  const read = selection?.table.count ?? count;
  const ofBoxes = useNumbers(at(outputs, boxes), 0, read * (head?.features ?? columns));
  const ofScores = useNumbers(at(outputs, scores), 0, scores === undefined ? 0 : count);
  const ofClasses = useNumbers(at(outputs, classes), 0, classes === undefined ? 0 : count);
  const tableSize = table === undefined ? 0 : table.count * table.classes;
  const ofTable = useNumbers(at(outputs, table?.output), 0, tableSize);
  const ofRows = useNumbers(at(outputs, selection?.output), 0, (selection?.count ?? 0) * 3);
  const { error } =
    [ofBoxes, ofScores, ofClasses, ofTable, ofRows].find((one) => one.error !== undefined) ?? ofBoxes;
  const values = useMemo(() => {
    // What could not be read is no list without boxes.
    if (ofBoxes.values === undefined || error !== undefined) return undefined;
    if (selection !== undefined) {
      const [scoresOfAll, rows] = [ofTable.values, selection.count === 0 ? NO_VALUES : ofRows.values];
      return (
        scoresOfAll && rows && selectedBoxes({ boxes: ofBoxes.values, scores: scoresOfAll, rows }, selection)
      );
    }
    if (table !== undefined) {
      return ofTable.values && { boxes: ofBoxes.values, ...bestOfTable(ofTable.values, table) };
    }
    if (scores !== undefined && ofScores.values === undefined) return undefined;
    if (classes !== undefined && ofClasses.values === undefined) return undefined;
    return {
      boxes: ofBoxes.values,
      scores: scores === undefined ? undefined : ofScores.values,
      classes: classes === undefined ? undefined : ofClasses.values,
    };
  }, [
    ofBoxes.values,
    ofScores.values,
    ofClasses.values,
    ofTable.values,
    ofRows.values,
    scores,
    classes,
    table,
    selection,
    error,
  ]);
  return { values, error };
}

function at(outputs: readonly PlaygroundOutput[], index: number | undefined): PlaygroundOutput {
  return (index === undefined ? undefined : outputs[index]) ?? NO_OUTPUT;
}
