// Details of one operator: what it is, what it reads and writes with shapes, its attributes. Constants show their values
// on demand.

import type { ReactNode } from 'react';

import type { GraphOperator } from '../../../../src-shared/contract/graph-calls.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import type { GraphIndex } from '../graph-index.ts';
import { operatorName, typeText } from '../graph-index.ts';
import { ConstantValues } from './constant-values.tsx';
import { PanelSection } from './side-panel.tsx';

/** `at` is the operator's index in the file; the functions get indices too. */
export interface OperatorPanelProps {
  readonly model: string;
  readonly version: string;
  readonly index: GraphIndex;
  readonly at: number;
  /** Path of its scope as it is drawn; "" = the whole graph. */
  readonly scope: string;
  /** Selects another operator and brings it into view. */
  readonly onGo: (operator: number) => void;
  /** `path` of the scope that the operator is drawn in; undefined = no button for it. */
  readonly onCloseScope: ((path: string) => void) | undefined;
  /** Draws what is around this operator; undefined = no button for it. */
  readonly onAround: (() => void) | undefined;
}

/** A name as the file has it, or a word that there is none. */
function CodeOr({ text, none }: { readonly text: string; readonly none: string }) {
  if (text === '') return <span className="text-faint">{none}</span>;
  return <code className="break-all">{text}</code>;
}

/** Draws nothing where the file has no operator of that index. */
export function OperatorPanel(props: OperatorPanelProps) {
  const { index, at, scope, onCloseScope, onAround } = props;
  const operator = index.data.operators[at];
  if (operator === undefined) return null;
  return (
    <>
      <Facts
        items={[
          [t('graph.panel.name'), <CodeOr key="name" text={operator.name} none={t('graph.panel.unnamed')} />],
          [t('graph.panel.domain'), operator.domain === '' ? t('graph.panel.standard') : operator.domain],
          [t('graph.panel.scope'), <CodeOr key="scope" text={scope} none={t('graph.panel.noScope')} />],
        ]}
      />
      {(onAround !== undefined || onCloseScope !== undefined) && (
        <div className="flex flex-wrap gap-2">
          {onCloseScope !== undefined && scope !== '' && (
            <Button size="sm" data-testid="graph-close-scope" onClick={() => onCloseScope(scope)}>
              {t('graph.panel.closeScope')}
            </Button>
          )}
          {onAround !== undefined && (
            <Button size="sm" data-testid="graph-around" onClick={onAround}>
              {t('graph.panel.around')}
            </Button>
          )}
        </div>
      )}
      <PanelSection title={t('graph.panel.inputs')}>
        <ol className="flex flex-col gap-2">
          {operator.inputs.map((tensor, place) => (
            <li key={place}>
              <ReadTensor {...props} tensor={tensor} />
            </li>
          ))}
        </ol>
      </PanelSection>
      <PanelSection title={t('graph.panel.outputs')}>
        <ol className="flex flex-col gap-2">
          {operator.outputs.map((tensor, place) => (
            <li key={place}>
              <WrittenTensor {...props} tensor={tensor} />
            </li>
          ))}
        </ol>
      </PanelSection>
      <PanelSection title={t('graph.panel.attributes')}>
        <Attributes {...props} operator={operator} />
      </PanelSection>
    </>
  );
}

/** Name, type and shape of one tensor, then `children`. */
export function TensorLine({
  index,
  tensor,
  children,
}: {
  readonly index: GraphIndex;
  readonly tensor: string;
  readonly children?: ReactNode;
}) {
  const value = typeText(index.valueOf(tensor));
  return (
    <div className="min-w-0 rounded border border-line px-2 py-1">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-medium break-all text-strong">{tensor}</code>
        <span className="font-mono text-xs text-soft">
          {value === '' ? <span className="text-faint">{t('graph.panel.unknownShape')}</span> : value}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-sm text-soft">{children}</div>
    </div>
  );
}

function ReadTensor({
  model,
  version,
  index,
  tensor,
  onGo,
}: OperatorPanelProps & { readonly tensor: string }) {
  if (tensor === '') return <span className="text-sm text-faint">{t('graph.panel.leftOut')}</span>;
  const constant = index.initializers.get(tensor);
  const producer = index.producers.get(tensor);
  return (
    <TensorLine index={index} tensor={tensor}>
      {constant !== undefined ? (
        <>
          <span>
            {t('graph.panel.constant')}, {formatBytes(constant.byteSize)}
          </span>
          <ConstantValues key={tensor} model={model} version={version} tensor={tensor} name={tensor} />
        </>
      ) : producer === undefined ? (
        index.inputs.some(({ name }) => name === tensor) && t('graph.panel.graphInput')
      ) : (
        <OperatorLink index={index} at={producer} onGo={onGo} direction="from" />
      )}
    </TensorLine>
  );
}

const SHOWN_READERS = 6;

function WrittenTensor({ index, tensor, onGo }: OperatorPanelProps & { readonly tensor: string }) {
  if (tensor === '') return <span className="text-sm text-faint">{t('graph.panel.leftOut')}</span>;
  const readers = index.consumers.get(tensor) ?? [];
  const isOutput = index.data.outputs.some(({ name }) => name === tensor);
  return (
    <TensorLine index={index} tensor={tensor}>
      {isOutput && <span>{t('graph.panel.graphOutput')}</span>}
      {readers.slice(0, SHOWN_READERS).map((reader) => (
        <OperatorLink key={reader} index={index} at={reader} onGo={onGo} direction="to" />
      ))}
      {readers.length > SHOWN_READERS && (
        <span>{t('graph.panel.more', { count: readers.length - SHOWN_READERS })}</span>
      )}
    </TensorLine>
  );
}

/** A link to another operator; `direction` is the way that the data goes. */
export function OperatorLink({
  index,
  at,
  onGo,
  direction,
}: {
  readonly index: GraphIndex;
  readonly at: number;
  readonly onGo: (operator: number) => void;
  readonly direction: 'from' | 'to';
}) {
  const operator = index.data.operators[at];
  if (operator === undefined) return null;
  const name = `${operator.opType} ${operatorName(operator)}`;
  return (
    <button
      type="button"
      className="min-h-6 max-w-full truncate rounded text-left text-accent underline hover:text-accent-hover"
      onClick={() => onGo(at)}
    >
      {t(`graph.panel.${direction}`, { name })}
    </button>
  );
}

function Attributes({ model, version, operator }: OperatorPanelProps & { readonly operator: GraphOperator }) {
  const { attributes } = operator;
  if (attributes.length === 0) return <p className="text-faint">{t('graph.panel.noAttributes')}</p>;
  const written = operator.outputs.find((tensor) => tensor !== '') ?? '';
  return (
    <Facts
      items={attributes.map(({ name, value, isTensor }) => [
        name,
        <div key={name} className="flex min-w-0 flex-col items-start gap-1">
          <code className="break-all select-text">{value}</code>
          {isTensor && (
            <ConstantValues
              key={`${written} ${name}`}
              model={model}
              version={version}
              tensor={written}
              attribute={name}
              name={name}
            />
          )}
        </div>,
      ])}
    />
  );
}
