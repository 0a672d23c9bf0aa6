// The Analyzer: what is to be tried on the left, what was found on the right.

import { ScanSearch } from 'lucide-react';

import { useModels } from '../../engine/engine-context.tsx';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FormAndResults } from '../../ui/form-and-results.tsx';
import { SearchForm } from './components/search-form.tsx';
import { SearchResult } from './components/search-result.tsx';
import type { SearchState } from './use-search.ts';
import { useSearch } from './use-search.ts';

const SPLIT = 'analyzer';

/** The address may name the model (`?model=`). A search goes on while the screen is closed. */
export function AnalyzerScreen({ address }: FeatureViewProps) {
  const search = useSearch();
  const sizes = useWorkspace((state) => state.sizes[SPLIT]);
  const models = useModels((state) => state.models);
  return (
    <div className="flex min-h-0 flex-1" data-testid="analyzer-view">
      <FormAndResults
        id={SPLIT}
        label={t('perf.split')}
        sizes={sizes}
        onSizes={(next) => setSizes(SPLIT, next)}
        formId="form"
        form={<SearchForm models={models} wanted={address.query['model']} view={search.view} />}
        results={<Results search={search} />}
      />
    </div>
  );
}

function Results({ search: { view, error, isLoading } }: { readonly search: SearchState }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-3" tabIndex={-1}>
      <h2 className="sr-only">{t('analyzer.results')}</h2>
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {isLoading && <Skeleton rows={6} />}
      {!isLoading && error === undefined && view === undefined && (
        <EmptyState
          icon={ScanSearch}
          title={t('analyzer.empty.title')}
          text={t('analyzer.empty.text')}
          testId="analyzer-empty"
        />
      )}
      {view !== undefined && <SearchResult view={view} />}
    </div>
  );
}
