// Whether a request that arrived somewhere is the one that the documents describe, by a validator that is not ours.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { SentRequest } from '../src/kernel/documents/sent_request.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Rejects what the schema does not allow, and fields of the body that it does not name. */
export function assertDocumented({ bodyName, body }: SentRequest, json: unknown): void {
  const fits = ajv.compile({ ...body, additionalProperties: false })
  assert.ok(fits(json), `${bodyName}: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(json)}`)
}
