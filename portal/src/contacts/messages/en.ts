// What the screens of contacts say.
export const en = {
  about: 'The people you deal with, and the companies they work for.',
} as const
