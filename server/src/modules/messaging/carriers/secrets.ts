// The settings that are never shown: sealed for their carrier, so that neither a look into the database nor a row moved to
// another place gives them away.
import { createSeal } from '../../../kernel/seal.ts'
import type { Settings } from './kind.ts'

const purpose = 'carriers'
const placeOf = (tenantId: number, carrierId: string) => `${tenantId} ${carrierId}`

/** Null when there is nothing to seal. */
export function sealSecrets(pepper: Buffer, tenantId: number, carrierId: string, secrets: Settings): string | null {
  if (Object.keys(secrets).length === 0) return null
  return createSeal(pepper, purpose).close(placeOf(tenantId, carrierId), JSON.stringify(secrets))
}

/** @throws when they were sealed by another installation or for another carrier */
export function openSecrets(pepper: Buffer, tenantId: number, row: { id: string; secrets: string | null }): Settings {
  if (row.secrets === null) return {}
  return JSON.parse(createSeal(pepper, purpose).open(placeOf(tenantId, row.id), row.secrets)) as Settings
}

/** The same, but none where they cannot be opened. */
export function readableSecrets(
  pepper: Buffer,
  tenantId: number,
  row: { id: string; secrets: string | null },
): Settings {
  try {
    return openSecrets(pepper, tenantId, row)
  } catch {
    return {}
  }
}
