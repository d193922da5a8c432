// Settings of a trunk on their way into its row and out again: checked as a whole, secrets sealed for the one trunk.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { routeFaults } from '../../../kernel/links/prefix_routes.ts'
import {
  completeSettings,
  mergedSettings,
  openSecrets,
  partSettings,
  readableSecrets,
  type SecretPlace,
  type Settings,
  sealSecrets,
} from '../../../kernel/links/settings.ts'
import { unlistedHost } from '../../../kernel/outbound/egress.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { isCurrency } from '../../../kernel/values/money.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import type { KindSettings } from './kind.ts'
import type { Route } from './rules.ts'
import { kindFaults, type TrunkSpec, trunkSpecs } from './specs.ts'
import { findTrunk, type TrunkRow } from './store.ts'

const placeOf = (keyring: Keyring, { tenantId }: Scope, id: string): SecretPlace => ({
  keyring,
  purpose: 'trunks',
  tenantId,
  id,
})

/** @throws Problem `validation_failed` naming the fields below `settings` and `routes` */
export function checkTrunk(
  { faultsOf }: TrunkSpec,
  settings: Settings | undefined,
  routes: readonly Route[] | undefined,
  currency?: string,
): void {
  const faults = settings === undefined ? [] : faultsOf(settings)
  const named = faults.map(fault => ({ ...fault, field: `settings.${fault.field}` }))
  const all = [...named, ...routeFaults(routes ?? [])]
  if (currency !== undefined && !isCurrency(currency))
    all.push({
      field: 'currency',
      code: 'not_allowed',
      message: `${currency} is no currency of ISO 4217; use one, such as EUR`,
    })
  if (all.length > 0) throw invalid(...all)
}

/**
 * Settings to start with, complete.
 * @throws Problem `validation_failed` for what is missing or does not belong to the kind
 */
export function initialSettings(spec: TrunkSpec, settings: Settings): Settings {
  checkForm(spec, 'new', settings)
  return completeSettings(spec.settings, settings)
}

function checkForm(spec: TrunkSpec, form: 'new' | 'change', settings: Settings): void {
  const faults = kindFaults(spec, form, settings)
  if (faults.length > 0) throw invalid(...faults)
}

/** Settings as they are stored. */
export function sealedSettings(
  { keyring }: Pick<Services, 'keyring'>,
  scope: Scope,
  id: string,
  { settings: schema }: TrunkSpec,
  settings: Settings,
) {
  const { open, secret } = partSettings(schema, settings)
  return {
    settings: open,
    secrets: sealSecrets(placeOf(keyring, scope, id), secret),
    secrets_set: Object.keys(secret),
  }
}

/**
 * The stored settings, secrets included, with those of the patch in their place.
 * @throws Problem `validation_failed` for secrets that must be entered again, and for what does not belong to the kind
 */
export function settingsWith(
  { keyring }: Pick<Services, 'keyring'>,
  scope: Scope,
  row: TrunkRow,
  patch: Settings,
): Settings {
  const spec = trunkSpecs[row.kind]
  checkForm(spec, 'change', patch)
  const secrets = readableSecrets(placeOf(keyring, scope, row.id), row.secrets)
  const known = completeSettings(spec.settings, { ...row.settings, ...secrets })
  return mergedSettings({ known, patch, secrets: row.secrets_set, place: spec.place, sent: spec.sent })
}

/** A trunk as the process that carries calls needs it. */
export type OpenTrunk = {
  id: string
  name: string
  routes: readonly Route[]
  /** Of the costs of its routes. */
  currency: string
  settingsVersion: number
  /** With secrets; why there are none, in a sentence fit to be shown, when they cannot be read. */
  opened: KindSettings | string
}

/** A trunk that is switched on; undefined when it is not, or is gone. With `evenOff` one that is switched off too. */
export async function openTrunk(
  { keyring, egress }: Pick<Services, 'keyring' | 'egress'>,
  tx: Tx,
  scope: Scope,
  id: string,
  { evenOff = false }: { evenOff?: boolean } = {},
): Promise<OpenTrunk | undefined> {
  const row = await findTrunk(tx, scope, id)
  if (row === undefined || !(row.enabled || evenOff)) return undefined
  const { name, routes, currency, settings_version: settingsVersion } = row
  const opened = openSettings(keyring, scope, row)
  const unlisted = typeof opened === 'string' ? undefined : unlistedTrunk(opened.settings, egress)
  return { id, name, routes, currency, settingsVersion, opened: unlisted ?? opened }
}

/** Why the operator's list of hosts keeps a trunk from being used; undefined where it does not. */
export function unlistedTrunk(settings: object, { hosts }: Services['egress']): string | undefined {
  const { host, url, outboundProxy } = settings as { host?: string; url?: string; outboundProxy?: string | null }
  const named = [host, outboundProxy?.replace(/:\d+$/, ''), url === undefined ? undefined : URL.parse(url)?.hostname]
  return named.map(one => (one === undefined ? undefined : unlistedHost(one, hosts))).find(text => text !== undefined)
}

function openSettings(keyring: Keyring, scope: Scope, row: TrunkRow): KindSettings | string {
  try {
    const secrets = openSecrets(placeOf(keyring, scope, row.id), row.secrets)
    const settings = completeSettings(trunkSpecs[row.kind].settings, { ...row.settings, ...secrets })
    // Rows hold what passed the schema of their kind.
    return { kind: row.kind, settings } as unknown as KindSettings
  } catch {
    return 'The stored passwords cannot be read by this server. Enter them again.'
  }
}
