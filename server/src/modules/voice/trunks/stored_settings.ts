// Settings of a trunk on their way into its row and out again: checked as a whole, secrets sealed for the one trunk.
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { Services } from '../../../kernel/endpoint.ts'
import { routeFaults } from '../../../kernel/prefix_routes.ts'
import { invalid } from '../../../kernel/problem.ts'
import {
  completeSettings,
  mergedSettings,
  openSecrets,
  partSettings,
  readableSecrets,
  type SecretPlace,
  type Settings,
  sealSecrets,
} from '../../../kernel/settings.ts'
import type { Route } from './rules.ts'
import { settingsSchema } from './schemas.ts'
import { passwordPlace, sentSecrets, type TrunkSettings, trunkFaults } from './settings.ts'
import { findTrunk, type TrunkRow } from './store.ts'

const placeOf = (pepper: Buffer, { tenantId }: Scope, id: string): SecretPlace => ({
  pepper,
  purpose: 'trunks',
  tenantId,
  id,
})

/** @throws Problem `validation_failed` naming the fields below `settings` and `routes` */
export function checkTrunk(settings: Settings | undefined, routes: readonly Route[] | undefined): void {
  // Settings arrive checked by their schema and complete.
  const faults = settings === undefined ? [] : trunkFaults(settings as TrunkSettings)
  const named = faults.map(fault => ({ ...fault, field: `settings.${fault.field}` }))
  const all = [...named, ...routeFaults(routes ?? [])]
  if (all.length > 0) throw invalid(...all)
}

/** Settings as they are stored. */
export function sealedSettings({ pepper }: Pick<Services, 'pepper'>, scope: Scope, id: string, settings: Settings) {
  const { open, secret } = partSettings(settingsSchema, settings)
  return {
    settings: open,
    secrets: sealSecrets(placeOf(pepper, scope, id), secret),
    secrets_set: Object.keys(secret),
  }
}

/**
 * The stored settings, secrets included, with those of the patch in their place.
 * @throws Problem `validation_failed` for secrets that must be entered again
 */
export function settingsWith(
  { pepper }: Pick<Services, 'pepper'>,
  scope: Scope,
  row: TrunkRow,
  patch: Settings,
): Settings {
  const secrets = readableSecrets(placeOf(pepper, scope, row.id), row.secrets)
  const known = completeSettings(settingsSchema, { ...row.settings, ...secrets })
  return mergedSettings({ known, patch, secrets: row.secrets_set, place: passwordPlace, sent: sentSecrets })
}

/** A trunk as the process that carries calls needs it. */
export type OpenTrunk = {
  id: string
  name: string
  routes: readonly Route[]
  settingsVersion: number
  /** With secrets; why there are none, in a sentence fit to be shown, when they cannot be read. */
  settings: TrunkSettings | string
}

/** A trunk that is switched on; undefined when it is not, or is gone. */
export async function openTrunk(
  { pepper }: Pick<Services, 'pepper'>,
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<OpenTrunk | undefined> {
  const row = await findTrunk(tx, scope, id)
  if (row === undefined || !row.enabled) return undefined
  const { name, routes, settings_version: settingsVersion } = row
  return { id, name, routes, settingsVersion, settings: openSettings(pepper, scope, row) }
}

function openSettings(pepper: Buffer, scope: Scope, row: TrunkRow): TrunkSettings | string {
  try {
    const secrets = openSecrets(placeOf(pepper, scope, row.id), row.secrets)
    return completeSettings(settingsSchema, { ...row.settings, ...secrets }) as TrunkSettings
  } catch {
    return 'The stored passwords cannot be read by this server. Enter them again.'
  }
}
