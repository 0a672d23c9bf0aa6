// Why no Python environment is made for models.

import { defineErrors } from '../../../src-shared/error-catalogue.ts';

export const pythonSetupCatalogue = defineErrors('pythonSetup', {
  busy: {
    code: 'UNAVAILABLE',
    text: 'an environment is being made: wait for it, or cancel it',
    cause: 'One environment is made at a time.',
    remedy: 'Wait for it, or cancel it.',
  },
  stepFailed: {
    code: 'UNAVAILABLE',
    text: '{reason}',
    cause: 'A program that makes the environment failed, mostly for want of a network.',
    remedy: 'Mend what the message says, and try again.',
  },
  noTool: {
    code: 'UNAVAILABLE',
    text: 'neither uv nor Python 3.9 or newer was found to make an environment with: install one of them (Debian, Ubuntu: `sudo apt install python3-venv`)',
    cause: 'An environment is made by uv or by a Python, and the server finds neither.',
    remedy: 'Install one of them, or name a Python in the settings.',
  },
  noVenv: {
    code: 'UNAVAILABLE',
    text: 'this Python cannot make environments: install its venv part (Debian, Ubuntu: `sudo apt install python3-venv`), or uv',
    cause: 'Some systems keep the part of Python back that makes environments.',
    remedy: 'Install that part, or uv.',
  },
});

export const pythonSetupErrors = pythonSetupCatalogue.errors;
