// The English texts of a person's own account.
export const en = {
  language: 'Language',
  languageHint: 'For the portal, and for emails to you.',
  languageBrowser: 'Same as my browser ({language})',
  languageSaved: 'From now on the portal speaks {language}.',
} as const
