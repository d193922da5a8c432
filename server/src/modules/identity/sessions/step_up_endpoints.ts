// A fresh proof of who somebody is, for what is worth one (RFC 9470): the session stays, with other tokens, and what was
// refused is sent again.
import { Type } from 'typebox'
import type { Person } from '../../../kernel/access/principal.ts'
import type { Asked } from '../../../kernel/audit/record.ts'
import type { Scope } from '../../../kernel/data/db.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { Assertion, type FactorProof, listFactors, proveFactor } from '../factors/index.ts'
import { confirmPassword, factorBrake, passwordMaxLength, proveLogin, throttled } from '../login/index.ts'

type Sent = FactorProof & { password?: string | undefined }
const ways = ['password', 'code', 'recoveryCode', 'assertion'] as const

export const stepUp = endpoint({
  id: 'auth.step_up',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/step-up',
  name: 'Step up a session',
  description:
    'For fifteen minutes the session may do what asks for a fresh proof: it was refused with `step_up_required`. The password ' +
    'will do for accounts without a second factor; others send a code of the app, a recovery code or the assertion of a passkey ' +
    'where the challenge asks for the factor (`acr_values="factor"`). Takes one of the four. It answers another access token; the ' +
    'session’s access tokens of before end 20 seconds later, and the next refresh gives another refresh token.',
  permission: 'profile:read',
  whileSuspended: true,
  personOnly: true,
  idempotent: false,
  transaction: 'none',
  audit: 'user.proof_renewed',
  bodyLimit: 16_384,
  body: Type.Object({
    password: Type.Optional(Type.String({ minLength: 1, maxLength: passwordMaxLength })),
    code: Type.Optional(Type.String({ minLength: 6, maxLength: 6, description: 'The six digits that the app shows.' })),
    recoveryCode: Type.Optional(
      Type.String({ minLength: 20, maxLength: 60, description: 'One of the recovery codes.' }),
    ),
    assertion: Type.Optional(Assertion),
  }),
  reply: Type.Object({
    grade: OneOf(['login', 'factor'], { description: 'What was proved: the login, or all that the account asks for.' }),
    provedAt: Timestamp,
    accessToken: Type.String({ description: 'In place of the one that asked.' }),
    expiresIn: Type.Integer({ description: 'Seconds until it expires.' }),
  }),
  envelope: 'data',
  problems: ['wrong_password', 'invalid_second_factor', 'login_throttled'],
  secretReply: true,
  sample: {
    body: { code: '287082' },
    reply: {
      grade: 'factor',
      provedAt: '2026-11-21T08:44:00.123Z',
      accessToken: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      expiresIn: 3_600,
    },
  },
  async handle({ principal, body, now, ip, asked, services }) {
    const scope = { ...principal, person: principal.person! }
    if (ways.filter(way => body[way] !== undefined).length !== 1) {
      throw invalid({
        field: 'password',
        code: 'required',
        message: 'or code, recoveryCode or assertion must be sent, and one of them only',
      })
    }
    const { how, isStrong } = await prove(services, scope, body, { ip, asked, nowMs: now })
    const token = await proveLogin(services, scope, { nowMs: now, isStrong, how, asked })
    return { grade: isStrong ? ('factor' as const) : ('login' as const), provedAt: isoMs(now), ...token }
  },
})

async function prove(
  services: Services,
  scope: Scope & { person: Person; userId: number },
  sent: Sent,
  { ip, asked, nowMs }: { ip: string; asked: Asked; nowMs: number },
): Promise<{ how: string[]; isStrong: boolean }> {
  const { db } = services
  const { accountId } = scope.person
  if (sent.password !== undefined) {
    await confirmPassword(services, scope, { password: sent.password, ip, nowMs, field: 'password' })
    const factors = await db.inTenant(scope, tx => listFactors(tx, accountId))
    return { how: ['pwd'], isStrong: factors.length === 0 }
  }
  const brake = await factorBrake(services, accountId, nowMs)
  if (brake.waitSeconds > 0) throw throttled(brake.waitSeconds)
  // In a transaction of its own: what was used is used up.
  const how = await db.inTenant(scope, tx =>
    proveFactor(tx, services, { scope, userId: scope.userId, asked, nowMs }, sent),
  )
  if (how === undefined) {
    await brake.failed()
    throw new Problem('invalid_second_factor')
  }
  await brake.succeeded()
  return { how, isStrong: true }
}

export const endpoints = [stepUp]
