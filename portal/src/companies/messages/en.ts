// What the screens of companies say.
export const en = {
  about: 'Organizations that are customers, or may become one.',
} as const
