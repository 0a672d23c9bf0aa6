// The Code tab of a model, and models that begin as code.

export const code = {
  'code.editor': '{file} of {name}. Press Ctrl+M to let Tab leave the editor.',
  'code.file': 'Source file',
  'code.mainFile': '{file} (main file)',
  'code.none.title': 'No source file',
  'code.none.text': 'The folder of this model holds no text that its backend runs, such as 1/model.py.',
  'code.unread':
    '{file} could not be read again; what you see was read before and has your changes. {reason}',
  'code.gone': '{file} is not there. Saving writes it anew.',
  'code.refused.large': 'This file is too large for the editor',
  'code.refused.binary': 'This file is no UTF-8 text',
  'code.refused.text': 'Edit it with another program. Nothing is written over it here.',
  'code.revert': 'Back to the file on disk',
  'code.compare': 'Show what changed',
  'code.compare.with': 'Compare with',
  'code.compare.disk': 'The file on disk',
  'code.compare.git': 'The last commit',
  'code.saveReloadHelp': 'Writes the file and loads the model with it; the running code serves until then.',
  'code.new.model': 'New Python model…',
  'code.new.step': 'New pre- or post-processing step…',
  'code.new.kind': 'Begin with',
  'code.new.kind.model': 'A model',
  'code.new.kind.preprocess': 'A step before a model (pictures to pixels)',
  'code.new.kind.postprocess': 'A step behind a model (scores to labels)',
  'code.new.title.model': 'New Python model',
  'code.new.title.preprocess': 'New pre-processing step',
  'code.new.title.postprocess': 'New post-processing step',
  'code.new.about.model':
    'Two tensors in, their sum and difference out. It needs numpy only, loads at once, and is yours to change.',
  'code.new.about.preprocess':
    'Pictures as bytes in, normalised 3x224x224 pixels out, for the input of an image model. It needs numpy only.',
  'code.new.about.postprocess':
    'Scores of a classifier in; class, probability and label out. It needs numpy only.',
  'code.new.create': 'Create and load',
  'code.new.created': 'Created {name}.',
  'code.new.repository': 'Repository',
} as const;
