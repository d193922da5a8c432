// Where texts for people still stand in the code, and the words that are the same in all languages. The first list only gets shorter: who
// moves the texts of a folder into its message files (portal/src/words/README.md) takes it off, and no new folder is put on it.

/** Folders and files of `portal/src`; `screen.ts` is that of every screen. */
export const unconverted: readonly string[] = [
  'screen.ts',
  'account',
  'app',
  'apps',
  'audit',
  'authorize',
  'calls',
  'carriers',
  'companies',
  'conferences',
  'contacts',
  'dashboard',
  'destinations',
  'events',
  'explorer',
  'imports',
  'inspector',
  'invoices',
  'keys',
  'leads',
  'logs',
  'mail_domains',
  'mail_inbox',
  'mail_senders',
  'mail_suppressions',
  'mail_templates',
  'mail_transports',
  'mailboxes',
  'mails',
  'messages',
  'nouns',
  'numbers',
  'operator',
  'opt_outs',
  'organization',
  'playground',
  'recordings',
  'roles',
  'security',
  'services',
  'single_sign_on',
  'sip_credentials',
  'sms_simulator',
  'softphone',
  'trunks',
  'usage',
  'users',
  'webhooks',
]

/** What is said before any message file is there: in all languages at once. */
export const beforeWords: readonly string[] = ['main.tsx']

/** Texts that English and German share. */
export const sameInAll: ReadonlySet<string> = new Set(['Live', 'Name', 'Team', 'Teams', '(optional)'])
