// What there is to set for a SIP trunk, as one schema: requests are checked by it, the portal draws its form from it, and
// the Explorer prints it. `x-group` says under which heading a field stands, `x-secret` that it is never shown again.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'

const connection = { 'x-group': 'Connection' }
const identity = { 'x-group': 'Identity' }
const inbound = { 'x-group': 'Calls that come in' }
const numbers = { 'x-group': 'Numbers' }
const media = { 'x-group': 'Sound' }
const limits = { 'x-group': 'Limits' }
const life = { 'x-group': 'Signs of life' }

const hostName = {
  pattern: '^(?:[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+)$',
  errorMessage: 'must be a host name or an IP address, without scheme and port',
}
/** What stands before the @ of an address: no blanks, nothing that would end it. */
const userPart = {
  pattern: '^[^\\s@<>":;?,\\\\\\x00-\\x1f\\x7f]+$',
  errorMessage: 'must be the part before the @ only, without blanks and : ; ? , < > "',
}
const credential = { pattern: '^[^\\x00-\\x1f\\x7f]+$', errorMessage: 'must not hold control characters' }

const transports = ['udp', 'tcp', 'tls'] as const
export const numberFormats = ['e164', 'digits', 'national'] as const
const callerIdPlaces = ['from', 'p_asserted_identity', 'remote_party_id'] as const
const codecs = ['PCMU', 'PCMA'] as const

export const TrunkSettings = Type.Object({
  transport: OneOf(transports, {
    ...connection,
    title: 'Transport',
    default: 'udp',
    description: 'How SIP travels. tls encrypts it; without it everybody on the way can read who calls whom.',
  } as object),
  host: Type.String({
    ...connection,
    ...hostName,
    title: 'Host',
    minLength: 1,
    maxLength: 253,
    description:
      "The carrier's SIP server: a name or an IP address. A private address must be allowed by the operator.",
  }),
  port: Nullable(
    Type.Integer({
      ...connection,
      title: 'Port',
      minimum: 1,
      maximum: 65_535,
      default: null,
      description: 'null: what DNS says of the host (SRV), otherwise 5060, with TLS 5061.',
    }),
  ),
  outboundProxy: Nullable(
    Type.String({
      ...connection,
      title: 'Outbound proxy',
      maxLength: 260,
      pattern: '^(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[1-9]\\d{0,4})?$',
      errorMessage: 'must be a host name or an IP address with or without a port, such as proxy.example.com:5060',
      default: null,
      description: 'Where everything is sent in place of the host, with or without a port; null: to the host.',
    }),
  ),
  tlsVerify: Type.Boolean({
    ...connection,
    title: 'Verify the certificate',
    default: true,
    description: 'With TLS: refuses a server whose certificate is not valid for the host.',
  }),
  tlsCa: Nullable(
    Type.String({
      ...connection,
      title: 'Certificate authority',
      maxLength: 20_000,
      pattern: '-----BEGIN CERTIFICATE-----',
      errorMessage: 'must be one or more certificates in PEM form (-----BEGIN CERTIFICATE-----)',
      default: null,
      description: 'With TLS: certificates in PEM form to trust instead of the usual ones; null: the usual ones.',
    }),
  ),
  username: Nullable(
    Type.String({
      ...identity,
      ...userPart,
      title: 'User name',
      maxLength: 128,
      default: null,
      description: 'The account at the carrier. null where the carrier knows this server by its address.',
    }),
  ),
  authUsername: Nullable(
    Type.String({
      ...identity,
      ...credential,
      title: 'User name for the password',
      maxLength: 128,
      default: null,
      description: 'Where the carrier wants another name together with the password; null: the user name.',
    }),
  ),
  password: Nullable(
    Type.String({
      ...identity,
      ...credential,
      'x-secret': true,
      title: 'Password',
      maxLength: 128,
      default: null,
      description: 'Stored sealed and never shown again. null where the carrier asks for none.',
    }),
  ),
  domain: Nullable(
    Type.String({
      ...identity,
      ...hostName,
      title: 'Domain',
      maxLength: 253,
      default: null,
      description: 'What stands behind the @ of called numbers and of the registration; null: the host.',
    }),
  ),
  fromUser: Nullable(
    Type.String({
      ...identity,
      ...userPart,
      title: 'From user',
      maxLength: 128,
      default: null,
      description: 'What stands in From where the caller id is in another header; null: the caller id there too.',
    }),
  ),
  fromDomain: Nullable(
    Type.String({
      ...identity,
      ...hostName,
      title: 'From domain',
      maxLength: 253,
      default: null,
      description: 'What stands behind the @ of From; null: the domain.',
    }),
  ),
  register: Type.Boolean({
    ...identity,
    title: 'Register',
    default: false,
    description: 'Registers the user name at the carrier, so that it knows where to send calls. Needs a user name.',
  }),
  registerSeconds: Type.Integer({
    ...identity,
    title: 'Time of a registration',
    minimum: 60,
    maximum: 86_400,
    default: 3600,
    description: 'Seconds asked for; the carrier may give fewer. Renewed when four fifths have passed.',
  }),
  sourceAddresses: Type.Array(
    Type.String({
      maxLength: 43,
      pattern: '^[0-9A-Fa-f:.]+(?:/\\d{1,3})?$',
      errorMessage: 'must be an address or a range, such as 203.0.113.10 or 203.0.113.0/24',
    }),
    {
      ...inbound,
      title: 'Source addresses',
      maxItems: 200,
      default: [],
      description:
        'Addresses and ranges calls come in from, such as 203.0.113.0/24. Empty: those of the host and the outbound proxy.',
    },
  ),
  inboundUsername: Nullable(
    Type.String({
      ...inbound,
      ...credential,
      title: 'User name of the carrier',
      maxLength: 128,
      default: null,
      description: 'Asks callers for this name and the password below; null: the source address is enough.',
    }),
  ),
  inboundPassword: Nullable(
    Type.String({
      ...inbound,
      ...credential,
      'x-secret': true,
      title: 'Password of the carrier',
      maxLength: 128,
      default: null,
      description: 'Stored sealed and never shown again.',
    }),
  ),
  allowTransfers: Type.Boolean({
    ...inbound,
    title: 'Transfers by the remote party',
    default: false,
    description:
      'Anyone who talks by this trunk may have the organization call somebody else and leave (SIP REFER), at its cost. Leave it off for a carrier; turn it on for a telephone system of your own.',
  }),
  numberFormat: OneOf(numberFormats, {
    ...numbers,
    title: 'Form of numbers',
    default: 'e164',
    description: 'e164: +4930123456. digits: 4930123456. national: as dialled in the country below, 030123456.',
  } as object),
  numberCountry: Nullable(
    Type.String({
      ...numbers,
      title: 'Country of numbers',
      pattern: '^[A-Z]{2}$',
      errorMessage: 'must be the two letters of a country, such as DE',
      default: null,
      description:
        'The country of national numbers, and how to read numbers that come in without a country code; null: they are read as international ones.',
    }),
  ),
  callerIdIn: OneOf(callerIdPlaces, {
    ...numbers,
    title: 'Caller id stands in',
    default: 'from',
    description: 'Where the carrier looks for the number to show: From, P-Asserted-Identity or Remote-Party-ID.',
  } as object),
  foreignCallerIds: Type.Boolean({
    ...numbers,
    title: 'Foreign caller ids',
    default: false,
    description: 'Also shows numbers that are not of the organization, where the contract with the carrier allows it.',
  }),
  codecs: Type.Array(OneOf(codecs), {
    ...media,
    title: 'Codecs',
    minItems: 1,
    maxItems: codecs.length,
    uniqueItems: true,
    default: ['PCMU', 'PCMA'],
    description: 'In the order they are offered. PCMU is usual in America and Japan, PCMA elsewhere.',
  }),
  srtp: OneOf(['off', 'preferred', 'required'], {
    ...media,
    title: 'Encrypted sound',
    default: 'off',
    description:
      'preferred: SRTP is offered, and plain sound to who refuses that. required: a call without SRTP fails. The keys travel in SIP, so only with tls they are a secret; with both the call is encrypted up to the carrier.',
  } as object),
  digits: OneOf(['rfc4733', 'info'], {
    ...media,
    title: 'Keys',
    default: 'rfc4733',
    description: 'How pressed keys are sent: as telephone events beside the sound (RFC 4733) or as SIP INFO.',
  } as object),
  callsPerSecond: Type.Number({
    ...limits,
    title: 'Calls per second',
    minimum: 0.1,
    maximum: 1000,
    default: 5,
    description: 'How many calls are started each second; more wait.',
  }),
  concurrentCalls: Type.Integer({
    ...limits,
    title: 'Calls at a time',
    minimum: 1,
    maximum: 10_000,
    default: 50,
    description:
      'In both directions together. More outbound calls wait, more inbound ones are answered with a request to try again.',
  }),
  ringSeconds: Type.Integer({
    ...limits,
    title: 'Time to ring',
    minimum: 5,
    maximum: 600,
    default: 120,
    description: 'Seconds a phone rings at most; a call may ask for less.',
  }),
  optionsSeconds: Type.Integer({
    ...life,
    title: 'Sign of life',
    minimum: 5,
    maximum: 3600,
    default: 30,
    description: 'Seconds between questions (OPTIONS) that show whether the trunk is up.',
  }),
  sessionExpiresSeconds: Type.Integer({
    ...life,
    title: 'Session timer',
    minimum: 90,
    maximum: 86_400,
    default: 1800,
    description: 'A call whose remote party does not confirm it within so many seconds is ended (RFC 4028).',
  }),
})

export type TrunkSettings = Static<typeof TrunkSettings>

/** Settings that say where the password is sent. */
export const passwordPlace = ['host', 'outboundProxy'] as const
/** The secrets that are sent there. That of calls coming in is only compared. */
export const sentSecrets = ['password'] as const

/** An example of the settings. */
export const sampleSettings = {
  transport: 'tls',
  host: 'sip.example.com',
  username: 'example',
  password: 'example-password',
  register: true,
  sourceAddresses: ['203.0.113.0/24'],
  srtp: 'required',
} as const
