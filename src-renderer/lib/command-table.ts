// Every command of the window: its name in the palette, its default shortcut, and what is said while nothing on screen
// carries it out. What a command does is registered by whoever can do it.

import type { PlainKey } from '../texts/translate.ts';

/** A command of the window, whether or not anything carries it out now. */
export interface CommandDefinition {
  readonly id: string;
  readonly title: PlainKey;
  readonly group:
    | 'server'
    | 'model'
    | 'repository'
    | 'config'
    | 'request'
    | 'perf'
    | 'view'
    | 'list'
    | 'chart';
  /** Undefined = none. */
  readonly keys?: string | undefined;
  /** Also open the command; not shown. */
  readonly alternateKeys?: readonly string[];
  /** Reason shown while no handler is registered. */
  readonly unavailable: PlainKey;
  /** Asks for a model: the palette lists it once per model. */
  readonly takesModel?: boolean;
  /** It asks the server, or opens what does: it is off while the window has lost it. */
  readonly needsServer: boolean;
  /** Where its keys work: everywhere, or only while a row of the Models list or a chart has the focus. */
  readonly scope: KeyScope;
}

/** Where the keys of a command count. */
export type KeyScope = 'window' | 'list' | 'chart';

type Group = CommandDefinition['group'];

/** Beside views and charts, what is done in the window alone. */
const DONE_HERE: ReadonlySet<string> = new Set([
  ...['metrics.open', 'metrics.copyUrl', 'sharedMemory.open', 'model.open', 'config.open'],
  ...['model.revealFolder', 'logs.reveal', 'config.format', 'editor.quickFix', 'editor.split', 'list.filter'],
]);

function command(
  group: Group,
  id: string,
  title: PlainKey,
  more: Partial<Omit<CommandDefinition, 'group' | 'id' | 'title' | 'scope' | 'needsServer'>> = {},
): CommandDefinition {
  const scope = group === 'list' || group === 'chart' ? group : 'window';
  const needsServer = group !== 'view' && group !== 'chart' && !DONE_HERE.has(id);
  return { group, id, title, scope, needsServer, unavailable: 'command.notHere', ...more };
}

const perModel = { takesModel: true, unavailable: 'command.needsModel' } as const;
const needsEditor = { unavailable: 'command.needsEditor' } as const;
const needsPlayground = { unavailable: 'command.needsPlayground' } as const;
const needsAnalyzer = { unavailable: 'command.needsAnalyzer' } as const;
const needsPerf = { unavailable: 'command.needsPerf' } as const;
const noSuchItem = { unavailable: 'command.noRailItem' } as const;

/** In the order in which the settings list them. */
export const COMMANDS: readonly CommandDefinition[] = [
  command('server', 'server.start', 'command.serverStart'),
  command('server', 'server.stop', 'command.serverStop'),
  command('server', 'server.restart', 'command.serverRestart'),
  command('server', 'metrics.open', 'command.openMetrics'),
  command('server', 'metrics.copyUrl', 'command.copyMetricsUrl'),
  command('server', 'sharedMemory.open', 'command.openSharedMemory'),
  command('server', 'logs.reveal', 'command.revealLogFile'),
  command('server', 'diagnostics.export', 'command.exportDiagnostics'),
  command('server', 'server.handOver', 'command.handOver'),
  command('model', 'model.open', 'command.openModel', perModel),
  command('model', 'model.load', 'command.load', perModel),
  command('model', 'model.unload', 'command.unload', perModel),
  command('model', 'model.reload', 'command.reload', perModel),
  command('model', 'model.forceReload', 'command.forceReload', perModel),
  command('model', 'models.loadAll', 'command.loadAll'),
  command('model', 'models.unloadAll', 'command.unloadAll'),
  command('model', 'config.open', 'command.openConfig', perModel),
  command('model', 'curl.copy', 'command.copyCurl', perModel),
  command('model', 'model.export', 'command.exportModel', perModel),
  command('model', 'model.convert', 'command.convertModel', perModel),
  command('model', 'model.locateData', 'command.locateData', perModel),
  command('model', 'model.replaceFile', 'command.replaceFile', perModel),
  command('model', 'model.revealFolder', 'command.revealModelFolder', perModel),
  command('repository', 'repository.add', 'command.addRepository', { keys: 'Mod+O' }),
  command('repository', 'repository.importOnnx', 'command.importOnnx', { keys: 'Mod+Shift+O' }),
  command('repository', 'code.newModel', 'command.newPythonModel'),
  command('repository', 'code.newStep', 'command.newPythonStep'),
  command('repository', 'import.inspect', 'command.inspectFile'),
  command('repository', 'ensemble.new', 'command.newEnsemble'),
  command('config', 'config.format', 'command.formatConfig', { keys: 'Alt+Shift+F', ...needsEditor }),
  command('config', 'config.writeEffective', 'command.writeEffective', needsEditor),
  command('config', 'file.save', 'command.save', { keys: 'Mod+S', ...needsEditor }),
  command('config', 'file.saveReload', 'command.saveReload', { keys: 'Mod+Shift+S', ...needsEditor }),
  command('config', 'editor.quickFix', 'command.quickFix', { keys: 'Mod+.', ...needsEditor }),
  command('config', 'editor.split', 'command.splitEditor', { keys: 'Mod+\\', ...needsEditor }),
  command('request', 'screen.main', 'command.mainAction', { keys: 'Mod+Enter' }),
  command('request', 'request.sendLast', 'command.sendLast', needsPlayground),
  command('request', 'warmup.run', 'command.runWarmup', { unavailable: 'command.needsWarmup' }),
  command('request', 'requests.capture', 'command.captureRequests'),
  command('request', 'tracing.toggle', 'command.toggleTracing'),
  command('perf', 'perf.start', 'command.startPerf', needsPerf),
  command('perf', 'perf.stop', 'command.stopRun', needsPerf),
  command('perf', 'perf.compareLast', 'command.compareLast', needsPerf),
  command('perf', 'analyzer.start', 'command.startAnalyzer', needsAnalyzer),
  command('view', 'palette.open', 'command.palette', { keys: 'Mod+Shift+P', alternateKeys: ['F1', 'Mod+K'] }),
  command('view', 'goto.open', 'command.goto', { keys: 'Mod+P' }),
  command('view', 'find.inView', 'command.findInView', { keys: 'Mod+F' }),
  command('view', 'find.everywhere', 'command.findEverywhere', { keys: 'Mod+Shift+F' }),
  command('view', 'problem.next', 'command.nextProblem', { keys: 'F8' }),
  command('view', 'problem.previous', 'command.previousProblem', { keys: 'Shift+F8' }),
  command('view', 'view.toggleBottomPanel', 'command.toggleBottom', { keys: 'Mod+J' }),
  command('view', 'view.toggleRail', 'command.toggleRail', { keys: 'Mod+B' }),
  command('view', 'view.toggleInspector', 'command.toggleInspector', { keys: 'Mod+I' }),
  command('view', 'view.toggleTheme', 'command.toggleTheme'),
  command('view', 'view.language', 'command.changeLanguage'),
  command('view', 'view.resetLayout', 'command.resetLayout'),
  command('view', 'tab.close', 'command.closeTab', { keys: 'Mod+W' }),
  command('view', 'tab.reopen', 'command.reopenTab', { keys: 'Mod+Shift+T' }),
  command('view', 'link.copy', 'command.copyLink'),
  command('view', 'region.next', 'command.nextRegion', { keys: 'F6' }),
  command('view', 'region.previous', 'command.previousRegion', { keys: 'Shift+F6' }),
  command('view', 'settings.open', 'command.settings', { keys: 'Mod+,' }),
  command('view', 'help.shortcuts', 'command.shortcuts', { keys: '?' }),
  command('view', 'help.firstRun', 'command.firstRun'),
  command('view', 'rail.1', 'command.rail1', { keys: 'Mod+1', ...noSuchItem }),
  command('view', 'rail.2', 'command.rail2', { keys: 'Mod+2', ...noSuchItem }),
  command('view', 'rail.3', 'command.rail3', { keys: 'Mod+3', ...noSuchItem }),
  command('view', 'rail.4', 'command.rail4', { keys: 'Mod+4', ...noSuchItem }),
  command('view', 'rail.5', 'command.rail5', { keys: 'Mod+5', ...noSuchItem }),
  command('view', 'rail.6', 'command.rail6', { keys: 'Mod+6', ...noSuchItem }),
  command('list', 'list.load', 'command.listLoad', { keys: 'L' }),
  command('list', 'list.unload', 'command.listUnload', { keys: 'U' }),
  command('list', 'list.reload', 'command.listReload', { keys: 'R' }),
  command('list', 'list.rename', 'command.listRename', { keys: 'F2' }),
  command('list', 'list.remove', 'command.listRemove', { keys: 'Delete' }),
  command('list', 'list.filter', 'command.listFilter', { keys: '/' }),
  command('chart', 'chart.pause', 'command.chartPause', { keys: 'Space' }),
];

/** The command of a rail item: they follow the items that are visible. */
export function railCommand(index: number): string {
  return `rail.${index + 1}`;
}

/** How many screens of the rail have a command of their own. */
export const RAIL_COMMANDS = COMMANDS.filter(({ id }) => id.startsWith('rail.')).length;
