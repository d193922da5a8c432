// The English texts of the page of all settings.
export const en = {
  title: 'Settings',
  about: 'Everything you can set up, in one place.',
  find: 'Find a setting',
  example: 'Password, time zone, opt-outs …',
  none: 'No setting matches “{text}”',
  noneText: 'Try another word, such as “team” or “mail”.',
  'group.you': 'You',
  'group.people': 'People',
  'group.organization': 'Organization',
  'group.security': 'Security',
  'group.phone': 'Phone and text messages',
  'group.mail': 'Mail',
  'group.programs': 'Apps and programs',
} as const
