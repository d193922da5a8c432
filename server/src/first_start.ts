// The first start: makes the organization with its live and test tenant, its Admin and two keys, and says so once.
import type { Config } from './config/config.ts'
import type { Demo } from './demo/demo.ts'
import { demoLines } from './demo/report.ts'
import { asEngine, type Instance } from './kernel/boot/instance.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import type { Log } from './kernel/observe/log.ts'
import { randomToken } from './kernel/values/ids.ts'
import { startFault } from './kernel/values/start_fault.ts'
import { knownPasswordsFile, openKnownPasswords } from './modules/identity/login/known_passwords.ts'
import { hashPassword } from './modules/identity/login/password.ts'
import { passwordWeakness } from './modules/identity/login/password_rules.ts'
import {
  insertFirstKey,
  insertFirstUser,
  insertOrganization,
} from './modules/identity/organizations/bootstrap_store.ts'

/** So long the password that is printed logs in; by then somebody has set one of their own. As 0054_password_end.sql has it of others. */
const firstPasswordMs = 7 * 86_400_000

export type FirstStart = {
  adminEmail: string
  adminId: string | null
  /** Undefined when the operator chose it. */
  generatedPassword: string | undefined
  liveKey: string
  testKey: string
}

/** Whether there has been a first start. */
export async function hasOrganization(owner: ConnectionOptions): Promise<boolean> {
  const { rowCount } = await asEngine(owner, client => client.query('select 1 from organizations limit 1'))
  return rowCount !== 0
}

/** The rules for passwords are the same for the first Admin, who would else be the one who is easy to guess. */
async function refuseWeak({ adminPassword, adminEmail, dataDir }: Config, log: Log): Promise<void> {
  if (adminPassword === undefined) return
  const isKnown = await openKnownPasswords(knownPasswordsFile(dataDir), log).has(adminPassword)
  const weakness = isKnown ? 'is in a list of passwords that became known' : passwordWeakness(adminPassword, adminEmail)
  if (weakness === undefined) return
  throw startFault(
    `TANDEM_ADMIN_PASSWORD ${weakness}. Set another of 10 to 128 characters, or leave it out: then one is made and printed.`,
  )
}

/** Creates the first organization unless there is one. Several nodes may start at once: one of them does it. */
export async function firstStart(
  owner: ConnectionOptions,
  instance: Instance,
  config: Config,
  { log, nowMs }: { log: Log; nowMs: number },
): Promise<FirstStart | undefined> {
  if (await hasOrganization(owner)) return undefined
  await refuseWeak(config, log)
  const password = config.adminPassword ?? randomToken(18)
  const passwordHash = await hashPassword(password)
  return asEngine(owner, async client => {
    await client.query("select pg_advisory_xact_lock(hashtext('tandem first start'))")
    const { rowCount } = await client.query('select 1 from organizations limit 1')
    if (rowCount !== 0) return undefined
    const ids = await insertOrganization(client, { name: 'My Organization' })
    const { userId, adminId } = await insertFirstUser(client, ids.organizationId, {
      email: config.adminEmail,
      name: 'Administrator',
      role: 'Admin',
      passwordHash,
      passwordEndsAt: config.adminPassword === undefined ? new Date(nowMs + firstPasswordMs) : undefined,
    })
    const key = { organizationId: ids.organizationId, userId }
    const liveKey = await insertFirstKey(client, instance.keyring, {
      ...key,
      tenantId: ids.liveTenantId,
      mode: 'live',
      name: 'First live key',
    })
    const testKey = await insertFirstKey(client, instance.keyring, {
      ...key,
      tenantId: ids.testTenantId,
      mode: 'test',
      name: 'First test key',
    })
    log.info({ organizationId: ids.organizationId }, 'created the first organization')
    return {
      adminEmail: config.adminEmail,
      adminId,
      generatedPassword: config.adminPassword === undefined ? password : undefined,
      liveKey,
      testKey,
    }
  })
}

/**
 * What is printed when the server is ready. Secrets of the first start are printed once; logins of demo data whenever it is
 * asked for.
 */
export function welcome(address: string, first: FirstStart | undefined, demo?: Demo): string {
  const more = ['', ...(demo === undefined ? [] : demoLines(demo))]
  if (first === undefined) return [`Tandem is ready on ${address}`, ...more].join('\n').trimEnd()
  return [
    '',
    `  Tandem is ready on ${address}`,
    '',
    `  Login         ${first.adminEmail}  (or ${first.adminId})`,
    `  Password      ${first.generatedPassword ?? 'the one of TANDEM_ADMIN_PASSWORD'}`,
    `  Live API key  ${first.liveKey}`,
    `  Test API key  ${first.testKey}`,
    '',
    ...(first.generatedPassword === undefined
      ? []
      : ['  The password is good for seven days: set one of your own under Account.']),
    '  Password and keys are shown this once. Open the address in a browser, or send a text message:',
    '',
    `  curl -X POST ${address}/v2/messages/sms \\`,
    `    -H 'Authorization: Bearer ${first.testKey}' \\`,
    "    -H 'Content-Type: application/json' \\",
    `    -d '{"from":"+15005550006","to":"+15005550100","body":"Hello from Tandem"}'`,
    ...more,
  ].join('\n')
}
