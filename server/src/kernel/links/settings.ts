// Settings that organizations make for what connects them to a carrier, described by one schema each: requests are checked
// by it, forms are drawn from it, and it says which of them are secret (`x-secret`). Here are the three forms of such a
// schema, how settings are completed and merged, and how secrets are sealed for the one record they belong to.

import type { Keyring } from '../values/keyring.ts'
import { type FieldFault, invalid } from '../values/problem.ts'
import { createSeal } from '../values/seal.ts'

/** Settings that passed their schema, with secrets. */
export type Settings = Record<string, unknown>

/** A field of the settings, as its schema says it. */
type Field = { default?: unknown; 'x-secret'?: boolean }
export type SettingsSchema = { properties: Record<string, unknown>; required?: string[] }

const fieldsOf = ({ properties }: SettingsSchema) => Object.entries(properties) as [string, Field][]

/** Names of the settings that are never shown. */
export function secretNames(schema: SettingsSchema): string[] {
  return fieldsOf(schema).flatMap(([name, field]) => (field['x-secret'] === true ? [name] : []))
}

/** The schema of settings as they are shown: without secrets. */
export function shownSettings(schema: SettingsSchema): SettingsSchema {
  const secret = new Set(secretNames(schema))
  const properties = Object.fromEntries(fieldsOf(schema).filter(([name]) => !secret.has(name)))
  return { ...schema, properties, required: Object.keys(properties) }
}

/** The schema of a change: any of the settings, and nothing is filled in. */
export function changedSettings(schema: SettingsSchema): SettingsSchema {
  const properties = Object.fromEntries(
    fieldsOf(schema).map(([name, { default: _, ...field }]) => [name, field] as const),
  )
  const { required: _, ...rest } = schema
  return { ...rest, properties }
}

/** The schema of settings to begin with: what has a default may be left out. */
export function newSettings(schema: SettingsSchema): SettingsSchema {
  const required = fieldsOf(schema).flatMap(([name, field]) => (field.default === undefined ? [name] : []))
  return { ...schema, required }
}

/** Settings in full: what is not there is as its schema says. Covers rows that are older than a setting. */
export function completeSettings(schema: SettingsSchema, settings: Settings): Settings {
  return Object.fromEntries(
    fieldsOf(schema).flatMap(([name, field]) => {
      const value = Object.hasOwn(settings, name) ? settings[name] : field.default
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** What may lie open and what is to be sealed; a secret that is null is none. */
export function partSettings(schema: SettingsSchema, settings: Settings): { open: Settings; secret: Settings } {
  const secret = new Set(secretNames(schema))
  const entries = Object.entries(settings)
  return {
    open: Object.fromEntries(entries.filter(([name]) => !secret.has(name))),
    secret: Object.fromEntries(entries.filter(([name, value]) => secret.has(name) && value !== null)),
  }
}

export type Merge = {
  /** What is stored, completed, with those secrets that can be read. */
  known: Settings
  patch: Settings
  /** Names of the secrets that are stored. */
  secrets: readonly string[]
  /** Settings that say where secrets are sent. */
  place: readonly string[]
  /** The secrets that are sent there; all that are stored when left out. */
  sent?: readonly string[]
}

/**
 * What is stored, with the settings of the patch in their place.
 * @throws Problem `validation_failed` for secrets that must be entered again: those that this server cannot read, and
 *   those that would go to a place that they were not entered for
 */
export function mergedSettings({ known, patch, secrets, place, sent = secrets }: Merge): Settings {
  const moved = place.filter(name => Object.hasOwn(patch, name) && patch[name] !== known[name])
  const asked = secrets.filter(name => !Object.hasOwn(patch, name))
  const faults = asked.flatMap((name): FieldFault[] => {
    const isMoved = moved.length > 0 && sent.includes(name)
    if (!isMoved && Object.hasOwn(known, name) && known[name] !== null) return []
    const because = isMoved ? `when ${moved.join(' or ')} changes` : 'because this server cannot read it'
    return [{ field: `settings.${name}`, code: 'required', message: `must be entered again ${because}` }]
  })
  if (faults.length > 0) throw invalid(...faults)
  return { ...known, ...patch }
}

/** Whose secrets are sealed: neither a look into the database nor a row moved to another place gives them away. */
export type SecretPlace = {
  keyring: Keyring
  /** Of records of one sort, such as `carriers`. */
  purpose: string
  tenantId: number
  id: string
}

const placeOf = ({ tenantId, id }: SecretPlace) => `${tenantId} ${id}`

/** Null when there is nothing to seal. */
export function sealSecrets(place: SecretPlace, secrets: Settings): string | null {
  if (Object.keys(secrets).length === 0) return null
  return createSeal(place.keyring, place.purpose).close(placeOf(place), JSON.stringify(secrets))
}

/** @throws when they were sealed by another installation or for another record */
export function openSecrets(place: SecretPlace, sealed: string | null): Settings {
  if (sealed === null) return {}
  return JSON.parse(createSeal(place.keyring, place.purpose).open(placeOf(place), sealed)) as Settings
}

/** The same, but none where they cannot be opened. */
export function readableSecrets(place: SecretPlace, sealed: string | null): Settings {
  try {
    return openSecrets(place, sealed)
  } catch {
    return {}
  }
}
