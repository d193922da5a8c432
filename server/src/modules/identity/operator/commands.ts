// The command line of those who run the installation: what the console does, and what helps when nobody can log in.
import { parseArgs } from 'node:util'
import type { Operator, OperatorLevel } from '../../../kernel/access/operator.ts'
import { operatorLevels } from '../../../kernel/access/operator.ts'
import { closest } from '../../../kernel/values/closest.ts'
import { isEmail } from '../../../kernel/values/email.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type AccountRow, listAccounts, passwordLink, resetFactors } from './account_acts.ts'
import { type Acting, changeOperator, createOrganization, type Means, moveState } from './acts.ts'
import { makeCode } from './codes.ts'
import { listOrganizations, type OrganizationRow } from './store.ts'

export const organizationsUsage = `Usage: tandem organization <command> [--json]

  list [--state active|suspended|closing|closed]
  create --name <name> --owner-email <e-mail> [--owner-name <name>]
            a new owner gets a link that sets a password; it is printed as well
  invite [--note <text>] [--days <number>]
            prints a code that makes one organization, once, where
            TANDEM_SIGN_UP is invite or open; good for 14 days when not said
  suspend <id> --reason <text>
            people log in, see their own account and the audit log, and export;
            what comes in is kept, nothing is sent, calls are refused
  resume <id>
  close <id> --reason <text>
            it can be read, exported and reopened for TANDEM_CLOSING_DAYS days,
            then it is erased
  reopen <id>

It works beside a server that runs, and without one. Exit codes: 0 done, 1 refused, 2 misspelt.
The same: tandem organizations`

export const accountsUsage = `Usage: tandem accounts <command> [--json]

  list      who has an account: operators, second factors, organizations
  reset-password <e-mail>
            prints a link that sets another password, good for an hour
  reset-factors <e-mail>
            takes away second factors and recovery codes, and ends all sessions
  make-operator <e-mail> [--level support|full|none]
            who may run the installation (full when not said); an operator needs
            a second factor to get in

It works beside a server that runs, and without one. Exit codes: 0 done, 1 refused, 2 misspelt.`

const usages = { organizations: organizationsUsage, accounts: accountsUsage } as const

export type Output = { print(line: string): void; complain(line: string): void }
type Flags = Partial<Record<'json' | 'help', boolean>> &
  Partial<Record<'state' | 'name' | 'owner-email' | 'owner-name' | 'reason' | 'level' | 'note' | 'days', string>>
type Asked = { verb: string | undefined; subject: string | undefined; flags: Flags; isWhole: boolean }

const verbs = {
  organizations: ['list', 'create', 'invite', 'suspend', 'resume', 'close', 'reopen'],
  accounts: ['list', 'reset-password', 'reset-factors', 'make-operator'],
} as const
type Noun = keyof typeof verbs

/** The words taken apart, or what is wrong with them. */
function read(args: readonly string[]): Asked | string {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const options = {
    json: yes,
    help: yes,
    state: text,
    name: text,
    'owner-email': text,
    'owner-name': text,
    reason: text,
    level: text,
    note: text,
    days: text,
  }
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [verb, subject, ...more] = positionals
    return { verb, subject, flags: values as Flags, isWhole: more.length === 0 }
  } catch (error) {
    return (error as Error).message
  }
}

/** What is wrong with words that ask for nothing. */
function faultIn(noun: Noun, { verb, isWhole }: Asked): string {
  const known: readonly string[] = verbs[noun]
  if (verb === undefined) return `say what to do: ${known.join(', ')}.`
  if (known.includes(verb)) {
    const line = usages[noun].split('\n').find(text => text.startsWith(`  ${verb}`))
    return `${verb} is written otherwise${isWhole ? '' : ', with one name behind it'}: ${line?.trim() ?? verb}`
  }
  const meant = closest(verb, known)
  return `there is no "${verb}". ${meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`}`
}

/** Of the machine's own hands: nobody is logged in. */
const by: Operator = { accountId: null, level: 'full', email: 'command line' }
const actingAt = (nowMs: number): Acting => ({ by, asked: { requestId: null, ip: null, userAgent: null }, nowMs })

/** What the words ask for: undefined when they are misspelt. */
type Act = (means: Means, acting: Acting) => Promise<{ result: unknown; lines: string[] }>

/** @returns the exit code */
export async function runCommand(
  noun: Noun,
  args: readonly string[],
  { open, output, nowMs }: { open<T>(work: (means: Means) => Promise<T>): Promise<T>; output: Output; nowMs: number },
): Promise<0 | 1 | 2> {
  const asked = read(args)
  if (typeof asked !== 'string' && (asked.flags.help === true || asked.verb === 'help')) {
    output.print(usages[noun])
    return 0
  }
  const act = typeof asked === 'string' || !asked.isWhole ? undefined : acts[noun](asked)
  if (typeof asked === 'string' || act === undefined) {
    const fault = typeof asked === 'string' ? asked : faultIn(noun, asked)
    output.complain(`tandem: ${fault}\n\n${usages[noun]}`)
    return 2
  }
  try {
    const { result, lines } = await open(means => act(means, actingAt(nowMs)))
    if (asked.flags.json === true) output.print(JSON.stringify(result, null, 2))
    else for (const line of lines) output.print(line)
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    output.complain(
      asked.flags.json === true
        ? JSON.stringify({ code: error.code, message: error.message })
        : `tandem: ${error.message}`,
    )
    return 1
  }
}

const acts = { organizations: organizationAct, accounts: accountAct } as const

function organizationAct({ verb, subject, flags }: Asked): Act | undefined {
  const id = /^[1-9]\d{0,14}$/.test(subject ?? '') ? Number(subject) : undefined
  switch (verb) {
    case 'list':
      return subject === undefined ? means => listed(means, flags.state) : undefined
    case 'create': {
      const { name, 'owner-email': email, 'owner-name': ownerName = email } = flags
      if (!name?.trim() || email === undefined || !isEmail(email) || subject !== undefined) return undefined
      return async (means, acting) => {
        const made = await createOrganization(
          means,
          { name: name.trim(), ownerEmail: email, ownerName: ownerName as string },
          acting,
        )
        const link = made.passwordUrl === null ? [] : [`The owner sets a password at ${made.passwordUrl}`]
        return {
          result: { ...made.organization, passwordUrl: made.passwordUrl },
          lines: [lineOf(made.organization), ...link],
        }
      }
    }
    case 'invite':
      return subject === undefined ? inviting(flags) : undefined
    case 'suspend':
    case 'close':
      return id === undefined || (flags.reason?.trim().length ?? 0) < 3
        ? undefined
        : moving(id, verb, flags.reason as string)
    case 'resume':
    case 'reopen':
      return id === undefined ? undefined : moving(id, verb, flags.reason ?? null)
    default:
      return undefined
  }
}

function inviting({ note, days = '14' }: Flags): Act | undefined {
  const count = /^[1-9]\d{0,2}$/.test(days) ? Number(days) : 0
  if (count < 1 || count > 365 || (note !== undefined && (note.trim() === '' || note.length > 200))) return undefined
  return async ({ db, organizations, ownAddress }, acting) => {
    const made = await makeCode(db, { note: note ?? null, days: count }, acting)
    const where = `${ownAddress() ?? '<address of the server>'}/sign-up`
    const closed = organizations.signUp === 'closed' ? ['Sign-up is closed: set TANDEM_SIGN_UP to invite or open.'] : []
    const lines = [made.code, `Good at ${where} until ${made.expires_at.slice(0, 10)}, once.`, ...closed]
    return { result: { codeId: made.id, code: made.code, note: made.note, expiresAt: made.expires_at }, lines }
  }
}

function moving(id: number, event: 'suspend' | 'resume' | 'close' | 'reopen', reason: string | null): Act {
  return async (means, acting) => {
    const organization = await moveState(means, id, event, reason, acting)
    return { result: organization, lines: [lineOf(organization)] }
  }
}

async function listed({ db }: Means, state: string | undefined) {
  const all: OrganizationRow[] = []
  for (let behind: number | undefined; ; ) {
    const rows = await listOrganizations(db, { state: state as OrganizationRow['state'], behind, limit: 500 })
    all.push(...rows)
    if (rows.length < 500) return { result: all, lines: all.map(lineOf) }
    behind = rows.at(-1)?.id
  }
}

function lineOf({ id, name, state, closes_at, owner_email, members }: OrganizationRow): string {
  const until = closes_at === null ? '' : ` until ${closes_at.slice(0, 10)}`
  return `${String(id).padStart(6)}  ${`${state}${until}`.padEnd(26)}  ${name} (${owner_email ?? 'no owner'}, ${members} members)`
}

function accountAct({ verb, subject, flags }: Asked): Act | undefined {
  if (verb === 'list') return subject === undefined ? listedAccounts : undefined
  if (subject === undefined || !isEmail(subject)) return undefined
  switch (verb) {
    case 'reset-password':
      return async (means, acting) => {
        const link = await passwordLink(means, subject, acting)
        return { result: { link }, lines: [link] }
      }
    case 'reset-factors':
      return async (means, acting) => {
        const removed = await resetFactors(means, subject, acting)
        return {
          result: { removed },
          lines: [`${removed} second factors of ${subject} are gone, and all sessions ended.`],
        }
      }
    case 'make-operator': {
      const level = flags.level ?? 'full'
      if (level !== 'none' && !operatorLevels.includes(level as OperatorLevel)) return undefined
      return async (means, acting) => {
        const wanted = level === 'none' ? null : (level as OperatorLevel)
        const { isVoided, ...account } = await changeOperator(means, subject, wanted, { ...acting, mayBeLast: true })
        const voided = isVoided
          ? [`Others may have known its password, which is void: tandem accounts reset-password ${account.email}`]
          : []
        const text =
          wanted === null ? `${account.email} is no operator.` : `${account.email} is an operator (${wanted}).`
        return { result: { ...account, level: wanted, isVoided }, lines: [text, ...voided] }
      }
    }
    default:
      return undefined
  }
}

async function listedAccounts({ db }: Means) {
  const rows = await listAccounts(db)
  const line = ({ email, name, operator, factors, organizations }: AccountRow) =>
    `${email}  ${name}${operator === null ? '' : `, operator (${operator})`}, ${factors} second factors, in: ${organizations.join(', ') || 'none'}`
  return { result: rows, lines: rows.map(line) }
}
