// Proof that a telephone number is the organization's: a code is brought to the number by the operator's carriers, and said
// here. Who proves a number takes it over from another organization that only wrote it down.
import { Type } from 'typebox'
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newCode } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { enter } from '../../identity/organizations/index.ts'
import {
  forgetDirectory,
  type NumberClaim,
  type NumberRow,
  numberClaims,
  numbers,
  OwnNumber,
  presentNumber,
  sampleNumber,
  setOwnership,
} from '../../messaging/numbers/index.ts'
import {
  canVerify,
  codeMinutes,
  countRequest,
  isOpen,
  maxRequestsADay,
  maxRequestsOfOrganization,
  maxWrongCodes,
  methods,
} from './rules.ts'
import { sendCode } from './send.ts'
import {
  countWrongCode,
  lockRequests,
  lockVerification,
  operatorScope,
  removeVerification,
  writeRequests,
  writeVerification,
} from './store.ts'

const NumberParams = Type.Object({
  numberId: RecordId('num', 'Identifier of the number.'),
})
const params = { numberId: sampleNumber.numberId }

/** @throws Problem `not_found`, `number_verification_unneeded` */
async function lockUnproven(tx: Tx, scope: Scope, numberId: string): Promise<NumberRow> {
  const number = await numbers.lock(tx, scope, numberId)
  if (number === undefined) throw new Problem('not_found')
  if (!canVerify(number)) throw new Problem('number_verification_unneeded')
  return number
}

/**
 * Counts a code to be sent, for its number and its organization: how many more may be asked for.
 * @throws Problem `number_verification_limited`
 */
async function countCode(tx: Tx, scope: Scope, address: string, nowMs: number): Promise<number> {
  const limits = [
    { subject: 'organization', most: maxRequestsOfOrganization },
    { subject: address, most: maxRequestsADay },
  ]
  const subjects = limits.map(({ subject }) => subject)
  const counted = (await lockRequests(tx, scope, subjects, nowMs)).map((last, index) =>
    countRequest(last, limits[index]!.most, nowMs),
  )
  const left: number[] = []
  for (const [index, next] of counted.entries()) {
    const { subject, most } = limits[index]!
    if ('retryAfterSeconds' in next)
      throw new Problem('number_verification_limited', {
        message: `${most} codes were asked for ${subject === address ? 'for this number' : 'by this organization'} today. Ask again when Retry-After says.`,
        headers: { 'retry-after': String(next.retryAfterSeconds) },
      })
    left.push(most - next.requests)
    await writeRequests(tx, scope, subject, next)
  }
  return Math.min(...left)
}

/** Bound to the number: a code that was sent to one is worth nothing for another. */
function hashedOf({ tenantId }: Scope, numberId: string, code: string): string {
  return `number verification ${tenantId} ${numberId} ${code}`
}

export const sendNumberCode = endpoint({
  id: 'numbers.verification.send',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/numbers/{numberId}/verification',
  name: 'Send a verification code',
  description: `Sends a code of six digits to a telephone number of the live mode, by a text or a call, so that the organization can prove that the number is its own. A number that another organization on this server has too (ownership contested) takes no calls and is no sender until then. The code is good for ${codeMinutes} minutes and replaces the one before. The carriers and trunks of the server's operator bring it; where there are none, the operator assigns the number by command.`,
  permission: 'numbers:manage',
  params: NumberParams,
  body: Type.Object({
    method: OneOf(methods, { description: 'How the code comes: as a text, or spoken in a call.' }),
  }),
  reply: Type.Object({
    numberId: Type.String({ description: 'Identifier of the number, `num_…`.' }),
    method: OneOf(methods, { description: 'How the code comes.' }),
    expiresAt: Timestamp,
    requestsLeft: Type.Integer({
      description: `How many more codes may be asked for; ${maxRequestsADay} a day for a number, ${maxRequestsOfOrganization} for all of the organization.`,
    }),
  }),
  envelope: 'data',
  transaction: 'none',
  idempotent: false,
  problems: [
    'not_found',
    'number_verification_unneeded',
    'number_verification_limited',
    'number_verification_unavailable',
  ],
  sample: {
    params,
    body: { method: 'text' },
    reply: { ...params, method: 'text', expiresAt: '2026-11-21T08:54:00.123Z', requestsLeft: 4 },
  },
  async handle({ principal, params: { numberId }, body: { method }, now, services }) {
    const code = newCode(6)
    const expiresAt = isoMs(now + codeMinutes * 60_000)
    const asked = await services.db.inTenant(principal, async tx => {
      const number = await lockUnproven(tx, principal, numberId)
      const requestsLeft = await countCode(tx, principal, number.address, now)
      await writeVerification(tx, principal, numberId, {
        method,
        code_hash: services.keyring.mac(hashedOf(principal, numberId, code)),
        expires_at: expiresAt,
        wrong_codes: 0,
      })
      return { to: number.address, requestsLeft }
    })
    await sendCode(services, await operatorScope(services.db), { method, to: asked.to, code })
    return { numberId, method, expiresAt, requestsLeft: asked.requestsLeft }
  },
})

export const confirmNumber = endpoint({
  id: 'numbers.verification.confirm',
  version: 'v2',
  category: 'Organization',
  method: 'POST',
  path: '/numbers/{numberId}/verification/confirm',
  name: 'Verify a number',
  description:
    'Proves by the code that was sent to it that a telephone number is the organization’s. From then on it takes its calls and sends; an organization that had added it before without proving it has it as contested, and is notified by the event number.contested. A number that another organization has verified stays theirs until they release it or the operator of the server assigns it again. Writes the event number.verified.',
  permission: 'numbers:manage',
  audit: 'number.verified',
  params: NumberParams,
  body: Type.Object({
    code: Type.String({
      pattern: '^[0-9]{6}$',
      errorMessage: 'must be the six digits of the code',
      description: 'The code, six digits.',
    }),
  }),
  reply: OwnNumber,
  envelope: 'data',
  transaction: 'none',
  idempotent: false,
  problems: [
    'not_found',
    'number_verification_unneeded',
    'number_verification_expired',
    'number_verification_wrong_code',
    'number_held',
  ],
  sample: { params, body: { code: '482913' }, reply: { ...sampleNumber, ownership: 'verified' } },
  async handle({ principal, params: { numberId }, body: { code }, now, asked, services }) {
    const { db, keyring } = services
    const checked = await db.inTenant(principal, async tx => {
      const number = await lockUnproven(tx, principal, numberId)
      const last = await lockVerification(tx, principal, numberId)
      if (last === undefined || !isOpen(last, now)) throw new Problem('number_verification_expired')
      if (keyring.isMac(hashedOf(principal, numberId, code), last.code_hash))
        return { address: number.address, triesLeft: null }
      // Counted in a transaction that commits; refused afterwards.
      await countWrongCode(tx, principal, numberId)
      return { address: number.address, triesLeft: maxWrongCodes - last.wrong_codes - 1 }
    })
    if (checked.triesLeft !== null) throw wrongCode(checked.triesLeft)
    const claims = await numberClaims(db, checked.address)
    const holder = claims.find(
      ({ tenant_id, ownership }) => ownership !== 'contested' && tenant_id !== principal.tenantId,
    )
    if (holder?.ownership === 'verified') throw new Problem('number_held')
    // Given up by one and taken by the other in one transaction: there is no moment at which it is nobody's.
    const verified = await db.inTenant(principal, async tx => {
      if (holder !== undefined) await contest(tx, holder, now)
      await enter(tx, principal)
      await lockUnproven(tx, principal, numberId)
      const row = await setOwnership(tx, principal, numberId, 'verified', isoMs(now))
      // Somebody added it, or proved it, in between.
      if (row === undefined) throw new Problem('number_held')
      await removeVerification(tx, principal, numberId)
      await emitChange(tx, principal, { type: 'number.verified', resourceId: numberId, record: presentNumber(row) })
      const targets = [{ type: 'number', id: numberId }]
      await recordAudit(tx, principal, { action: 'number.verified', targets, after: presentNumber(row) }, asked)
      return row
    })
    for (const { tenant_id } of claims) forgetDirectory(db, tenant_id)
    return presentNumber(verified)
  },
})

function wrongCode(triesLeft: number): Problem {
  const message =
    triesLeft === 0
      ? 'is not the code that was sent; ask for a new one'
      : `is not the code that was sent; ${triesLeft} more ${triesLeft === 1 ? 'try' : 'tries'}, then ask for a new one`
  return new Problem('number_verification_wrong_code', { details: [{ field: 'code', code: 'wrong_code', message }] })
}

/** The number of an organization that never proved it, another has; unless it is proved, or gone, by now. The transaction is that one's then. */
async function contest(tx: Tx, holder: NumberClaim, nowMs: number): Promise<void> {
  const scope = { tenantId: holder.tenant_id, organizationId: holder.organization_id }
  await enter(tx, scope)
  const held = await numbers.lock(tx, scope, holder.id)
  if (held?.ownership !== 'unverified') return
  const row = await setOwnership(tx, scope, holder.id, 'contested', isoMs(nowMs))
  if (row === undefined) return
  await emit(tx, scope, { type: 'number.contested', resourceId: holder.id, data: presentNumber(row) })
}

export const endpoints = [sendNumberCode, confirmNumber]
