// The kinds of trunks: the settings of each as a schema, an example of them, and what a schema cannot say. What speaks to a remote party
// of each kind is an engine's business.
import { type TSchema, Type } from 'typebox'
import { compileValidator, type Validator } from '../../../kernel/endpoint/validate.ts'
import { changedSettings, newSettings, type Settings, type SettingsSchema } from '../../../kernel/links/settings.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import {
  AsteriskSettings,
  ariPlace,
  asteriskFaults,
  asteriskWarnings,
  sampleAsteriskSettings,
} from './asterisk_settings.ts'
import type { TrunkKindName } from './kind.ts'
import { passwordPlace, sampleSettings, sentSecrets, TrunkSettings } from './settings.ts'
import { trunkFaults, trunkWarnings } from './settings_rules.ts'

export type TrunkSpec = {
  kind: TrunkKindName
  title: string
  description: string
  settings: SettingsSchema
  /** Settings that say where the secrets of `sent` are sent: who changes one of them enters the secrets again. */
  place: readonly string[]
  sent: readonly string[]
  sample: Settings
  /** Faults that the schema cannot find; fields are named below the settings. */
  faultsOf(settings: Settings): FieldFault[]
  /** What works, but not as safely as it looks. */
  warningsOf(settings: Settings): { field: string; message: string }[]
}

export const trunkSpecs: Readonly<Record<TrunkKindName, TrunkSpec>> = {
  sip: {
    kind: 'sip',
    title: 'SIP trunk',
    description: 'A carrier of calls that speaks SIP, or a telephone system. This server speaks with it itself.',
    settings: TrunkSettings as unknown as SettingsSchema,
    place: passwordPlace,
    sent: sentSecrets,
    sample: sampleSettings,
    // Settings arrive checked by their schema and complete.
    faultsOf: settings => trunkFaults(settings as TrunkSettings),
    warningsOf: settings => trunkWarnings(settings as TrunkSettings),
  },
  asterisk: {
    kind: 'asterisk',
    title: 'Asterisk',
    description: 'An Asterisk that is there already, with the carriers it has: it is steered over ARI.',
    settings: AsteriskSettings as unknown as SettingsSchema,
    place: ariPlace,
    sent: ['password'],
    sample: sampleAsteriskSettings,
    faultsOf: settings => asteriskFaults(settings as AsteriskSettings),
    warningsOf: settings => asteriskWarnings(settings as AsteriskSettings),
  },
}

/**
 * The settings of all kinds as one schema, in which nothing is needed and nothing filled in: what a request may hold before
 * its kind is known. A field that several kinds have is as SIP trunks have it, which is the widest.
 */
export const anySettings: SettingsSchema = changedSettings({
  ...trunkSpecs.sip.settings,
  properties: { ...trunkSpecs.asterisk.settings.properties, ...trunkSpecs.sip.settings.properties },
})

const validators = new Map<string, Validator>()

/** The faults of settings as one kind has them: to start with, or to change others. Fills in nothing. */
export function kindFaults({ kind, settings: schema }: TrunkSpec, form: 'new' | 'change', settings: Settings) {
  const key = `${kind} ${form}`
  let validator = validators.get(key)
  if (validator === undefined) {
    const body = (form === 'new' ? newSettings(schema) : changedSettings(schema)) as unknown as TSchema
    validator = compileValidator({ body: Type.Object({ settings: body }) })
    validators.set(key, validator)
  }
  return validator({ query: {}, body: { settings: { ...settings } } }) ?? []
}
