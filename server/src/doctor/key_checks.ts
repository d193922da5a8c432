// What doctor looks at of the keys: who can read the root key, whether it is the one that fits, and whether a rotation was left half-way.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ownFileName, rootKeySource } from '../kernel/boot/root_key.ts'
import type { DatabaseFacts, SecretFacts } from './database_store.ts'
import { type Check, type Finding, type Ground, inTime, ok, problem, warning } from './finding.ts'

const dayMs = 86_400_000
const docs = '(docs/keys.md)'

export const keys: Check = async ({ config, database, nowMs }) => {
  const facts = database.isThere ? database.facts : undefined
  return [
    ...fileFindings(config.rootKeyFile ?? join(config.dataDir, ownFileName)),
    ...(await rootFindings(config, facts)),
    ...(facts === undefined ? [] : secretFindings(facts, config.signingKeyDays, nowMs)),
  ]
}

/** Anyone who reads the file and the database reads everything. */
export function fileFindings(path: string): Finding[] {
  try {
    const mode = statSync(path).mode & 0o777
    if ((mode & 0o077) === 0) return [ok('root key', `${path} is for its owner alone`)]
    return [problem('root key', `others can read ${path} (mode ${mode.toString(8)})`, `chmod 600 ${path}`)]
  } catch {
    return []
  }
}

async function rootFindings(config: Ground['config'], facts: DatabaseFacts | undefined): Promise<Finding[]> {
  const sealers = [...new Set((facts?.secrets ?? []).flatMap(({ sealedBy }) => sealedBy ?? []))]
  try {
    const source = rootKeySource(config)
    const has = (await source.read()).map(({ fingerprint }) => fingerprint)
    const missing = sealers.filter(wanted => !has.includes(wanted))
    if (missing.length === 0) return []
    const words = `the secrets are sealed with the root key ${missing.join(' and ')}, and ${source.place} has ${has.join(' and ') || 'none'}`
    return [problem('root key', words, `Give that key; the next start is refused without it ${docs}.`)]
  } catch (error) {
    return [problem('root key', (error as Error).message.replace(/\.$/, ''), `Correct it: no server starts ${docs}.`)]
  }
}

/** What of the secrets asks for somebody. @param days after which a signing key is replaced by itself */
export function secretFindings({ secrets }: Pick<DatabaseFacts, 'secrets'>, days: number, nowMs: number): Finding[] {
  if (secrets.length === 0) return []
  const plain = secrets.filter(({ sealedBy }) => sealedBy === null)
  const remedy = `Give all nodes one root key, then start them again ${docs}.`
  const kept =
    plain.length > 0
      ? warning('secrets', `${plain.length} of ${secrets.length} secrets lie in the database in plain`, remedy)
      : ok('secrets', 'all are sealed with the root key')
  return [kept, ...ageFindings(secrets, days, nowMs), ...secrets.flatMap(one => unfinished(one, nowMs))]
}

function ageFindings(secrets: readonly SecretFacts[], days: number, nowMs: number): Finding[] {
  const active = secrets.find(({ kind, state }) => kind === 'signing_key' && state === 'active')
  if (active === undefined) return []
  const ageMs = nowMs - (active.activeMs ?? active.createdMs)
  const words = `the key of access tokens is ${inTime(ageMs)} old`
  const limitMs = (days === 0 ? 365 : days + 7) * dayMs
  if (ageMs <= limitMs) return [ok('signing key', words)]
  return [
    warning('signing key', words, `tandem rotate signing; a server with the role worker does it by itself ${docs}.`),
  ]
}

function unfinished({ kind, state, createdMs, dueMs }: SecretFacts, nowMs: number): Finding[] {
  const check = 'rotation'
  const lateMs = dueMs === null ? 0 : nowMs - dueMs
  if (lateMs > 3_600_000)
    return [
      warning(
        check,
        `the ${state} ${kind} has been due for ${inTime(lateMs)}`,
        'See that a server with the role worker runs.',
      ),
    ]
  const again = `Run it again: tandem rotate ${kind.replace('_key', '')}.`
  if (state === 'next' && dueMs === null && nowMs - createdMs > 600_000)
    return [warning(check, `a rotation of the ${kind} was broken off before the next one was used`, again)]
  if (state !== 'retiring' || dueMs !== null) return []
  if (kind === 'sealing_key')
    return [warning(check, 'a rotation of the sealing key was broken off: not all is sealed again', again)]
  return kind === 'pepper'
    ? [
        warning(
          check,
          'an earlier pepper is still accepted',
          'tandem rotate pepper --status says what needs it; --finish ends it.',
        ),
      ]
    : []
}
