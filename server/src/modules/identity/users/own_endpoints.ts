// What people change of their own account: name, language, password.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { listFactors } from '../factors/index.ts'
import {
  changeOwnAccount,
  changeOwnPassword,
  confirmPassword,
  endLogins,
  findOwnAccount,
  forgetStrangers,
  hashPassword,
  type OwnAccount,
  passwordChangedNotice,
  passwordMaxLength,
  refuseWeakOwn,
} from '../login/index.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { findPasswordMin } from '../security/index.ts'
import { Name, presentUser } from './present.ts'
import { findUser } from './store.ts'

const Account = Type.Object({
  email: Type.String(),
  emailVerified: Type.Boolean({ description: 'Whether the address was shown to be theirs.' }),
  name: Type.String(),
  locale: Nullable(
    Type.String({
      description:
        'Language of the portal and of mails, as BCP 47 has it; null for that of the browser, and of the product.',
    }),
  ),
  hasPassword: Type.Boolean(),
  passwordChangedAt: Nullable(Timestamp),
  passwordEndsAt: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when a password that the server made logs in; null of one of their own.',
    }),
  ),
})

const sampleAccount: Static<typeof Account> = {
  email: 'grace@example.com',
  emailVerified: true,
  name: 'Grace Hopper',
  locale: 'en',
  hasPassword: true,
  passwordChangedAt: '2026-11-21T08:44:00.123Z',
  passwordEndsAt: null,
}

function presentAccount(account: OwnAccount) {
  return {
    email: account.email,
    emailVerified: account.email_verified_at !== null,
    name: account.name,
    locale: account.locale,
    hasPassword: account.password_hash !== null,
    passwordChangedAt: account.password_changed_at,
    passwordEndsAt: account.password_ends_at,
  }
}

export const getAccount = endpoint({
  id: 'account.get',
  version: 'v2',
  category: 'User',
  method: 'GET',
  path: '/users/me/account',
  name: 'Get the own account',
  description: 'The account of the person who is logged in: one, whatever organizations they are a member of.',
  permission: 'profile:read',
  whileSuspended: true,
  personOnly: true,
  reply: Account,
  envelope: 'data',
  sample: { reply: sampleAccount },
  async handle({ tx, principal: { person } }) {
    return presentAccount(await findOwnAccount(tx, person!.accountId))
  },
})

export const updateMe = endpoint({
  id: 'account.update',
  version: 'v2',
  category: 'User',
  method: 'PATCH',
  path: '/users/me',
  audit: 'account.updated',
  name: 'Update the own account',
  description:
    'Changes the name by which all organizations of the person know them, or their language: of the portal, and of mails to them.',
  permission: 'profile:update',
  whileSuspended: true,
  personOnly: true,
  body: Type.Object({
    name: Type.Optional(Name),
    locale: Type.Optional(
      Nullable(
        Type.String({ pattern: '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47: de-AT.' }),
      ),
    ),
  }),
  reply: Account,
  envelope: 'data',
  sample: { body: { name: 'Grace Hopper' }, reply: sampleAccount },
  async handle({ tx, principal, body }) {
    const { accountId } = principal.person!
    await changeOwnAccount(tx, accountId, body.name === undefined ? body : { ...body, name: body.name.trim() })
    const [account, user] = [await findOwnAccount(tx, accountId), await findUser(tx, principal, principal.userId)]
    if (user === undefined) throw new Problem('token_revoked')
    const record = presentUser(user)
    await emitChange(tx, principal, { type: 'user.updated', resourceId: user.id, record, change: body })
    return presentAccount(account)
  },
})

export const changePassword = endpoint({
  id: 'account.change_password',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/users/me/password',
  audit: 'user.password_changed',
  name: 'Change the own password',
  description:
    'Sets another password, with the present one. It has at least 15 characters, or 10 where the account has a second ' +
    'factor. Ends all other sessions of the account, unless `endOtherSessions` is false.',
  permission: 'profile:update',
  whileSuspended: true,
  recent: 'factor',
  personOnly: true,
  // A repeat would bring the password that was.
  idempotent: false,
  bodyLimit: 4_096,
  body: Type.Object({
    currentPassword: Type.String({ minLength: 1, maxLength: passwordMaxLength }),
    newPassword: Type.String({ minLength: 1, maxLength: passwordMaxLength }),
    endOtherSessions: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether all other sessions end; true when left out.' }),
    ),
  }),
  reply: Type.Object({ endedSessions: Type.Integer({ description: 'How many other logins this ended.' }) }),
  envelope: 'data',
  transaction: 'none',
  problems: ['wrong_password', 'weak_password', 'login_throttled'],
  sample: {
    body: { currentPassword: 'correct horse battery staple', newPassword: 'seven brass lanterns drift' },
    reply: { endedSessions: 1 },
  },
  async handle({ transact, principal, body, now, ip, asked: request, services, afterCommit }) {
    const person = principal.person!
    const { currentPassword, newPassword, endOtherSessions = true } = body
    const asked = { password: currentPassword, ip, nowMs: now, field: 'currentPassword' }
    const account = await confirmPassword(services, { ...principal, person }, asked)
    const [factors, least] = await services.db.inTenant(
      { ...principal, person },
      async tx => [await listFactors(tx, person.accountId), await findPasswordMin(tx, person.accountId)] as const,
    )
    const { email, name } = account
    const owner = { email, names: [name], hasSecondFactor: factors.length > 0, asked: least }
    await refuseWeakOwn(services, newPassword, owner, 'newPassword')
    const hash = await hashPassword(newPassword)
    await forgetStrangers(services, person.accountId)
    return transact(async tx => {
      await changeOwnPassword(tx, person.accountId, hash)
      const said = { notice: passwordChangedNotice, to: account, asked: request, nowMs: now }
      await notify(tx, services, principal, said)
      afterCommit(() => services.wake(mailQueue))
      if (!endOtherSessions) return { endedSessions: 0 }
      afterCommit(() => services.authenticator.forget())
      return { endedSessions: await endLogins(tx, person.accountId, { but: person.loginId }) }
    })
  },
})

export const endpoints = [getAccount, updateMe, changePassword]
