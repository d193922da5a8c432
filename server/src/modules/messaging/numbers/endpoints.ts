// Numbers and sender ids over HTTP: add, list, change and release them, and look any telephone number up.
import { type Static, Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { addressKinds, addressProblem, readAddress, readSender } from '../addresses.ts'
import { forgetDirectory } from '../directory.ts'
import { moveOptOuts } from '../opt_outs/index.ts'
import { holdService } from '../services/index.ts'
import { lookUpNumber } from './lookup.ts'
import { kindFaults, type NumberRow } from './rules.ts'
import { numberFields, presentNumber, sampleNumber } from './schemas.ts'
import { findNumberByAddress, holdCarrier, numbers } from './store.ts'

const settings = Type.Object(numberFields.settable)

/**
 * Makes sure that what a number is to refer to is there and stays. Done before the number is locked: anyone who changes a
 * service locks it first and its numbers then.
 * @throws Problem `service_not_found`, `validation_failed`
 */
async function holdReferences(tx: Tx, scope: Scope, { serviceId, carrierId }: Static<typeof settings>): Promise<void> {
  if (typeof serviceId === 'string' && !(await holdService(tx, scope, serviceId)))
    throw new Problem('service_not_found', {
      details: [{ field: 'serviceId', code: 'not_found', message: 'is no messaging service of this tenant' }],
    })
  if (typeof carrierId === 'string' && !(await holdCarrier(tx, scope, carrierId)))
    throw invalid({ field: 'carrierId', code: 'not_found', message: 'is no carrier of this tenant; list the carriers' })
}

/** @throws Problem `validation_failed` where a number of its kind cannot be so */
function refuseUnable(row: Parameters<typeof kindFaults>[0]): void {
  const faults = kindFaults(row)
  if (faults.length > 0) throw invalid(...faults)
}

async function numberTaken(tx: Tx, scope: Scope, address: string): Promise<Problem> {
  const existing = await findNumberByAddress(tx, scope, address)
  const message = `is the number ${existing?.id ?? 'of another request'} already`
  return new Problem('number_taken', { details: [{ field: 'number', code: 'duplicate', message }] })
}

const own = resource<NumberRow, typeof numberFields.Shown>({
  names: ['number', 'numbers'],
  id: ['numberId', 'num'],
  category: 'Organization',
  path: '/numbers',
  permissions: { read: 'numbers:read', manage: 'numbers:manage' },
  rows: numbers,
  reply: numberFields.Shown,
  sample: sampleNumber,
  present: rows => rows.map(presentNumber),
  changed: ({ services, principal }) => forgetDirectory(services.db, principal.tenantId),
})

const list = own.list({
  description: 'The numbers, short codes and sender ids of this tenant and mode, newest first.',
  filters: {
    kind: Type.Optional(OneOf(addressKinds, { description: 'Only those of one kind.' })),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        errorMessage: 'must be an ISO 3166 code in capitals, such as DE',
        description: 'Only those of the numbering plan of one country.',
      }),
    ),
    serviceId: Type.Optional(Type.String({ maxLength: 100, description: 'Only senders of this messaging service.' })),
    carrierId: Type.Optional(Type.String({ maxLength: 100, description: 'Only those tied to this carrier.' })),
    number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only this one, in any usual spelling.' }),
    ),
  },
  // What is no sender at all is none of theirs either.
  wanted: ({ number, ...rest }, { principal: { settings } }) =>
    number === undefined ? rest : { ...rest, number: readSender(number, settings.defaultCountry) ?? '' },
  sample: { kind: 'long_code' },
})

const add = own.create({
  name: 'Add a number',
  description:
    'Adds a telephone number, a short code or a sender id that the organization holds with a carrier, so that it can send and be reached at it. What kind it is follows from how it is written, its country from the numbering plan. A telephone number of the live mode that another organization on this server has already is contested until it is verified. Writes the event number.created.',
  body: Type.Object({
    number: Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'A telephone number in any usual spelling (best E.164), a short code of 3 to 8 digits, or a sender id of up to 11 letters, digits, blanks and . & _ - with at least one letter.',
    }),
    ...numberFields.settable,
  }),
  problems: ['invalid_from_number', 'number_taken', 'service_not_found', 'invalid_callback_url'],
  sample: {
    body: { number: '+49 30 12345678', label: 'Front desk', segmentsPerSecond: 1, createsLeads: true },
    reply: { ...sampleNumber, callbackUrl: null },
  },
  async handle({ number, ...body }, asking) {
    const { tx, principal, now } = asking
    const home = principal.settings.defaultCountry
    const read = readAddress(number, home)
    if (read === undefined) throw addressProblem('invalid_from_number', { field: 'number', expects: 'sender', home })
    const { kind, address, country } = read
    const fresh = { id: newId('num'), kind, address, country, sms: true, voice: kind === 'long_code', ...stampsOf(now) }
    const values = { ...fresh, ...numberFields.read(body, asking) }
    refuseUnable({ creates_leads: false, callback_url: null, ...values })
    await holdReferences(tx, principal, body)
    // The database knows who had it before.
    const row = await numbers.insert(tx, principal, values, 'numbers_address')
    if (row === undefined) throw await numberTaken(tx, principal, address)
    await moveOptOuts(tx, principal, address, { from: null, to: row.service_id })
    return { row }
  },
})

const get = own.get({ description: 'One number, short code or sender id with its settings.' })

const update = own.update({
  description:
    'Changes the settings that are sent; null empties one. They hold on every node within two seconds. With serviceId the number moves into that messaging service, out of the one it was in; anyone who opted out of it stays opted out where it goes, and what the old one scheduled from it goes by another of its numbers.',
  body: settings,
  problems: ['service_not_found', 'invalid_callback_url'],
  sample: { body: { label: 'Front desk', segmentsPerSecond: 1, createsLeads: true } },
  before: (body, { tx, principal }) => holdReferences(tx, principal, body),
  async handle(old, body, asking) {
    const { tx, principal, now } = asking
    const values = numberFields.read(body, asking, old)
    const { service_id } = { ...old, ...values }
    refuseUnable({ ...old, ...values })
    await moveOptOuts(tx, principal, old.address, { from: old.service_id, to: service_id })
    return { row: await numbers.change(tx, principal, old.id, values, now) }
  },
})

const release = own.delete({
  name: 'Release a number',
  description:
    'Takes a number out of the organization: it cannot be sent from any more. Of the texts that are scheduled from it in live mode, those for which a messaging service chose it go by another number of the service when their time comes; the others, and those that no other number gets there, fail with `sender_not_owned` then. They are listed by GET /v2/messages with status and from. Its messages and calls stay, and who opted out of it stays opted out, should it be added again. Writes the event number.deleted.',
  handle: ({ service_id, address }, { tx, principal }) =>
    moveOptOuts(tx, principal, address, { from: service_id, to: null }),
})

export const endpoints = [list, add, lookUpNumber, get, update, release]
