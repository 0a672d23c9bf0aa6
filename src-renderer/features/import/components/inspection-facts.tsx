// What an .onnx file says of itself, read-only: versions, operators, size, tensors.

import type { OnnxInspection } from '../../../../src-shared/contract/config-calls.ts';
import { formatBytes, formatCount, formatShape } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Facts } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { problemText } from '../wizard-config.ts';

const SHOWN_TYPES = 6;

/** `hasTensors` = inputs and outputs are listed too. */
export function InspectionFacts({
  inspection,
  hasTensors = true,
}: {
  readonly inspection: OnnxInspection;
  readonly hasTensors?: boolean;
}) {
  const { operators, metadata, description } = inspection;
  const types = operators
    .toSorted((a, b) => b.count - a.count)
    .slice(0, SHOWN_TYPES)
    .map(({ type, count }) => `${type} ${formatCount(count)}`)
    .join(', ');
  const tensors = [
    ...description.inputs.map((tensor) => ({ ...tensor, side: t('wizard.tensor.input') })),
    ...description.outputs.map((tensor) => ({ ...tensor, side: t('wizard.tensor.output') })),
  ];
  return (
    <div className="flex flex-col gap-3">
      {inspection.problem !== undefined && inspection.externalData.every(({ isFound }) => isFound) && (
        <Banner tone="bad">{problemText(inspection)}</Banner>
      )}
      <Facts
        items={[
          [t('wizard.size'), formatBytes(inspection.byteSize)],
          [t('wizard.ir'), inspection.irVersion],
          [
            t('wizard.opset'),
            inspection.opsets
              .map(({ domain, version }) => `${domain === '' ? 'ai.onnx' : domain} ${version}`)
              .join(', '),
          ],
          [t('wizard.producer'), inspection.producer ?? '–'],
          [t('wizard.operators'), t('wizard.operatorsValue', { count: inspection.operatorCount, types })],
          [t('wizard.parameters'), formatCount(inspection.parameterCount)],
          ...Object.entries(metadata),
        ]}
      />
      {hasTensors && (
        <SimpleTable
          label={t('wizard.tensors')}
          rows={tensors}
          keyOf={({ side, name }) => `${side} ${name}`}
          columns={[
            { id: 'side', title: '', cell: ({ side }) => side },
            { id: 'name', title: t('wizard.tensor.name'), isMono: true, cell: ({ name }) => name },
            {
              id: 'type',
              title: t('wizard.tensor.type'),
              cell: ({ datatype, sourceType }) => datatype ?? sourceType,
            },
            {
              id: 'shape',
              title: t('wizard.tensor.shape'),
              isMono: true,
              cell: ({ shape }) => formatShape(shape),
            },
          ]}
        />
      )}
    </div>
  );
}
