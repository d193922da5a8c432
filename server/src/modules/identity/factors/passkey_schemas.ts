// Passkeys on the wire: the JSON forms of WebAuthn Level 3 (§5.1.8 to §5.1.10), as browsers make and take them.
import { Type } from 'typebox'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { algorithms, challengeMs } from './passkey.ts'

const bytes = (maxLength: number, description?: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]+$',
    minLength: 1,
    maxLength,
    ...(description === undefined ? {} : { description }),
  })
/** §4: an id has at most 1023 bytes. */
const CredentialId = bytes(1_400, 'Identifier of the passkey, in base64url.')
const Extensions = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'What extensions of the browser said; not looked at.',
})
const Attachment = OneOf(['platform', 'cross-platform'])

const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Attachment),
  clientExtensionResults: Type.Optional(Extensions),
}

/** What `navigator.credentials.get` came to (AuthenticationResponseJSON). */
export const Assertion = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: bytes(4_000),
      authenticatorData: bytes(4_000),
      signature: bytes(2_000),
      userHandle: Type.Optional(bytes(100)),
    }),
  },
  { description: 'What the browser answered to the options, as JSON (AuthenticationResponseJSON).' },
)

/** What `navigator.credentials.create` came to (RegistrationResponseJSON). */
export const Registration = Type.Object(
  {
    ...common,
    response: Type.Object({
      clientDataJSON: bytes(4_000),
      attestationObject: bytes(16_000),
      authenticatorData: Type.Optional(bytes(8_000)),
      publicKey: Type.Optional(bytes(4_000)),
      publicKeyAlgorithm: Type.Optional(Type.Integer({ minimum: -70_000, maximum: 70_000 })),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
    }),
  },
  { description: 'What the browser made by the options, as JSON (RegistrationResponseJSON).' },
)

const Challenge = Type.String({ description: 'Good for five minutes and for one use.' })
const Known = Type.Object({ id: Type.String(), type: Type.Literal('public-key') })

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = Type.Object({
  challenge: Challenge,
  rpId: Type.String({ description: 'The host that passkeys are bound to.' }),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  userVerification: Type.Literal('required'),
})

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = Type.Object({
  challenge: Challenge,
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer({ description: 'Milliseconds.' }),
  excludeCredentials: Type.Array(Known, { description: 'Those there are: a device makes no second one.' }),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
})

/** What is the same for everybody who makes one: it names its account by itself, and asks who uses it. */
export const wantedPasskey = {
  pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key' as const, alg })),
  timeout: challengeMs,
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
} as const

const sampleId = 'c2FtcGxlLXBhc3NrZXktaWQ'
export const sampleChallenge = 'U2FtcGxlQ2hhbGxlbmdlU2FtcGxlQ2hhbGxlbmdl'

export const sampleAssertion = {
  id: sampleId,
  rawId: sampleId,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'c2FtcGxlLWF1dGhlbnRpY2F0b3ItZGF0YQ',
    signature: 'c2FtcGxlLXNpZ25hdHVyZQ',
  },
} as const

export const sampleRegistration = {
  id: sampleId,
  rawId: sampleId,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
    attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
    transports: ['internal'],
  },
} as const
