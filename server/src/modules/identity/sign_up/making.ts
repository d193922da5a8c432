// What makes an organization for who asked for it by themselves: for somebody new, or for an account that has one already.

import type { Principal } from '../../../kernel/access/principal.ts'
import { type Asked as Request, recordAudit } from '../../../kernel/audit/record.ts'
import { constraintOf, type Scope, type Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { enter, makeOrganization, makeOwner } from '../organizations/index.ts'
import { knownSignUpMail, signUpMail } from './mails.ts'
import {
  codeHashOf,
  findSignUpMail,
  isCodeGood,
  lockOwner,
  reviveAccount,
  type SignUpRow,
  useCode,
  useSignUp,
} from './store.ts'

/** Most organizations that an account makes by itself, and mails a day of one that no operator let in. */
const maxOwned = 3
const mailsPerDay = 50
const mailsAnAddress = 5

/** @throws Problem `sign_up_closed`, `organization_code_refused` */
export async function requireMode(
  { organizations, db }: Services,
  code: string | undefined,
  nowMs: number,
): Promise<void> {
  if (organizations.signUp === 'closed') throw new Problem('sign_up_closed')
  if (code === undefined ? organizations.signUp === 'invite' : !(await isCodeGood(db, code, nowMs)))
    throw new Problem('organization_code_refused')
}

/** Writes to the address: the link, or that it has an account. */
export async function sendSignUpMail(
  services: Services,
  { token, email, name, organization }: { token: string; email: string; name: string; organization: string },
): Promise<void> {
  const address = services.ownAddress()
  if (address === undefined) return services.log.warn('no mail of a sign-up: set TANDEM_PUBLIC_URL')
  const found = await findSignUpMail(services.db, token, mailsAnAddress)
  if (found === undefined) return
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  await services.db.inTenant(scope, async tx => {
    if (found.is_known) {
      const data = { url: `${address}/login` }
      await queueMail(tx, scope, { template: knownSignUpMail, to: { address: email }, data })
    } else {
      const data = { name, company: organization, url: `${address}/sign-up#${token}` }
      await queueMail(tx, scope, { template: signUpMail, to: { address: email, name }, data })
    }
  })
  services.wake(mailQueue)
}

export type Made = { organizationId: number; userId: number; email: string }
type From = { asked: Request; nowMs: number }

/** The account and its organization, all at once or not at all. @throws Problem `link_expired`, `organization_code_refused` */
export async function signUp(
  { db }: Services,
  token: string,
  found: SignUpRow,
  hash: string,
  { asked, nowMs }: From,
): Promise<Made> {
  const { email, name, organization, code_hash } = found
  try {
    return await db.outside(async tx => {
      if (!(await useSignUp(tx, token, nowMs))) throw new Problem('link_expired')
      await reviveAccount(tx, found, hash)
      const owner = { email, name, hash, isTemporary: false, isVerified: true, byHolder: true }
      return make(tx, { name: organization, codeHash: code_hash, owner }, { asked, nowMs })
    })
  } catch (error) {
    // Somebody made an account of the address at this very moment.
    if (constraintOf(error) === 'accounts_email_key') throw new Problem('link_expired')
    throw error
  }
}

/** One more for an account. @throws Problem `email_not_verified`, `too_many_organizations`, `organization_code_refused` */
export async function makeAnother(
  tx: Tx,
  principal: Principal,
  { name, code }: { name: string; code: string | undefined },
  from: From,
): Promise<Made> {
  const { owned, is_verified, email, name: person } = await lockOwner(tx, principal.person!.accountId)
  // With a code an operator answers for who it is.
  if (!is_verified && code === undefined) throw new Problem('email_not_verified')
  if (owned >= maxOwned) throw new Problem('too_many_organizations')
  const owner = { email, name: person, hash: null, isTemporary: false, isVerified: false, byHolder: true }
  const made = await make(tx, { name, codeHash: codeHashOf(code), owner }, from)
  // What the request keeps about itself belongs to the organization it was sent in.
  await enter(tx, principal)
  return made
}

type Wanted = { name: string; codeHash: Buffer | null; owner: Parameters<typeof makeOwner>[2] }

async function make(tx: Tx, { name, codeHash, owner }: Wanted, { asked, nowMs }: From): Promise<Made> {
  const made = await makeOrganization(tx, {
    name,
    timeZone: 'UTC',
    currency: 'USD',
    defaultCountry: null,
    mailsPerDay: codeHash === null ? mailsPerDay : null,
  })
  const organizationId = made.organization_id
  if (codeHash !== null && !(await useCode(tx, codeHash, organizationId, nowMs)))
    throw new Problem('organization_code_refused')
  const { user_id: userId } = await makeOwner(tx, organizationId, owner)
  const scope: Scope = { organizationId, tenantId: made.live_tenant_id }
  await enter(tx, scope)
  const by = { organizationId, type: 'user', id: userId, name: owner.email } as const
  const targets = [{ type: 'organization', id: organizationId }]
  await recordAudit(tx, by, { action: 'organization.created', targets, after: { name } }, asked)
  return { organizationId, userId, email: owner.email }
}
