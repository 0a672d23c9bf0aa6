// The last look: how much of the configuration is written, and which files will exist.

import { FileText, Folder } from 'lucide-react';

import { t } from '../../../texts/translate.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Segmented } from '../../../ui/toggles.tsx';
import type { Wizard } from '../use-wizard.ts';
import { writtenFiles } from '../wizard-config.ts';

/** The tree shows the folder as it will be. */
export function WizardReview({ wizard }: { readonly wizard: Wizard }) {
  const { inspection, options, change, repository, versions } = wizard;
  const help = {
    full: t('wizard.write.fullHelp'),
    minimal: t('wizard.write.minimalHelp'),
    none: t('wizard.write.noneHelp'),
  }[options.write];
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label={t('wizard.write')}
          testId="wizard-write"
          value={options.write}
          onChange={(write) => change({ write, ...(write === 'none' ? { hasWarmup: false } : {}) })}
          options={[
            { value: 'full', label: t('wizard.write.full') },
            { value: 'minimal', label: t('wizard.write.minimal') },
            { value: 'none', label: t('wizard.write.none') },
          ]}
        />
        <span className="text-sm text-soft">{help}</span>
      </div>
      <div>
        <p className="mb-1 text-sm text-faint">{t('wizard.tree')}</p>
        <ul
          data-testid="wizard-tree"
          className="rounded border border-line bg-sunken p-3 font-mono text-sm text-strong"
        >
          <li className="flex items-center gap-2 text-faint">
            <Icon of={Folder} size={14} />
            {repository}
          </li>
          {writtenFiles(inspection, options, versions).map((path) => (
            <li key={path} className="flex items-center gap-2 pl-5">
              <Icon of={FileText} size={14} className="text-faint" />
              {path}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
