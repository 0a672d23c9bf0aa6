// The Analyzer: which configuration of a model is fastest.

export const analyzer = {
  'analyzer.setUp': 'Search',
  'analyzer.mode': 'Way of searching',
  'analyzer.mode.brute': 'Full grid',
  'analyzer.mode.brute.help':
    'Every instance count with growing batch sizes, until larger ones are no better.',
  'analyzer.mode.quick': 'Quick',
  'analyzer.mode.quick.help': 'A hill climb from the smallest configuration.',
  'analyzer.maxInstances': 'Instances up to',
  'analyzer.maxBatchSize': 'Maximum batch size up to',
  'analyzer.maxBatchSize.help': 'Powers of two are tried.',
  'analyzer.maxConcurrency': 'Concurrency up to',
  'analyzer.limit': 'Largest p99, ms',
  'analyzer.limit.help': '0 = no limit.',
  'analyzer.minutes': 'Time box, minutes',
  'analyzer.minutes.help': 'Nothing new is begun afterwards. 0 = no limit.',
  'analyzer.window': 'Window of a measurement, ms',
  'analyzer.estimate':
    'At most {configs, plural, one {# configuration} other {# configurations}} at {loads, plural, one {# load} other {# loads}}, about {time}. Most searches end earlier.',
  'analyzer.estimateQuick': 'A few of {configs, plural, one {# configuration} other {# configurations}}.',
  'analyzer.begin': 'Start the search',
  'analyzer.stop': 'Stop',
  'analyzer.stopping': 'The measurement that goes on is finished first.',
  'analyzer.resume': 'Go on with it',
  'analyzer.replaces': 'What is kept of the earlier search is replaced.',
  'analyzer.empty.title': 'Nothing was searched yet',
  'analyzer.empty.text':
    'A search tries configurations of a model and measures each of them. They run in a server of their own: what you serve is not touched. At the end it says which one is fastest, and whether that is more than chance.',
  'analyzer.running':
    'Searching for the fastest configuration of {model}: {count, plural, one {# measurement} other {# measurements}} so far.',
  'analyzer.stopped':
    'The search for {model} was stopped. What was measured is kept, and is not measured again.',
  'analyzer.failed': 'The search for {model} ended: {error}',
  'analyzer.outcome': 'Outcome',
  'analyzer.results': 'Results',
  'analyzer.trials': 'Configurations, the best first',
  'analyzer.default': 'as it is',
  'analyzer.instances': 'Instances',
  'analyzer.batch': 'Max batch',
  'analyzer.failing': 'over the limit',
  'analyzer.overLimit': 'Over the limit',
  'analyzer.html': 'Report as HTML',
  'analyzer.csv': 'CSV',
  'analyzer.applyTitle': 'faster configuration',
} as const;
