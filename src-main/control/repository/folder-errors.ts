// Why the folder of a model or a repository is not made, changed, imported or packed.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const foldersCatalogue = defineErrors('folders', {
  nameTaken: {
    code: 'ALREADY_EXISTS',
    text: "there is a model '{name}' already",
    cause: 'A model of the repository has the new name.',
    remedy: 'Choose another name.',
  },
  targetInRepository: {
    code: 'INVALID_ARG',
    text: "'{folder}' lies in the model repository '{root}'; choose a folder outside of it",
    cause: 'What is exported into a repository would be taken for a model.',
    remedy: 'Choose a folder outside of the repositories.',
  },
  noPicker: {
    code: 'INVALID_ARG',
    text: 'this page has no picker: start the server with --ui-root=DIR',
    cause: 'A page in a browser may look into folders only where the server was told that it may.',
    remedy: 'Start the server with --ui-root and the folder that pages may look into.',
  },
  folderName: {
    code: 'INVALID_ARG',
    text: "'{name}' is no name for a folder",
    cause: 'The name is empty, hidden, or has characters that a system refuses.',
    remedy: 'Choose another name.',
  },
  folderTaken: {
    code: 'ALREADY_EXISTS',
    text: "there is something named '{name}' in {parent} already",
    cause: 'A file or folder has the name of the new folder.',
    remedy: 'Choose another name, or use what is there.',
  },
  notPackable: {
    code: 'INVALID_ARG',
    text: "'{path}' is neither a file nor a folder of its own and cannot be packed",
    cause: 'The model has a socket, a device, or a link to a folder in it.',
    remedy: 'Replace it by a file or a folder.',
  },
  needsTrust: {
    code: 'INVALID_ARG',
    text: "'{folder}' holds files that run code when loaded; confirm that you trust them",
    cause: 'The model brings code of its own, which would run with the rights of the server.',
    remedy: 'Look at the code, then confirm that you trust it.',
  },
  noModelForVersion: {
    code: 'NOT_FOUND',
    text: "there is no model '{name}' to add a version to",
    cause: 'The folder of the model was removed since the window showed it.',
    remedy: 'Import the file as a new model.',
  },
  noVersionFolder: {
    code: 'INVALID_ARG',
    text: "'{folder}' has no version folder",
    cause: 'The folder that is imported has no folder named by a number.',
    remedy: 'Choose the folder of a version itself.',
  },
  weightsLeadOut: {
    code: 'INVALID_ARG',
    text: "the model names its weights '{file}', which leads out of the version folder",
    cause: 'The ONNX file says that its weights lie outside of its own folder.',
    remedy: 'Save the model again with its weights beside it.',
  },
  labelFileName: {
    code: 'INVALID_ARG',
    text: "'{file}' cannot be the name of a label file",
    cause: 'A label file lies in the folder of the model and has a plain name.',
    remedy: 'Choose another name.',
  },
  removedMeanwhile: {
    code: 'NOT_FOUND',
    text: "'{root}' was removed while it was being added",
    cause: 'Another page or program removed the repository at the same time.',
    remedy: 'Add the repository again.',
  },
});

export const foldersErrors = foldersCatalogue.errors;
