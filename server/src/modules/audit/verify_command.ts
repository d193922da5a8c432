// `tandem audit verify <file>`: verifies an export of the audit log on any machine, without a database.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { JWK } from 'jose'
import { type Verdict, verifyExport } from './verify.ts'

export const auditUsage = `Usage: tandem audit verify <file> [--keys <jwks.json>] [--json]

Verifies an export of the audit log (NDJSON). With --keys the signatures must be by one of these keys: keep a copy of the server's
/.well-known/jwks.json for this; without it, those named in the file are taken, and printed for you to compare.

Exit codes: 0 nothing was changed, 1 something was, 2 it cannot be said.`

const maxFaults = 50

/** @returns the exit code: 0 when nothing was changed, 1 when something was, 2 when it cannot be said */
export async function auditCommand(args: readonly string[], print: (line: string) => void): Promise<0 | 1 | 2> {
  const [verb, file, option, keysFile, ...more] = args
  const isAsked = verb === 'verify' && file !== undefined && more.length === 0
  if (!isAsked || (option !== undefined && (option !== '--keys' || keysFile === undefined))) {
    print(auditUsage)
    return 2
  }
  try {
    const trusted = keysFile === undefined ? undefined : await readKeys(keysFile)
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
    const verdict = await verifyExport(lines, trusted)
    for (const line of reportOf(verdict, trusted !== undefined)) print(line)
    return verdict.faults.length === 0 ? 0 : 1
  } catch (error) {
    print(`tandem: ${(error as Error).message}`)
    return 2
  }
}

async function readKeys(file: string): Promise<JWK[]> {
  const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys?: JWK[] }
  if (!Array.isArray(keys)) throw new Error(`${file} is no JWKS: it has no list "keys"`)
  return keys
}

function reportOf(verdict: Verdict, isTrusted: boolean): string[] {
  const { faults, events, seals, erased, complete, organizationId, keys } = verdict
  const counts = `${events} events, ${seals} seals of organization ${organizationId}`
  const signed = isTrusted ? 'signed by the keys given' : `signed by keys named in the file: ${keys.join(', ')}`
  if (faults.length > 0) {
    const shown = faults.slice(0, maxFaults).map(({ line, what }) => `line ${line}: ${what}`)
    const rest = faults.length > maxFaults ? [`and ${faults.length - maxFaults} more`] : []
    return [`NOT AS SEALED: ${counts}, ${signed}`, ...shown, ...rest]
  }
  const scope = complete
    ? 'Nothing was changed, cut out, moved or added since it was sealed.'
    : 'No event in it was changed. It was filtered, so what is not in it cannot be said.'
  return [
    `as sealed: ${counts}, ${signed}`,
    scope,
    ...(erased > 0 ? [`${erased} names and addresses were erased since.`] : []),
  ]
}
