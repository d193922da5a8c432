// The English texts of what logging in takes.
export const en = {
  title: 'Security',
  about: 'What logging in to your organization takes.',
  loading: 'Loading the policy',
  saved: 'The policy was saved.',
  save: 'Save policy',
  saveTitle: 'Save the policy?',
  from: 'It takes effect with the next login or access token.',
  login: 'Logging in',
  factor: 'Require two-step login',
  factorHint: 'Nobody logs in with just a password. People without a second step set one up the next time they log in.',
  trust: 'Days a browser can be trusted',
  trustHint: 'For that long, a trusted browser isn’t asked for a code again. 0 means never.',
  passwordMin: 'Minimum password length',
  passwordMinHint:
    '10 to 64 characters. Everyone needs 15 anyway, or 10 with two-step login. Leave it empty for no more than that.',
  mail: 'Allow logging in by email',
  mailHint: 'A link in an email replaces the password, but never the second step. Anyone who reads the email gets in.',
  addresses: 'Addresses people can log in from',
  addressesHint:
    'One address or range (203.0.113.0/24) a line. Leave it empty to allow them all. API keys work from anywhere.',
  lives: 'Sessions and keys',
  idle: 'Minutes until an unused session ends',
  idleHint: '20160 minutes are 14 days.',
  most: 'Hours until any session ends',
  maxHint: '2160 hours are 90 days.',
  keys: 'Days until API keys expire',
  keysHint: 'For keys created or rotated from now on. Leave it empty to decide for each key.',
  'said.factorAll': 'Everyone has a second step already.',
  'said.factor':
    '{count, number} of {members, number} people don’t have a second step yet. They set one up the next time they log in.',
  'said.sessions':
    '{count, plural, one {One session ends with its next request.} other {# sessions end with their next request.}}',
  'said.elsewhereNobody': 'Nobody is logged in from another address right now.',
  'said.elsewhere':
    '{count, plural, one {One person is logged in from another address, and logged out within the hour.} other {# people are logged in from another address, and logged out within the hour.}}',
  'said.keys':
    '{count, plural, one {One API key already lives longer. It stays until it’s rotated.} other {# API keys already live longer. They stay until they’re rotated.}}',
  'said.passwords': 'Existing passwords stay. It applies to new ones.',
} as const
