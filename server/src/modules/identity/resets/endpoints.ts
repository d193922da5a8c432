// A forgotten password: a mail with a link that sets another one, once. It says to nobody whether there is an account, and stands for
// no second factor.
import { Type } from 'typebox'
import { recordAudit } from '../../../kernel/audit/record.ts'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { Email } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { listFactors } from '../factors/index.ts'
import {
  changeOwnPassword,
  endLogins,
  forgetStrangers,
  hashPassword,
  passwordMaxLength,
  refuseWeakOwn,
} from '../login/index.ts'
import { findPasswordMin } from '../security/index.ts'
import { passwordSetMail, resetMail } from './mails.ts'
import { findReset, openReset, takeReset } from './store.ts'

const goodForMs = 30 * 60_000

export const requestReset = endpoint({
  id: 'auth.request_password_reset',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/password-resets',
  name: 'Request a password reset',
  description:
    'Sends a mail with a link that sets another password, good for thirty minutes and once, if the address is that of an account ' +
    'that may log in. The answer is the same, as soon, for every address. At most five an hour for an account.',
  permission: 'public',
  bodyLimit: 4_096,
  body: Type.Object({ email: Email }),
  reply: Type.Object({
    accepted: Type.Literal(true, { description: 'That it was asked for, not that there is such an account.' }),
  }),
  envelope: 'data',
  transaction: 'none',
  sample: { body: { email: 'grace@example.com' }, reply: { accepted: true } },
  async handle({ body, now, services }) {
    // Behind the answer: writing a mail takes longer than not writing one.
    void sendReset(services, accountEmail(body.email), now).catch(err =>
      services.log.error({ err }, 'no password reset'),
    )
    return { accepted: true as const }
  },
})

async function sendReset(services: Services, email: string, nowMs: number): Promise<void> {
  const address = services.ownAddress()
  if (address === undefined) return services.log.warn('no password reset: set TANDEM_PUBLIC_URL')
  const token = randomToken(32)
  const found = await openReset(services.db, { email, token, nowMs, untilMs: nowMs + goodForMs })
  if (found === undefined) return
  const scope = { organizationId: found.organization_id, tenantId: found.tenant_id }
  await services.db.inTenant(scope, tx =>
    queueMail(tx, scope, {
      template: resetMail,
      to: { address: found.email, name: found.name },
      data: { name: found.name, url: `${address}/reset#${token}` },
      ...(found.locale === null ? {} : { locale: found.locale }),
    }),
  )
  services.wake(mailQueue)
}

export const confirmReset = endpoint({
  id: 'auth.reset_password',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/password-resets/confirm',
  name: 'Reset a password',
  description:
    'Takes the token of the mail, which is behind the # of its link, and another password: at least 15 characters, or 10 where the ' +
    'account has a second factor. Logs the person out everywhere; they log in with the new one, and with the second factor as ever.',
  permission: 'public',
  bodyLimit: 4_096,
  audit: 'password.reset',
  body: Type.Object({
    token: Type.String({ minLength: 1, maxLength: 100 }),
    newPassword: Type.String({ minLength: 1, maxLength: passwordMaxLength }),
  }),
  reply: Type.Object({ email: Type.String({ description: 'Of the account, to log in with.' }) }),
  envelope: 'data',
  transaction: 'none',
  problems: ['link_expired', 'weak_password'],
  sample: {
    body: { token: 'Zk1lWm5zYW1wbGV0b2tlbm9mYW1haWwtc2FtcGxldG9r', newPassword: 'seven brass lanterns drift' },
    reply: { email: 'grace@example.com' },
  },
  async handle({ body: { token, newPassword }, now, asked: request, services }) {
    const found = await findReset(services.db, token, now)
    if (found === undefined) throw new Problem('link_expired')
    const { account_id: accountId, organization_id: organizationId, tenant_id: tenantId, email, name } = found
    const scope = { organizationId, tenantId, person: { accountId } }
    const [factors, asked] = await services.db.inTenant(
      scope,
      async tx => [await listFactors(tx, accountId), await findPasswordMin(tx, accountId)] as const,
    )
    const owner = { email, names: [name], hasSecondFactor: factors.length > 0, asked }
    await refuseWeakOwn(services, newPassword, owner, 'newPassword')
    const hash = await hashPassword(newPassword)
    await services.db.inTenant(scope, async tx => {
      if (!(await takeReset(tx, token, now))) throw new Problem('link_expired')
      await changeOwnPassword(tx, accountId, hash)
      await endLogins(tx, accountId, {})
      await queueMail(tx, scope, { template: passwordSetMail, to: { address: email, name }, data: { name } })
      const by = { organizationId, type: 'user', id: found.user_id, name: email } as const
      const targets = [{ type: 'user', id: found.user_id }]
      await recordAudit(tx, by, { action: 'password.reset', targets, more: { how: 'mail' } }, request)
    })
    await forgetStrangers(services, accountId)
    services.authenticator.forget()
    services.wake(mailQueue)
    return { email }
  },
})

export const endpoints = [requestReset, confirmReset]
