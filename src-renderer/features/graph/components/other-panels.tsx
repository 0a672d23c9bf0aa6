// Details of a closed scope, and of an input or output of the graph.

import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/card.tsx';
import { countTypes } from '../count-types.ts';
import type { GraphIndex } from '../graph-index.ts';
import type { Scope } from '../graph-scopes.ts';
import { OperatorLink, TensorLine } from './operator-panel.tsx';
import { PanelSection } from './side-panel.tsx';

const SHOWN_TYPES = 12;
const SHOWN_LINKS = 12;

/** What a scope holds, counted, and opening or closing it in the drawing. */
export function ScopePanel({
  index,
  scope,
  isOpen,
  onClose,
  onOpen,
}: {
  readonly index: GraphIndex;
  readonly scope: Scope;
  /** It is drawn open now. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onOpen: (withAll: boolean) => void;
}) {
  return (
    <>
      <Facts
        items={[
          [
            t('graph.panel.scope'),
            <code key="path" className="break-all">
              {scope.path}
            </code>,
          ],
          [t('graph.panel.operators'), String(scope.operatorCount)],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {isOpen ? (
          <Button size="sm" data-testid="graph-close-scope" onClick={onClose}>
            {t('graph.panel.closeScope')}
          </Button>
        ) : (
          <Button size="sm" variant="primary" data-testid="graph-open-scope" onClick={() => onOpen(false)}>
            {t('graph.panel.openScope')}
          </Button>
        )}
        {scope.scopes.length > 0 && (
          <Button size="sm" data-testid="graph-open-below" onClick={() => onOpen(true)}>
            {t('graph.panel.openBelow')}
          </Button>
        )}
      </div>
      <PanelSection title={t('graph.panel.operators')}>
        <Facts
          items={countTypes(index, scope)
            .slice(0, SHOWN_TYPES)
            .map(({ type, count }) => [type, String(count)])}
        />
      </PanelSection>
    </>
  );
}

/** The tensor beside what the configuration says of it, and the operators that read or write it. */
export function TensorPanel({
  index,
  tensor,
  isInput,
  configured,
  onGo,
}: {
  readonly index: GraphIndex;
  readonly tensor: string;
  readonly isInput: boolean;
  /** `text`: "TYPE_FP32 [3,224,224]", undefined where the config does not name it; undefined = not known yet. */
  readonly configured: { readonly text: string | undefined } | undefined;
  readonly onGo: (operator: number) => void;
}) {
  const producer = index.producers.get(tensor);
  const linked = isInput ? (index.consumers.get(tensor) ?? []) : producer === undefined ? [] : [producer];
  return (
    <>
      <PanelSection title={t('graph.panel.file')}>
        <TensorLine index={index} tensor={tensor} />
      </PanelSection>
      {configured !== undefined && (
        <PanelSection title={t('graph.panel.config')}>
          <code data-testid="graph-configured">{configured.text ?? t('graph.panel.notInConfig')}</code>
        </PanelSection>
      )}
      <PanelSection title={t(isInput ? 'graph.panel.readBy' : 'graph.panel.writtenBy')}>
        <ul>
          {linked.slice(0, SHOWN_LINKS).map((at) => (
            <li key={at}>
              <OperatorLink index={index} at={at} onGo={onGo} direction={isInput ? 'to' : 'from'} />
            </li>
          ))}
        </ul>
        {linked.length > SHOWN_LINKS && t('graph.panel.more', { count: linked.length - SHOWN_LINKS })}
      </PanelSection>
    </>
  );
}
