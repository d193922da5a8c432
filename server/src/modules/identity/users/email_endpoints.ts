// Another e-mail address for the own account: confirmed at the new one, by the person who asked, and undone from the old one within a week.
import { Type } from 'typebox'
import { recordAudit } from '../../../kernel/audit/record.ts'
import { type Context, endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { findOwnAccount } from '../login/index.ts'
import { inLiveMode } from '../notices/index.ts'
import { addressTakenMail, changeEmailMail, emailChangedMail, emailUndoneMail } from './email_mails.ts'
import { findEmailUndo, isAccountAddress, keepEmailChange, takeEmailChange, undoEmailChange } from './email_store.ts'
import { presentUser } from './present.ts'
import { findUser } from './store.ts'

const dayMs = 86_400_000
const confirmMs = dayMs
const undoMs = 7 * dayMs
const sampleToken = 'Zk1lWm5zYW1wbGV0b2tlbm9mYW1haWwtc2FtcGxldG9r'
const Token = Type.String({ minLength: 1, maxLength: 100, description: 'What is behind the # of the link.' })
const Reply = Type.Object({ email: Type.String({ description: 'Of the account, from now on.' }) })

const own = { version: 'v2', category: 'User', envelope: 'data' } as const

export const changeEmail = endpoint({
  ...own,
  id: 'account.change_email',
  method: 'POST',
  path: '/users/me/email',
  name: 'Request another e-mail address',
  description:
    'Sends a mail with a link to the new address, good for a day and once; the account changes when the person who asks opens it. The ' +
    'answer is the same for an address that has an account already, which gets a mail that says so. At most five an hour.',
  permission: 'profile:update',
  personOnly: true,
  recent: 'factor',
  whileSuspended: true,
  idempotent: false,
  bodyLimit: 4_096,
  audit: 'account.email_change_requested',
  body: Type.Object({ email: Email }),
  reply: Type.Object({ sentTo: Type.String({ description: 'Where the mail goes.' }) }),
  sample: { body: { email: 'grace@new.example' }, reply: { sentTo: 'grace@new.example' } },
  async handle(context) {
    const { tx, principal, body, now, services } = context
    const { accountId } = principal.person!
    const email = accountEmail(body.email)
    const account = await findOwnAccount(tx, accountId)
    if (email.toLowerCase() === account.email.toLowerCase()) {
      throw invalid({ field: 'email', code: 'not_allowed', message: 'is the address that the account has' })
    }
    const token = randomToken(32)
    const link = { accountId, address: email, token, nowMs: now, untilMs: now + confirmMs }
    const data = { name: account.name, email, url: linkOf(services, 'confirm-email', token) }
    if (await keepEmailChange(tx, link)) {
      const template = (await isAccountAddress(tx, email)) ? addressTakenMail : changeEmailMail
      await send(context, { template, to: { address: email, name: account.name }, data })
    }
    context.audited({ targets: [{ type: 'user', id: principal.userId }] })
    return { sentTo: email }
  },
})

export const confirmEmail = endpoint({
  ...own,
  id: 'account.confirm_email',
  method: 'POST',
  path: '/users/me/email/confirm',
  name: 'Confirm another e-mail address',
  description:
    'Takes the token of the mail that went to the new address, which is behind the # of its link, of the person who asked for it. The ' +
    'address before gets a mail with a link that undoes it, good for seven days. Links to passwords that wait are of no use any more.',
  permission: 'profile:update',
  personOnly: true,
  whileSuspended: true,
  idempotent: false,
  bodyLimit: 4_096,
  audit: 'account.email_changed',
  body: Type.Object({ token: Token }),
  reply: Reply,
  problems: ['link_expired', 'email_taken'],
  sample: { body: { token: sampleToken }, reply: { email: 'grace@new.example' } },
  async handle(context) {
    const { tx, principal, body, now, services, afterCommit } = context
    const { accountId } = principal.person!
    const undoToken = randomToken(32)
    const sent = { accountId, token: body.token, undoToken, nowMs: now, undoUntilMs: now + undoMs }
    const changed = await takeEmailChange(tx, sent)
    if (changed === undefined) throw new Problem('link_expired')
    const { before, after } = changed
    const user = await findUser(tx, principal, principal.userId)
    if (user === undefined) throw new Problem('token_revoked')
    const { name } = user
    const data = { name, before, after, url: linkOf(services, 'undo-email', undoToken) }
    await send(context, { template: emailChangedMail, to: { address: before, name }, data })
    const record = presentUser(user)
    await emitChange(tx, principal, {
      type: 'user.updated',
      resourceId: user.id,
      record,
      change: { email: after },
      before: { ...record, email: before },
    })
    afterCommit(() => services.authenticator.forget())
    return { email: after }
  },
})

export const undoEmail = endpoint({
  id: 'auth.undo_email_change',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/email-changes/undo',
  name: 'Revoke a change of e-mail address',
  description:
    'Takes the token of the mail that went to the address before, within seven days of the change: the account has that address again, ' +
    'and all its sessions end, on every node within two seconds. Then set another password.',
  permission: 'public',
  bodyLimit: 4_096,
  audit: 'account.email_change_undone',
  body: Type.Object({ token: Token }),
  reply: Reply,
  envelope: 'data',
  transaction: 'none',
  problems: ['link_expired', 'email_taken'],
  sample: { body: { token: sampleToken }, reply: { email: 'grace@example.com' } },
  async handle({ body, now, asked, services }) {
    const found = await findEmailUndo(services.db, body.token, now)
    if (found === undefined) throw new Problem('link_expired')
    const { organization_id: organizationId, tenant_id: tenantId, user_id: userId, address: email, name } = found
    const scope = { organizationId, tenantId, person: { accountId: found.account_id } }
    await services.db.inTenant(scope, async tx => {
      if (!(await undoEmailChange(tx, body.token, now))) throw new Problem('link_expired')
      await queueMail(tx, scope, { template: emailUndoneMail, to: { address: email, name }, data: { name } })
      const by = { organizationId, type: 'user', id: userId, name: email } as const
      const targets = [{ type: 'user', id: userId }]
      await recordAudit(tx, by, { action: 'account.email_change_undone', targets }, asked)
    })
    services.authenticator.forget()
    services.wake(mailQueue)
    return { email }
  },
})

function linkOf({ ownAddress }: Pick<Services, 'ownAddress'>, page: string, token: string): string {
  const address = ownAddress()
  return address === undefined ? '' : `${address}/${page}#${token}`
}

async function send(
  { tx, principal, services, afterCommit }: Context<unknown, unknown, unknown>,
  mail: Parameters<typeof queueMail>[2],
): Promise<void> {
  await inLiveMode(tx, principal, live => queueMail(tx, live, mail))
  afterCommit(() => services.wake(mailQueue))
}

export const endpoints = [changeEmail, confirmEmail, undoEmail]
