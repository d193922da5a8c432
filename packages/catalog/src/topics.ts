// What people look for by words that no endpoint has in its name or address: the endpoints that do it, or come nearest. A topic
// without any says honestly that there is nothing yet, where a search that forgives typos would offer something else.

import { planned } from './planned.ts'

/** One topic: words that stand for it (several that must all be there are separated by blanks), and its endpoints, the nearest first. */
type Topic = { words: readonly string[]; ids: readonly string[] }

const topics: readonly Topic[] = [
  {
    words: ['invite', 'invitation', 'onboard', 'colleague'],
    ids: ['invitations.create', 'users.create'],
  },
  {
    words: ['sign up', 'signup'],
    ids: ['auth.sign_up', 'auth.confirm_sign_up', 'auth.get_sign_up', 'invitations.create'],
  },
  {
    words: ['role of a user', 'role user', 'permission', 'permissions', 'deactivate', 'disable user'],
    ids: ['roles.list', 'users.update'],
  },
  { words: ['forgot password', 'reset password'], ids: ['auth.request_password_reset', 'auth.reset_password'] },
  { words: ['password', 'change password'], ids: ['account.change_password', 'users.update', 'auth.login'] },
  { words: ['login', 'log in', 'sign in', 'signin'], ids: ['auth.login', 'auth.verify_login', 'auth.refresh'] },
  {
    words: ['2fa', 'mfa', 'otp', 'totp', 'two factor', 'second factor', 'multi factor'],
    ids: ['factors.create_totp', 'factors.update', 'factors.delete'],
  },
  { words: ['passkey', 'passkeys', 'webauthn', 'fido'], ids: ['factors.create_passkey', 'auth.log_in_with_passkey'] },
  { words: ['sso', 'single sign'], ids: ['sso_connections.list', 'auth.discover_sso'] },
  { words: ['scim'], ids: ['scim.get', 'scim.update'] },
  { words: ['saml'], ids: [] },
  { words: ['voicemail', 'voicemails', 'answerphone'], ids: ['recordings.list', 'numbers.voice.set', 'calls.create'] },
  {
    words: ['queue', 'queues', 'enqueue', 'ivr', 'menu', 'dtmf'],
    ids: ['calls.command', 'numbers.voice.set', 'calls.create'],
  },
  {
    words: ['agent', 'agents', 'softphone', 'webrtc'],
    ids: ['client_tokens.create', 'users.list', 'client_stream.open'],
  },
  { words: ['stop', 'unsubscribe', 'consent', 'blacklist', 'blocklist'], ids: ['opt_outs.list', 'opt_outs.create'] },
  { words: ['timezone', 'time zone', 'settings', 'currency'], ids: ['organization.update', 'organization.get'] },
  // What is planned: what does the work meanwhile.
  ...planned.map(({ name, words, meanwhile }) => ({
    words: [name.toLowerCase(), ...words],
    ids: [...new Set(meanwhile.flatMap(({ endpoints }) => endpoints))],
  })),
]

/**
 * The topic of what was typed, if it has one: its endpoints, and whether it is about nothing else.
 * @param words in small letters, without those that say nothing
 */
export function topicOf(words: readonly string[]): { ids: readonly string[]; alone: boolean } | undefined {
  let best: { ids: readonly string[]; named: readonly string[] } | undefined
  for (const { words: names, ids } of topics) {
    for (const name of names) {
      const named = name.split(' ')
      if (named.length > (best?.named.length ?? 0) && named.every(word => words.includes(word))) best = { ids, named }
    }
  }
  return best && { ids: best.ids, alone: words.every(word => best.named.includes(word) || bystanders.has(word)) }
}

/** Words beside a topic that leave it what it is. */
const bystanders = new Set(
  'create add new make list show get update change set up edit user users person people'.split(' '),
)

/** Every endpoint that a topic names. */
export const topicIds: readonly string[] = topics.flatMap(({ ids }) => ids)
