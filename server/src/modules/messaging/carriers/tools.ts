// What the endpoints of carriers of one kind share: its schemas, how it is presented, and what is checked and merged of settings.
import type { Scope } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { routeFaults } from '../../../kernel/links/prefix_routes.ts'
import {
  completeSettings,
  mergedSettings,
  partSettings,
  readableSecrets,
  type Settings,
  type SettingsSchema,
  sealSecrets,
  secretNames,
} from '../../../kernel/links/settings.ts'
import { type FieldFault, invalid } from '../../../kernel/values/problem.ts'
import type { CarrierKind } from './kind.ts'
import { createPresenter } from './present.ts'
import { carrierSchemas } from './schemas.ts'
import { secretsOf } from './secrets.ts'
import type { CarrierRow } from './store.ts'

/** Each holds connections open, and all of them share the process. */
export const maxCarriers = 50

export const own = { version: 'v2', category: 'Messaging' } as const

export type CarrierTools = ReturnType<typeof createTools>

export function createTools(kind: CarrierKind) {
  const schema = kind.settings as unknown as SettingsSchema

  /** @throws Problem `validation_failed` naming the fields below `settings` and `routes` */
  function check(settings: Settings | undefined, routes: CarrierRow['routes'] | undefined): void {
    const faults: FieldFault[] = [
      ...(settings === undefined ? [] : kind.faultsOf(settings)).map(fault => ({
        ...fault,
        field: `settings.${fault.field}`,
      })),
      ...routeFaults(routes ?? []),
    ]
    if (faults.length > 0) throw invalid(...faults)
  }

  /** The stored settings, secrets included, with those of the patch in their place. */
  function settingsWith(services: Services, { tenantId }: Scope, row: CarrierRow, patch: Settings): Settings {
    const secrets = readableSecrets(secretsOf(services.keyring, tenantId, row.id), row.secrets)
    const known = completeSettings(schema, { ...row.settings, ...secrets })
    return mergedSettings({ known, patch, secrets: secretNames(schema), place: kind.secretsFor })
  }

  function changeSettings(services: Services, scope: Scope, row: CarrierRow, patch: Settings) {
    const settings = settingsWith(services, scope, row, patch)
    const { open, secret } = partSettings(schema, settings)
    return {
      settings: open,
      secrets: sealSecrets(secretsOf(services.keyring, scope.tenantId, row.id), secret),
      settings_version: row.settings_version + 1,
    }
  }

  return {
    kind,
    schema,
    schemas: carrierSchemas(kind),
    presenter: createPresenter(kind),
    check,
    settingsWith,
    changeSettings,
  }
}
