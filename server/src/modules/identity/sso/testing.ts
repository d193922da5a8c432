// A test of a connection: what the login of the person who runs it would come to, step by step and in plain words. It opens nothing.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isEmail } from '../../../kernel/values/email.ts'
import {
  type ConnectionRow,
  connections,
  isStrong,
  nextStatus,
  roleOf,
  type TestStep,
  verifiedEmail,
} from '../connections/index.ts'
import { asciiAddress, domainOf, speaksFor } from '../domains/index.ts'
import type { Explained } from './faults.ts'
import { findByAddress, findPerson } from './identities_store.ts'
import type { Claims } from './provider.ts'

const ok = (step: string, text: string): TestStep => ({ step, outcome: 'ok', text })
const note = (step: string, text: string): TestStep => ({ step, outcome: 'note', text })
const wrong = (step: string, text: string): TestStep => ({ step, outcome: 'wrong', text })

const path = [
  ['document', 'The document of the provider was found, and names the same issuer.'],
  ['answer', 'The person came back to the same browser, with the answer to what was asked (state, issuer).'],
  ['token', 'The provider took the code, client id, secret and PKCE.'],
  ['id_token', 'The ID token is signed by a key of the provider, for this application and this login (aud, nonce).'],
] as const

/** The log of a test that came to a fault: what went well before it, and the fault. */
export function failedLog({ step, text }: Explained): TestStep[] {
  const at = path.findIndex(([name]) => name === step)
  return [...path.slice(0, Math.max(at, 0)).map(([name, said]) => ok(name, said)), wrong(step, text)]
}

/** The log of a test in which the provider said who somebody is. */
export async function passedLog(
  tx: Tx,
  scope: Scope,
  connection: ConnectionRow,
  { claims, testedBy }: { claims: Claims; testedBy: number },
): Promise<TestStep[]> {
  const before = path.map(([name, said]) => ok(name, said))
  return [
    ...before,
    ...(await aboutAddress(tx, scope, { connection, claims, testedBy })),
    ...aboutRights(connection, claims),
  ]
}

async function aboutAddress(
  tx: Tx,
  scope: Scope,
  { connection, claims, testedBy }: { connection: ConnectionRow; claims: Claims; testedBy: number },
): Promise<TestStep[]> {
  const { email } = claims
  if (typeof email !== 'string' || !isEmail(email))
    return [wrong('email', 'The ID token has no claim email. Have the provider put it there (scope email).')]
  if (verifiedEmail(connection, claims) === undefined) {
    const said = claims['email_verified']
    const what = said === undefined ? 'does not say email_verified' : `says email_verified: ${JSON.stringify(said)}`
    const hint = connection.issuer.startsWith('https://login.microsoftonline.com/')
      ? 'Add the optional claims email and xms_edov to the ID token of the application.'
      : 'Only the value true, without quotes, counts.'
    return [wrong('email', `The ID token ${what}. Nobody is linked by an address that is not verified. ${hint}`)]
  }
  const address = asciiAddress(email)
  if (!(await speaksFor(tx, scope, address)))
    return [
      ok('email', `The address ${email} is verified.`),
      wrong('domain', `${domainOf(address)} is no verified domain of the organization. Add it, and verify it.`),
    ]
  const known = [
    ok('email', `The address ${email} is verified.`),
    ok('domain', `${domainOf(address)} is a verified domain.`),
  ]
  const [member, tester] = [await findByAddress(tx, scope, address), await findPerson(tx, scope, testedBy)]
  if (member !== undefined && member.id === tester?.id) return [...known, ok('member', 'That is your own account.')]
  if (member !== undefined && !member.removed) {
    if (member.disabled)
      return [...known, note('member', `${email} is a member who is disabled, and would not get in.`)]
    return [...known, note('member', `${email} is a member, but not you: the provider knows you by another address.`)]
  }
  const text = connection.creates_members
    ? `${email} is no member, and would become one.`
    : `${email} is no member, and would not get in: new members are not created.`
  return [...known, note('member', text)]
}

function aboutRights(connection: ConnectionRow, claims: Claims): TestStep[] {
  const steps: TestStep[] = []
  const { role_claim, strong_methods, default_role } = connection
  if (role_claim !== null) {
    const role = roleOf(connection, claims)
    const otherwise = `No rule fits the claim ${role_claim}. Members keep their role, and new ones become ${default_role}.`
    steps.push(
      role === undefined ? note('role', otherwise) : ok('role', `The claim ${role_claim} gives the role ${role}.`),
    )
  }
  const said = [claims['amr'], claims['acr']].flat().filter(one => typeof one === 'string')
  const how = said.length === 0 ? 'does not say how the person was proved' : `says ${said.join(', ').slice(0, 200)}`
  if (isStrong(connection, claims))
    steps.push(ok('second_factor', `The provider ${how}: no other factor is asked for.`))
  else if (strong_methods.length > 0)
    steps.push(note('second_factor', `The provider ${how}: a second factor is asked for.`))
  return steps
}

/** Keeps the log; a connection that passed can be switched on. The row is locked. */
export async function keepLog(
  tx: Tx,
  scope: Scope,
  row: ConnectionRow,
  { log, testedBy, nowMs }: { log: readonly TestStep[]; testedBy: number; nowMs: number },
): Promise<ConnectionRow> {
  const passed = log.every(({ outcome }) => outcome !== 'wrong')
  const values = {
    test_log: log,
    tested_at: new Date(nowMs).toISOString(),
    tested_by: testedBy,
    status: (passed ? nextStatus(row.status, 'tested') : undefined) ?? row.status,
  }
  return connections.change(tx, scope, row.id, values, nowMs)
}
