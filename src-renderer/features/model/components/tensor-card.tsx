// Inputs or outputs of a model, each with its shape lens: three rows, aligned dimension by dimension.

import { TriangleAlert } from 'lucide-react';

import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { LensCell, LensShapes } from '../shape-lens.ts';
import type { ServerRole } from '../served-config.ts';
import { shapeLens } from '../shape-lens.ts';

/** One tensor with its three shapes. */
export interface TensorFacts extends LensShapes {
  readonly name: string;
  readonly datatype: string;
  readonly isOptional: boolean;
  /** Undefined for a tensor that clients send or get. */
  readonly serverRole?: ServerRole | undefined;
}

/** `hasFile` = the file was read, so the lens has its row. */
export function TensorCard({
  title,
  tensors,
  isOutput,
  hasFile,
}: {
  readonly title: string;
  readonly tensors: readonly TensorFacts[];
  readonly isOutput: boolean;
  /** False for an ensemble, whose shapes no file can confirm. */
  readonly hasFile: boolean;
}) {
  return (
    <Card title={`${title} (${tensors.length})`} testId={isOutput ? 'card-outputs' : 'card-inputs'}>
      {tensors.length === 0 && <p className="text-faint">{t('model.tensors.none')}</p>}
      <ul className="flex flex-col gap-4">
        {tensors.map((tensor) => (
          <li key={tensor.name}>
            <div className="mb-1.5 flex items-center gap-2">
              <code className="truncate font-semibold text-strong">
                {tensor.name === '' ? t('model.tensor.unnamed') : tensor.name}
              </code>
              {tensor.datatype !== '' && <Badge>{tensor.datatype}</Badge>}
              {tensor.isOptional && <Badge>{t('model.tensors.optional')}</Badge>}
            </div>
            {tensor.serverRole !== undefined && (
              <p className="mb-1 text-sm text-soft" data-testid={`tensor-role-${tensor.name}`}>
                {t(`model.tensor.${tensor.serverRole}`)}
              </p>
            )}
            <ShapeLens tensor={tensor} isOutput={isOutput} hasFile={hasFile} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ShapeLens({
  tensor,
  isOutput,
  hasFile,
}: {
  readonly tensor: TensorFacts;
  readonly isOutput: boolean;
  readonly hasFile: boolean;
}) {
  const lens = shapeLens(tensor);
  const own = [
    { id: 'client', label: t(isOutput ? 'model.lens.clientOut' : 'model.lens.client'), cells: lens.client },
    { id: 'config', label: t('model.lens.config'), cells: lens.config },
    ...(lens.reshape === undefined
      ? []
      : [{ id: 'reshape', label: t('model.lens.reshape'), cells: lens.reshape }]),
  ];
  const rows = [
    ...(tensor.serverRole === undefined ? own : []),
    ...(hasFile ? [{ id: 'graph', label: t('model.lens.graph'), cells: lens.graph }] : []),
  ];
  return (
    <table
      data-testid={`lens-${tensor.name}`}
      data-consistent={lens.isConsistent}
      className="border-separate border-spacing-x-1 border-spacing-y-0.5"
    >
      <tbody>
        {rows.map(({ id, label, cells }) => (
          <tr key={id}>
            <th scope="row" className="pr-3 text-left text-sm font-normal text-faint">
              {label}
            </th>
            {cells === undefined ? (
              <td className="text-sm text-faint">{t('model.lens.unknown')}</td>
            ) : (
              cells.map((cell, index) => <LensTd key={index} cell={cell} />)
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LensTd({ cell }: { readonly cell: LensCell | undefined }) {
  if (cell === undefined) return <td aria-hidden="true" />;
  return (
    <td
      className={cx(
        'min-w-9 rounded-sm px-1.5 py-px text-center font-mono text-sm',
        cell.isWrong ? 'bg-bad-soft text-bad' : 'bg-hover text-strong',
      )}
    >
      {cell.isWrong && <Icon of={TriangleAlert} size={12} className="mr-0.5 inline align-[-1px]" />}
      {cell.text}
    </td>
  );
}
