// What people are sent when an Admin changes how they log in.
import type { Context } from '../../../kernel/endpoint/endpoint.ts'
import { queueMail } from '../../mail/mails/index.ts'
import { passwordChangedNotice } from '../login/index.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { addressSetMail } from './email_mails.ts'
import type { UserState } from './rules.ts'

type Changing = Pick<
  Context<unknown, unknown, unknown>,
  'tx' | 'principal' | 'asked' | 'now' | 'services' | 'afterCommit'
>

/** Says to the person, at the address before, that an Admin changed how they log in. */
export async function noticeOwner(
  context: Changing,
  before: UserState,
  after: UserState,
  hasNewPassword: boolean,
): Promise<void> {
  const { tx, principal, asked, now, services, afterCommit } = context
  const to = { email: before.email, name: before.name }
  if (hasNewPassword) {
    const said = { notice: passwordChangedNotice, to, detail: ' by an Admin', asked, nowMs: now }
    await notify(tx, services, principal, said)
  }
  if (before.email !== after.email) {
    const data = { name: before.name, before: before.email, after: after.email }
    await queueMail(tx, principal, { template: addressSetMail, to: { address: before.email, name: before.name }, data })
  }
  afterCommit(() => services.wake(mailQueue))
}
