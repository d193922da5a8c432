// The English texts of forms.
export const en = {
  cancel: 'Cancel',
  empty: 'Clear the form',
  done: 'Done',
  typed: 'what you typed',
  discardTitle: 'Discard what you typed?',
  discardText: 'It has not been saved yet.',
  discardDo: 'Discard',
  discardNot: 'Go on typing',
  unclearNumber: 'This can be read in two ways. Write {whole} or {decimal}.',
  secretStored: 'I’ve stored it safely',
  secretHint: 'Keep it in a secret manager or in the environment of your program, never in its source code.',
  secretHeld: 'Confirm that you’ve stored it. You won’t see it again.',
  secretCopy: 'Copy the secret',
} as const
