// Weights that lie outside the .onnx file: which are there, which are missing, and showing where a missing one is.

import { CircleCheck, CircleX } from 'lucide-react';

import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { locateFile } from '../start-import.ts';
import type { Wizard } from '../use-wizard.ts';
import { missingData } from '../use-wizard.ts';

/** Draws nothing for a file that holds its weights itself. */
export function ExternalData({ wizard }: { readonly wizard: Wizard }) {
  const { inspection, located } = wizard;
  if (inspection.externalData.length === 0) return null;
  const [missing] = missingData(inspection, located);
  return (
    <div className="flex flex-col gap-2">
      {missing !== undefined && (
        <Banner tone="bad" testId="wizard-missing">
          {t('wizard.external.needs', { name: missing.name, size: formatBytes(missing.byteSize) })}
        </Banner>
      )}
      <SimpleTable
        label={t('wizard.external')}
        rows={inspection.externalData}
        keyOf={({ name }) => name}
        columns={[
          { id: 'file', title: t('wizard.external.file'), isMono: true, cell: ({ name }) => name },
          {
            id: 'size',
            title: t('wizard.external.size'),
            align: 'end',
            cell: ({ byteSize }) => formatBytes(byteSize),
          },
          {
            id: 'state',
            title: t('wizard.external.state'),
            cell: ({ name, isFound }) => (
              <FileState name={name} isThere={isFound || located[name] !== undefined} path={located[name]} />
            ),
          },
          {
            id: 'locate',
            title: '',
            align: 'end',
            cell: ({ name, isFound }) =>
              !isFound && <Locate name={name} onLocated={(path) => wizard.locate(name, path)} />,
          },
        ]}
      />
    </div>
  );
}

function FileState({
  name,
  isThere,
  path,
}: {
  readonly name: string;
  readonly isThere: boolean;
  readonly path: string | undefined;
}) {
  return (
    <span
      className="inline-flex items-center gap-1.5"
      title={path}
      data-testid={`wizard-external-${name}`}
      data-state={isThere ? 'found' : 'missing'}
    >
      <Icon of={isThere ? CircleCheck : CircleX} size={14} className={isThere ? 'text-good' : 'text-bad'} />
      {t(isThere ? 'wizard.external.found' : 'wizard.external.missing')}
    </span>
  );
}

function Locate({ name, onLocated }: { readonly name: string; readonly onLocated: (path: string) => void }) {
  const locate = async (): Promise<void> => {
    const path = await locateFile(t('picker.locate', { name }));
    if (path !== undefined) onLocated(path);
  };
  return (
    <Button size="sm" data-testid={`wizard-locate-${name}`} onClick={() => void locate()}>
      {t('wizard.external.locate')}
    </Button>
  );
}
