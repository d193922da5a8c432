// What there is to set for a trunk that is an Asterisk: where its ARI is, which application takes calls that come in, by which
// endpoint calls go out. What every kind of trunk has (numbers, limits) is as the settings of SIP trunks say it.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { isInnerHost } from '../../../kernel/outbound/egress.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { TrunkSettings } from './settings.ts'
import { numberFaults } from './settings_rules.ts'

const connection = { 'x-group': 'Connection' }
const outbound = { 'x-group': 'Calls that go out' }
const inbound = { 'x-group': 'Calls that come in' }
const media = { 'x-group': 'Sound' }
const life = { 'x-group': 'Signs of life' }

const { callsPerSecond, concurrentCalls, foreignCallerIds, numberCountry, numberFormat } = TrunkSettings.properties

export const AsteriskSettings = Type.Object({
  url: Type.String({
    ...connection,
    title: 'Address of ARI',
    maxLength: 500,
    pattern: '^https?://[^\\s/?#@]+(?:/[^\\s?#@]*)?$',
    errorMessage: 'must be the address of the HTTP server of the Asterisk, such as https://asterisk.example.com:8089',
    description:
      'Of an Asterisk: the address of its HTTP server, such as https://asterisk.example.com:8089, without /ari. A private address must be allowed by the operator, and is the only one that http goes to.',
  }),
  username: Type.String({
    ...connection,
    title: 'User name',
    minLength: 1,
    maxLength: 128,
    pattern: '^[^\\s:\\x00-\\x1f\\x7f]+$',
    errorMessage: 'must be a user of ari.conf, without blanks and colons',
    description: 'A user of ari.conf who may write (read_only = no).',
  }),
  password: Type.String({
    ...connection,
    'x-secret': true,
    title: 'Password',
    minLength: 1,
    maxLength: 128,
    pattern: '^[^\\x00-\\x1f\\x7f]+$',
    errorMessage: 'must not hold control characters',
    description: 'Of that user. Stored sealed and never shown again.',
  }),
  endpoint: Type.String({
    ...outbound,
    title: 'Endpoint',
    maxLength: 200,
    pattern: '^[A-Za-z0-9]+/[^\\s{}]*\\{number\\}[^\\s{}]*$',
    errorMessage: 'must be a channel technology and a place for the number, such as PJSIP/{number}@carrier',
    description:
      'Of an Asterisk: what is dialled, with {number} for the called number: PJSIP/{number}@carrier, or Local/{number}@outgoing for a dialplan of your own.',
  }),
  application: Type.String({
    ...inbound,
    title: 'Application',
    maxLength: 40,
    pattern: '^[A-Za-z0-9_.-]+$',
    errorMessage: 'must be letters, digits, points, dashes and underscores only, such as tandem',
    default: 'tandem',
    description:
      'Of an Asterisk: the name that its dialplan gives calls to, Stasis(tandem). No two trunks and no other program may use the same at one Asterisk.',
  }),
  inboundContext: Nullable(
    Type.String({
      ...inbound,
      title: 'Context',
      maxLength: 80,
      pattern: '^[^\\s,]+$',
      errorMessage: 'must be the name of a context of extensions.conf',
      default: null,
      description: 'Of an Asterisk: takes only calls that come from this context of the dialplan; null: from any.',
    }),
  ),
  numberFormat,
  numberCountry,
  foreignCallerIds,
  codec: OneOf(['PCMU', 'PCMA'], {
    ...media,
    title: 'Codec',
    default: 'PCMU',
    description: 'Of an Asterisk: the sound between it and this server. It translates to what its carrier speaks.',
  } as object),
  mediaAddress: Nullable(
    Type.String({
      ...media,
      title: 'Address for the audio',
      maxLength: 45,
      pattern: '^[0-9A-Fa-f:.]+$',
      errorMessage: 'must be an IP address',
      default: null,
      description:
        'Of an Asterisk: the address of this server that it sends the audio of calls to; null: the one that leads to it.',
    }),
  ),
  callsPerSecond,
  concurrentCalls,
  pingSeconds: Type.Integer({
    ...life,
    title: 'Sign of life of ARI',
    minimum: 2,
    maximum: 3600,
    default: 10,
    description: 'Of an Asterisk: seconds between questions that show whether it is there and still reports calls.',
  }),
})

export type AsteriskSettings = Static<typeof AsteriskSettings>

/** Settings that say where the password is sent. */
export const ariPlace = ['url', 'username'] as const

export const sampleAsteriskSettings = {
  url: 'https://asterisk.example.com:8089',
  username: 'tandem',
  password: 'example-password',
  endpoint: 'PJSIP/{number}@carrier',
} as const

/** What the schema cannot say. */
export function asteriskFaults(settings: AsteriskSettings): FieldFault[] {
  const faults = numberFaults(settings)
  const url = URL.parse(settings.url)
  if (url === null) faults.push({ field: 'url', code: 'not_allowed', message: 'is not an address' })
  else if (/\/ari\/?$/.test(url.pathname))
    faults.push({ field: 'url', code: 'not_allowed', message: 'must be given without /ari; that is added' })
  else if (url.protocol === 'http:' && !isInnerHost(url.hostname))
    faults.push({
      field: 'url',
      code: 'not_allowed',
      message:
        'must begin with https://; http:// is for this machine and private addresses, such as http://10.0.0.5:8088',
    })
  return faults
}

export function asteriskWarnings({ url }: AsteriskSettings): { field: string; message: string }[] {
  const parsed = URL.parse(url)
  const isNear = parsed !== null && /^(?:127\.|\[::1\]$|localhost$)/.test(parsed.hostname)
  return parsed?.protocol === 'https:' || isNear
    ? []
    : [
        {
          field: 'url',
          message: 'The password and who calls whom travel readable; use https, or a network that nobody else reads.',
        },
      ]
}
