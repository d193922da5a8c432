// What there is to set for an SMPP carrier, as one schema: requests are checked by it, the portal draws its form from it,
// and the Explorer prints it. `x-group` says under which heading a field stands, `x-secret` that it is never shown again.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../kernel/endpoint/schema.ts'
import { isCountry } from '../../kernel/values/phone.ts'
import type { FieldFault, ProblemCode } from '../../kernel/values/problem.ts'

const connection = { 'x-group': 'Connection' }
const account = { 'x-group': 'Account' }
const speed = { 'x-group': 'Throughput' }
const texts = { 'x-group': 'Texts' }
const addresses = { 'x-group': 'Addresses' }
const receipts = { 'x-group': 'Receipts' }
const answers = { 'x-group': 'Answers of the carrier' }

/** Reasons a refusal may be given. */
const refusalCodes = [
  'message_rejected',
  'carrier_rejected_sender',
  'unknown_subscriber',
  'landline_or_unsupported',
  'blocked_by_carrier',
  'filtered_as_spam',
  'handset_unreachable',
  'validity_expired',
  'carrier_unknown_error',
] as const satisfies readonly ProblemCode[]

const typeOfNumber = (title: string, byDefault: number, description: string) =>
  Type.Integer({ ...addresses, title, minimum: 0, maximum: 255, default: byDefault, description })

/** C-octet strings of the protocol: no byte outside ASCII, nothing invisible. */
const printable = { pattern: '^[\\x20-\\x7e]*$', errorMessage: 'must hold printable ASCII characters only' }

export const SmppSettings = Type.Object({
  host: Type.String({
    ...connection,
    title: 'Host',
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9.:_-]+$',
    errorMessage: 'must be a host name or an IP address, without scheme and port',
    description: "The carrier's SMPP host: a name or an IP address. A private address must be allowed by the operator.",
  }),
  port: Type.Integer({
    ...connection,
    title: 'Port',
    minimum: 1,
    maximum: 65_535,
    default: 2775,
    description: 'Usually 2775, with TLS often 3550.',
  }),
  tls: Type.Boolean({ ...connection, title: 'TLS', default: false, description: 'Encrypts the link with TLS.' }),
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
  systemId: Type.String({
    ...account,
    ...printable,
    title: 'System id',
    minLength: 1,
    maxLength: 63,
    description: 'The account name (system_id), given by the carrier. SMPP allows 15 characters, some carriers more.',
  }),
  password: Type.String({
    ...account,
    ...printable,
    'x-secret': true,
    title: 'Password',
    minLength: 1,
    maxLength: 63,
    description: 'Stored sealed and never shown again. SMPP allows 8 characters, some carriers more.',
  }),
  systemType: Type.String({
    ...account,
    ...printable,
    title: 'System type',
    maxLength: 12,
    default: '',
    description: 'system_type; empty unless the carrier names one.',
  }),
  bindType: OneOf(['transceiver', 'transmitter_receiver'], {
    ...account,
    title: 'Kind of link',
    default: 'transceiver',
    description:
      'transceiver: each link sends and receives. transmitter_receiver: two links in its place, one to send and one to receive.',
  } as object),
  binds: Type.Integer({
    ...account,
    title: 'Links',
    minimum: 1,
    maximum: 8,
    default: 1,
    description: 'How many links to hold, as many as the carrier allows; with transmitter_receiver as many pairs.',
  }),
  interfaceVersion: OneOf(['3.3', '3.4', '5.0'], {
    ...account,
    title: 'Interface version',
    default: '3.4',
    description: 'The version said when binding; what is sent is SMPP 3.4.',
  } as object),
  addressRange: Type.String({
    ...account,
    ...printable,
    title: 'Address range',
    maxLength: 40,
    default: '',
    description: 'address_range: which recipients a receiving link serves; empty for all of the account.',
  }),
  addressRangeTon: Type.Integer({
    ...account,
    title: 'TON of the address range',
    minimum: 0,
    maximum: 255,
    default: 0,
    description: 'addr_ton said when binding.',
  }),
  addressRangeNpi: Type.Integer({
    ...account,
    title: 'NPI of the address range',
    minimum: 0,
    maximum: 255,
    default: 0,
    description: 'addr_npi said when binding.',
  }),
  segmentsPerSecond: Type.Number({
    ...speed,
    title: 'Segments per second',
    minimum: 0.1,
    maximum: 100_000,
    default: 10,
    description:
      'What the carrier takes over all links together. A message of several segments goes out whole. While the carrier says it is throttling, the rate is halved and then raised again step by step.',
  }),
  windowSize: Type.Integer({
    ...speed,
    title: 'Window',
    minimum: 1,
    maximum: 1000,
    default: 10,
    description: 'How many segments may be without an answer on each link.',
  }),
  responseTimeoutSeconds: Type.Integer({
    ...speed,
    title: 'Time for answers',
    minimum: 1,
    maximum: 30,
    default: 30,
    description:
      'Seconds to wait for the answer to a segment. One that stays away leaves the outcome unknown: the message is not sent again blindly.',
  }),
  enquireLinkSeconds: Type.Integer({
    ...speed,
    title: 'Sign of life',
    minimum: 5,
    maximum: 600,
    default: 30,
    description: 'After so many quiet seconds an enquire_link is sent; two without an answer end the link.',
  }),
  defaultAlphabet: OneOf(['gsm7', 'latin1', 'ascii'], {
    ...texts,
    title: 'Default alphabet',
    default: 'gsm7',
    description: 'What data_coding 0 means at this carrier: GSM 03.38 (one character a byte), Latin-1 or ASCII.',
  } as object),
  textCoding: OneOf(['default', 'latin1', 'ascii'], {
    ...texts,
    title: 'Coding of plain texts',
    default: 'default',
    description:
      'How texts of the GSM alphabet are sent: in the default alphabet (data_coding 0), as Latin-1 (3) or as ASCII (1). A text with a character that the coding lacks goes as UCS-2 (8) where that takes no more segments, otherwise it is refused.',
  } as object),
  longMessages: OneOf(['udh8', 'udh16', 'sar', 'message_payload'], {
    ...texts,
    title: 'Long messages',
    default: 'udh8',
    description:
      'How the parts of a long message are joined: by a header with an 8-bit or 16-bit reference, by SAR parameters, or sent undivided as message_payload, which the carrier divides.',
  } as object),
  validityPeriod: OneOf(['relative', 'absolute', 'none'], {
    ...texts,
    title: 'Validity period',
    default: 'relative',
    description: 'How the time a message stays valid is sent to the carrier; none leaves it to the carrier.',
  } as object),
  serviceType: Type.String({
    ...texts,
    ...printable,
    title: 'Service type',
    maxLength: 5,
    default: '',
    description: 'service_type; empty for the default of the carrier.',
  }),
  plusSign: Type.Boolean({
    ...addresses,
    title: 'Numbers with +',
    default: false,
    description: 'Sends international numbers with their leading +; most carriers want them without.',
  }),
  numberTon: typeOfNumber('TON of a number', 1, 'source_addr_ton where the sender is an international number.'),
  numberNpi: typeOfNumber('NPI of a number', 1, 'source_addr_npi where the sender is an international number.'),
  alphanumericTon: typeOfNumber('TON of a name', 5, 'source_addr_ton where the sender is a name.'),
  alphanumericNpi: typeOfNumber('NPI of a name', 0, 'source_addr_npi where the sender is a name.'),
  shortCodeTon: typeOfNumber('TON of a short code', 3, 'source_addr_ton where the sender is a short code.'),
  shortCodeNpi: typeOfNumber('NPI of a short code', 0, 'source_addr_npi where the sender is a short code.'),
  destinationTon: typeOfNumber('TON of the recipient', 1, 'dest_addr_ton.'),
  destinationNpi: typeOfNumber('NPI of the recipient', 1, 'dest_addr_npi.'),
  defaultCountry: Nullable(
    Type.String({
      ...addresses,
      title: 'Country of incoming numbers',
      pattern: '^[A-Z]{2}$',
      errorMessage: 'must be the two letters of a country, such as DE',
      default: null,
      description:
        'How to read numbers that come in without a country code; null: they are read as international numbers.',
    }),
  ),
  receipts: OneOf(['all', 'failures', 'none'], {
    ...receipts,
    title: 'Receipts',
    default: 'all',
    description:
      'Which receipts to ask for. A message without one becomes unconfirmed after the time below, so anything but all leaves delivered messages unconfirmed.',
  } as object),
  receiptIds: OneOf(['same', 'ignore_case', 'hex_in_receipt', 'decimal_in_receipt'], {
    ...receipts,
    title: 'Ids in receipts',
    default: 'same',
    description:
      "How the id in a receipt is spelled: like in the answer (same), like there but for capitals (ignore_case), in hexadecimal where the answer's is decimal, or the other way round. Leading zeros and blanks around an id never matter; capitals do with same, for many carriers number in letters of both kinds. An id of zeros only is none.",
  } as object),
  plainReceipts: Type.Boolean({
    ...receipts,
    title: 'Receipts without a mark',
    default: false,
    description:
      'Whether a message that the carrier does not mark as a receipt (esm_class 0) is one where its text has the whole form of one: id, submit date, done date, stat. Anyone who texts your numbers can write such a text too, so switch it on only for a carrier that cannot mark them.',
  }),
  receiptTimeoutHours: Type.Integer({
    ...receipts,
    title: 'Time for receipts',
    minimum: 1,
    maximum: 168,
    default: 72,
    description: 'Hours after which an accepted message without a receipt is unconfirmed. A later one still counts.',
  }),
  clockOffsetMinutes: Type.Integer({
    ...receipts,
    title: 'Clock of the carrier',
    minimum: -840,
    maximum: 840,
    default: 0,
    description:
      'Minutes that the times in receipts are ahead of UTC; 60 for Central European winter time. Receipts name no zone.',
  }),
  statuses: Type.Array(
    Type.Object({
      status: Type.String({
        title: 'Status',
        pattern: '^0x[0-9a-fA-F]{1,8}$',
        errorMessage: 'must be a command_status in hexadecimal, such as 0x0000000b',
        description: 'The command_status of the answer, in hexadecimal.',
      }),
      outcome: OneOf(['retry', 'refuse'], {
        title: 'Outcome',
        description: 'retry: it was not taken and is handed over again later. refuse: trying again cannot help.',
      } as object),
      code: Type.Optional(
        OneOf(refusalCodes, {
          title: 'Reason',
          description: 'With refuse: the code the message fails with; message_rejected when left out.',
        } as object),
      ),
      retryAfterSeconds: Type.Optional(
        Type.Integer({
          title: 'Seconds to wait',
          minimum: 1,
          maximum: 3600,
          description: 'With retry: how long to wait; 30 when left out.',
        }),
      ),
    }),
    {
      ...answers,
      title: 'Meaning of statuses',
      maxItems: 100,
      default: [],
      description: 'What refusals of this carrier mean where it differs from SMPP 3.4.',
    },
  ),
})

export type SmppSettings = Static<typeof SmppSettings>

/** What the schema cannot say. `field` is the path below the settings. */
export function smppFaults(settings: SmppSettings): FieldFault[] {
  const faults: FieldFault[] = []
  const { defaultCountry, statuses } = settings
  if (defaultCountry !== null && !isCountry(defaultCountry)) {
    faults.push({ field: 'defaultCountry', code: 'not_allowed', message: `${defaultCountry} is not a country` })
  }
  const known = new Set<number>()
  for (const [index, { status, outcome, code, retryAfterSeconds }] of statuses.entries()) {
    const field = `statuses[${index}]`
    const value = Number.parseInt(status, 16)
    if (value === 0)
      faults.push({ field: `${field}.status`, code: 'not_allowed', message: 'cannot be 0, which is no error' })
    if (known.has(value))
      faults.push({ field: `${field}.status`, code: 'not_allowed', message: `lists ${status} a second time` })
    known.add(value)
    if (outcome === 'retry' && code !== undefined)
      faults.push({
        field: `${field}.code`,
        code: 'not_allowed',
        message: 'belongs to the outcome refuse; leave it out',
      })
    if (outcome === 'refuse' && retryAfterSeconds !== undefined) {
      const message = 'belongs to the outcome retry; leave it out'
      faults.push({ field: `${field}.retryAfterSeconds`, code: 'not_allowed', message })
    }
  }
  return faults
}
