// Whole lives of servers: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_LIVES: readonly KnownDifference[] = [
  {
    rows: /^life SIG(TERM|INT).* while a model loads.* > (exit code|records)$/,
    reason: 'a signal ends a server in order also while its models load; the reference is ended by it',
  },
  {
    rows: /^life SIG\w+ while a model loads > records$/,
    reason: 'metrics are collected before models load',
    level: (answer) => answer.replace('"I Collecting CPU metrics",', ''),
  },
  {
    rows: /^life .* > records$/,
    reason: 'folders without versions and files in wrong places are told, and which model a record is about',
    level: (answer) =>
      answer
        .replaceAll(
          /,"W [^"]*(has no version folder|; it belongs in a version folder|, which looks like a version folder)[^"]*"/g,
          '',
        )
        .replaceAll(/(,"W ignore version directory [^"]*) model=\w+"/g, '$1"'),
  },
  {
    rows: /^life (a folder inside of the other|one is a link) .* > records$/,
    reason: 'a folder without versions is told',
    level: (answer) => answer.replace(/,"W ignore version directory [^"]*"/, ''),
  },
  {
    rows: /^life a request runs longer than the end may take .* > records$/,
    reason: 'the models whose requests hold up the end are named',
    level: (answer) => answer.replace(/"I Model 'slow' [^"]*in-flight inferences",/, ''),
  },
  {
    rows: /^life a model that fails at its end > records$/,
    reason: 'whose finalize() failed is told',
    level: (answer) => answer.replace(/"I (finalize of '\w+' failed: )?ValueError: at the end",/, ''),
  },
  {
    rows: /^life (the (http|grpc|metrics) port is taken|a taken port that is shared) .* > records$/,
    reason:
      'models are stopped before the end; the reference ends with them running, and says of HTTP that it started',
  },
  {
    rows: /^life the same model in two,? (by name|ends the server) .*--load-model=alpha.* > records$/,
    reason: 'a name that two repositories have is found; the reference says that it is not, too',
    level: (answer) =>
      answer.replace(/"E failed to poll model 'alpha': model not found in any model repository\.",/, ''),
  },
  {
    rows: /^life the same model in two, with namespaces.* > 0 GET \/v2\/models\/stats$/,
    reason: `statistics of all models answer under namespaces: ${NEWER}`,
  },
  {
    rows: /^life one is (missing|a file|a link to nothing).* > records$/,
    reason: 'newer servers say why they end at once',
    level: (answer) => answer.replace('"I No server context available. Exiting immediately.",', ''),
  },
  {
    rows: /^life a model is a link to nothing/,
    reason: 'a broken link is left out; in the reference no model of its repository is loaded',
  },
  {
    rows: /^life (a configuration of zeros|another configuration that is broken) .* > records$/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^life a name with a (slash|version) to load/,
    reason: `names that are paths are no models: ${NEWER}`,
  },
  {
    rows: /^life no configuration --exit-on-error=false > 0 POST/,
    reason: 'the lines of the import system belong to the version of Python',
    level: (answer) => answer.replaceAll(/bootstrap>\(\d+\)/g, 'bootstrap>(#)'),
  },
  {
    rows: /^batch fields: (an output of )?a number that is no kind > /,
    reason: 'numbers that an enumeration has not are refused where the configuration is read',
  },
  {
    rows: /^batch fields: (no target|a target that is an input) > \[/,
    reason: 'an input that is missing beside an optional one is told by the binding of the runtime',
  },
  {
    rows: /^batch fields: an output with two targets > \[/,
    reason: 'the second target has its own name and values; the reference answers with the first name twice',
  },
  {
    rows: /^ONNX warm-up: too many rows > (load|said)$/,
    reason: 'which instance fails first is chance',
    level: (answer) => answer.replaceAll(/'w_1_\d'/g, "'w_1_#'"),
    isChance: true,
  },
  {
    rows: /^ONNX warm-up: a file out of the folder > (load|said)$/,
    reason: 'files outside of the model are refused by name',
  },
  {
    rows: /^polling dependents > /,
    reason: 'a version of a Python model takes the reference longer to unload',
    level: (answer) =>
      answer
        .replace(/"I successfully unloaded 'step' version 1"/, '')
        .replace(/,\]/, ']')
        .replaceAll(
          '\\"state\\":\\"UNLOADING\\"',
          '\\"state\\":\\"UNAVAILABLE\\",\\"reason\\":\\"unloaded\\"',
        ),
    isChance: true,
  },
  {
    rows: /^polling (dependents|ensembles of ensembles) > .* > lines$/,
    reason:
      'what a Python model says before it is linked to the server begins with one blank more; a folder without versions is told',
    level: (answer) =>
      answer
        .replaceAll('"I  Failed', '"I Failed')
        .replace(/,"W <repository 0>\/deep has no version folder [^"]*"/, ''),
  },
  {
    rows: /^polling dependents > (code that is mended > lines|a second version > \/v2\/health\/ready)$/,
    reason:
      'a file that is written while it is polled is loaded twice; a version that is being unloaded is not ready',
    isChance: true,
  },
  {
    rows: /^polling dependents > a broken configuration > lines$/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
  {
    rows: /^polling ensembles of ensembles > (a ring|an ensemble of its name) > lines$/,
    reason:
      'a ring is told of each ensemble in it, and of several faulty steps the first; in the reference it is the one it finds first',
  },
];
