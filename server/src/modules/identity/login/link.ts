// Logging in by the link of a mail, where the organization allows it: in the browser that asked for it only, and beside any second factor.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailTemplate, queueMail } from '../../mail/mails/index.ts'
import { mailQueue } from '../notices/index.ts'
import { findOffered, findSignIn, keepSignIn, takeSignIn } from './link_store.ts'
import { type From, openLogin } from './opening.ts'
import type { LoggedIn, Mode } from './session.ts'
import { findMember } from './store.ts'

const goodForMs = 10 * 60_000

export const signInMail = mailTemplate({
  key: 'sign_in_link',
  about: 'To somebody who wants to log in by a mail: the link, good for ten minutes in the browser that asked.',
  stream: 'security',
  subject: 'Your link to log in',
  text:
    'Hello {{ name }},\n\nopen this within ten minutes, in the browser that asked for it, to log in:\n\n{{ url }}\n\nIf you did not ask for ' +
    'it, there is nothing to do: it works in no other browser.\n\n{{ organization.name }}',
  sample: { name: 'Grace Hopper', url: 'https://crm.example.com/sign-in#EXAMPLE' },
})

/** Whether anybody of this server could log in so. Of all its organizations at once: it says nothing of an address. */
export async function offersLinks(services: Services): Promise<boolean> {
  if (services.ownAddress() === undefined) return false
  return findOffered(services.db)
}

/**
 * Sends the mail, behind the answer: writing one takes longer than not writing one.
 * @param browser what only the browser that asks can show again
 */
export function sendLink(
  services: Services,
  { email, browser, nowMs }: { email: string; browser: string; nowMs: number },
): void {
  void mailLink(services, accountEmail(email), browser, nowMs).catch(err =>
    services.log.error({ err }, 'no link to log in'),
  )
}

async function mailLink(services: Services, email: string, browser: string, nowMs: number): Promise<void> {
  const address = services.ownAddress()
  if (address === undefined) return services.log.warn('no link to log in: set TANDEM_PUBLIC_URL')
  const found = await findSignIn(services.db, email)
  if (found === undefined) return
  const { account_id: accountId, organization_id: organizationId, user_id: userId, name } = found
  const token = randomToken(32)
  const scope = { organizationId: found.mail_organization_id, tenantId: found.mail_tenant_id }
  await services.db.inTenant(scope, async tx => {
    const link = { accountId, organizationId, userId, token, browser, nowMs, untilMs: nowMs + goodForMs }
    if (!(await keepSignIn(tx, link))) return
    await queueMail(tx, scope, {
      template: signInMail,
      to: { address: found.email, name },
      data: { name, url: `${address}/sign-in#${token}` },
      ...(found.locale === null ? {} : { locale: found.locale }),
    })
  })
  services.wake(mailQueue)
}

export type LinkLogin = { token: string; browser: string; modes: readonly Mode[]; from: From; nowMs: number }

/**
 * Opens one session a mode, in their order.
 * @throws Problem `link_expired`, and those of `openLogin`
 */
export async function logInByLink(
  services: Services,
  { token, browser, modes, from, nowMs }: LinkLogin,
): Promise<LoggedIn> {
  const taken = await takeSignIn(services.db, { token, browser, nowMs })
  if (taken === undefined) throw new Problem('link_expired')
  const { account_id: accountId, organization_id: organizationId, user_id: userId } = taken
  const scope = { organizationId, tenantId: 0, person: { accountId } }
  const account = await services.db.inTenant(scope, tx => findMember(tx, scope, userId))
  if (account === undefined || account.disabled) throw new Problem('link_expired')
  // What a mail brings is one factor (RFC 8176 has no word for it but this): never the second.
  const opened = await openLogin(services, { account, modes, from, nowMs, amr: ['otp'], isStrong: false })
  if (opened === undefined) throw new Problem('link_expired')
  return opened
}
