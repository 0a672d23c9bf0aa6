// What goes wrong with a hand-over besides what its checks find.

import { defineErrors } from '../../src-shared/error-catalogue.ts';

export const handoverCatalogue = defineErrors('handover', {
  plan: {
    code: 'INVALID_ARG',
    text: '{field}: {reason}',
    cause: 'A part of what was asked for is not among what can be.',
    remedy: 'Correct it; `conch handover --help` lists what each option takes.',
  },
  location: {
    code: 'INVALID_ARG',
    text: "'{text}' is no place for a repository: a folder, pvc://claim/path, nfs://server/path, s3://, gs:// or as://",
    cause: 'The address of the place cannot be read.',
    remedy: 'Write it in one of these forms.',
  },
  incompleteLocation: {
    code: 'INVALID_ARG',
    text: "'{text}' is not complete: such a place is {form}",
    cause: 'The address names no bucket, container, claim or server.',
    remedy: 'Write the missing part.',
  },
  relativeLocation: {
    code: 'INVALID_ARG',
    text: "'{text}' is a relative path, or an address whose kind is not known",
    cause: 'The machine that will read the models does not know where a relative path starts.',
    remedy: 'Write the folder from its root, as /srv/models, or an address such as s3://bucket/path.',
  },
  locationCount: {
    code: 'INVALID_ARG',
    text: '{count} places were given for {repositories} repositories',
    cause: 'Each place belongs to the repository of the same position.',
    remedy: 'Give at most one place for each repository.',
  },
  release: {
    code: 'INVALID_ARG',
    text: "release '{release}' is not known; known are {oldest} to {newest}",
    cause: 'What the image of a release can do is known from a table.',
    remedy: 'Choose a release of the table.',
  },
  noRepository: {
    code: 'INVALID_ARG',
    text: 'there is no repository to hand over',
    cause: 'Neither a folder nor an option names a repository.',
    remedy: 'Name one: conch handover FOLDER, or -- --model-repository=FOLDER.',
  },
  otherPlace: {
    code: 'INVALID_ARG',
    text: '{target} takes a repository from {wanted}: say where it will lie',
    cause: 'Engines of this kind fetch models themselves and see no folder of this machine.',
    remedy: 'Upload the repository and give its address as its place.',
  },
  oneRepository: {
    code: 'INVALID_ARG',
    text: '{target} serves one repository at a time, and the server has {count}',
    cause: 'The engine has one place for models.',
    remedy: 'Hand the repositories over one by one.',
  },
  notSafe: {
    code: 'INVALID_ARG',
    text: 'nothing was written: the checks found {count} error(s) for this target',
    cause: 'Something of the repository will not run there.',
    remedy: 'Mend what the findings name, or force it.',
  },
  linkOut: {
    code: 'INVALID_ARG',
    text: "the link '{link}' leads out of the repository, or back into itself",
    cause: 'An upload sends what links lead to, and takes nothing from elsewhere.',
    remedy: 'Put the file itself in the place of the link.',
  },
  insideRepository: {
    code: 'INVALID_ARG',
    text: "nothing was written: '{folder}' lies in the repository '{repository}'",
    cause: 'A folder in a repository is a model to every server that reads it.',
    remedy: 'Choose a folder beside the repository.',
  },
  othersFiles: {
    code: 'ALREADY_EXISTS',
    text: "nothing was written: '{folder}' has files that no export wrote, or that were changed since: {files}",
    cause: 'They would be lost.',
    remedy: 'Choose another folder, or have them replaced: `--replace` on the command line; the window asks.',
  },
  unreadable: {
    code: 'INTERNAL',
    text: "'{file}' cannot be written: {reason}",
    cause: 'The system refused to write a file of the export.',
    remedy: 'Choose a folder that can be written to.',
  },
});

export const handoverErrors = handoverCatalogue.errors;
