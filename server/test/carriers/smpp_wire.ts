// What tests of single PDUs share: settings of an SMPP carrier, and a PDU as the peer reads it.
import assert from 'node:assert/strict'
import { commandIds, createPduReader, encodePdu, type FieldsOf, type PduOf } from '@tandem/smpp'
import { SmppSettings } from '../../src/carriers/smpp/settings.ts'
import { completeSettings, type SettingsSchema } from '../../src/kernel/links/settings.ts'

export function settingsWith(more: Partial<SmppSettings> = {}): SmppSettings {
  const own = { host: 'smpp.example.com', systemId: 'x', password: 'x', ...more }
  return completeSettings(SmppSettings as unknown as SettingsSchema, own) as SmppSettings
}

/** As the peer reads it. */
export function overTheWire<Name extends 'submit_sm' | 'deliver_sm'>(
  command: Name,
  fields: FieldsOf<Name>,
): PduOf<Name> {
  const [pdu] = createPduReader().push(encodePdu({ command, sequence: 1, ...fields } as never))
  assert.ok(pdu !== undefined && 'command' in pdu && Object.hasOwn(commandIds, pdu.command as string))
  return pdu as PduOf<Name>
}
