// Examples in empty fields that are the same in all languages: addresses, hosts, URLs.

export const examples = {
  person: 'ada@example.com',
  office: 'office@example.com',
  shared: 'sales@example.com',
  domain: 'example.com',
  country: 'DE',
  currency: 'EUR',
  mailServer: 'mail.example.com',
  imapServer: 'imap.example.com',
  textsUrl: 'https://example.com/texts',
  callsUrl: 'https://example.com/calls',
  fallbackUrl: 'https://backup.example.com/calls',
} as const
