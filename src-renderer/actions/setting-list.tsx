// Settings of one group, below the headings of their sections.

import type { SettingView } from '../../src-shared/contract/observe-views.ts';
import { SettingRow } from './setting-row.tsx';

/** Sections in the order in which their first settings come. */
export function SettingList({
  settings,
  notes = {},
  className,
}: {
  readonly settings: readonly SettingView[];
  /** A sentence at the end of a section, by its heading. */
  readonly notes?: Readonly<Record<string, string>>;
  readonly className?: string;
}) {
  const sections = Map.groupBy(settings, ({ section }) => section);
  return (
    <div className={className}>
      {[...sections].map(([section, members]) => (
        <section key={section ?? 'without'} className="mb-5 break-inside-avoid last:mb-0">
          {section !== undefined && (
            <h3 className="border-b border-line pb-1 font-semibold text-soft">{section}</h3>
          )}
          {members.map((setting) => (
            <SettingRow key={setting.key} setting={setting} />
          ))}
          {section !== undefined && notes[section] !== undefined && (
            <p className="pt-2 text-sm text-faint">{notes[section]}</p>
          )}
        </section>
      ))}
    </div>
  );
}
