// What the contract test does to one endpoint, as small parts: build a request from the declaration, send it, check it.

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { catalog } from '../src/catalog.ts'
import { shownSchema } from '../src/kernel/documents/documented.ts'
import { wireSchema } from '../src/kernel/documents/openapi.ts'
import { type Endpoint, fullPath, problemsOf } from '../src/kernel/endpoint/endpoint.ts'
import { newApiKey, newId } from '../src/kernel/values/ids.ts'
import type { Permission } from '../src/kernel/values/permission.ts'
import { permissions } from '../src/nouns.ts'
import type { ContractRequest, EndpointContract, ModuleContract } from './contract_types.ts'
import type { Answer, CallOptions, TestApp } from './harness.ts'

const contractsDir = join(import.meta.dirname, 'contracts')

/** The contracts of all modules, by endpoint id. */
export async function loadContracts(): Promise<Map<string, EndpointContract>> {
  const all = new Map<string, EndpointContract>()
  for (const file of globSync('*.ts', { cwd: contractsDir }).sort()) {
    const { contract } = (await import(join(contractsDir, file))) as { contract: ModuleContract }
    for (const [id, entry] of Object.entries(contract)) {
      assert.ok(
        catalog.some(definition => definition.id === id),
        `${file} speaks of ${id}, which is not in the catalog`,
      )
      assert.ok(!all.has(id), `${id} has two contracts`)
      all.set(id, entry)
    }
  }
  return all
}

const ajv = new Ajv({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
for (const name of ['phone', 'moment', 'url', 'binary']) ajv.addFormat(name, true)

/** Fails unless the body fits the endpoint's documented reply, envelope included. */
export function assertFits(definition: Endpoint, body: unknown): void {
  const named = new Map<string, object>()
  const schema = shownSchema(wireSchema(definition), named)
  const fits = ajv.compile({ ...schema, components: { schemas: Object.fromEntries(named) } })
  assert.ok(fits(body), `${definition.id}: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(body)}`)
}

/** The path of a request, from the sample and what overrides it. */
export function urlOf(definition: Endpoint, request: ContractRequest): string {
  const params = { ...definition.sample.params, ...request.params }
  const query = request.query ?? definition.sample.query ?? {}
  const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    assert.ok(value !== undefined, `${definition.id}: the sample has no ${name}`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Every problem code an endpoint was seen to answer, to be held against its declaration. */
export const seen = new Map<string, Set<string>>()

export async function send(
  t: TestApp,
  definition: Endpoint,
  request: ContractRequest,
  options: CallOptions = {},
): Promise<Answer> {
  const body = request.body !== undefined ? request.body : definition.sample.body
  const as =
    'as' in options ? options.as : definition.permission === 'public' ? request.as : (request.as ?? t.main.tokens.Admin)
  const file = definition.upload !== undefined && typeof body === 'string' ? body : undefined
  const answer = await t.call(definition.method, urlOf(definition, request), {
    ...(options.rawBody === undefined && body !== undefined && file === undefined ? { body } : {}),
    ...(file === undefined ? {} : { rawBody: file }),
    ...options,
    stream: definition.envelope === 'stream',
    as,
    headers: {
      ...(file === undefined ? {} : { 'content-type': definition.upload!.mediaType }),
      ...request.headers,
      ...options.headers,
    },
  })
  // The bytes of a file stand for themselves.
  if (definition.envelope === 'file' && answer.status < 300) answer.json = answer.text
  const code = codeOf(answer)
  if (code !== undefined) seen.set(definition.id, (seen.get(definition.id) ?? new Set()).add(code))
  for (const header of ['x-request-id', 'ratelimit', 'ratelimit-policy', 'server-timing']) {
    assert.ok(answer.headers[header], `${definition.id} answered without ${header}`)
  }
  // A file is no JSON.
  if (definition.version === 'v1' && !(definition.envelope === 'file' && answer.status < 300))
    assert.equal(typeof answer.json?.success, 'boolean', `${definition.id}: ${answer.text}`)
  return answer
}

/** The problem code of an answer, v1 or v2. */
export function codeOf(answer: Answer): string | undefined {
  return answer.status < 400 ? undefined : (answer.json?.code ?? answer.json?.error?.code)
}

export function detailsOf(answer: Answer): { field: string; code: string; message: string }[] {
  return answer.json?.details ?? answer.json?.error?.details ?? []
}

/** What an answer says apart from what differs between any two requests. */
export function timeless(answer: Answer): string {
  return answer.text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/"responseTime":"[^"]*"/g, '"responseTime":""')
    .replaceAll(/req_[0-9a-z]{26}/g, 'req_')
}

export type ScopedKeys = {
  /** An Admin's live key with exactly this scope. */
  only: Map<Permission, string>
  /** An Admin's live key with every scope but this one. */
  allBut: Map<Permission, string>
  revoked: string
  expired: string
}

/** Keys for every permission, put in as the API would. */
export async function insertScopedKeys(t: TestApp): Promise<ScopedKeys> {
  const { hashApiKey, lastFour } = await import('../src/kernel/values/ids.ts')
  const all = Object.keys(permissions) as Permission[]
  // An Admin of their own, or the Admin of the tests would have as many keys as one may have.
  const [owner] = await t.sql<{ id: number }>(
    `insert into users (organization_id, account_id, email, name, role)
     values ($1, make_account('keys@example.com', 'Keys', null, false), 'keys@example.com', 'Keys', 'Admin') returning id`,
    [t.main.organizationId],
  )
  async function insert(
    scopes: string[] | null,
    extra: { expires_at?: string; revoked_at?: string } = {},
  ): Promise<string> {
    const secret = newApiKey('live')
    await t.sql(
      `insert into api_keys (organization_id, id, tenant_id, user_id, name, mode, hash, last_four, scopes, expires_at, revoked_at)
       values ($1, $2, $3, $4, 'contract', 'live', $5, $6, $7, $8, $9)`,
      [
        t.main.organizationId,
        newId('key'),
        t.main.liveTenantId,
        owner?.id,
        hashApiKey(t.app.services.keyring, secret),
        lastFour(secret),
        scopes,
        extra.expires_at ?? null,
        extra.revoked_at ?? null,
      ],
    )
    return secret
  }
  const only = new Map<Permission, string>()
  const allBut = new Map<Permission, string>()
  for (const permission of all) {
    only.set(permission, await insert([permission]))
    allBut.set(permission, await insert(all.filter(other => other !== permission)))
  }
  const past = '2020-01-01T00:00:00Z'
  return {
    only,
    allBut,
    revoked: await insert(null, { revoked_at: past }),
    expired: await insert(null, { expires_at: past }),
  }
}

/** Problems that follow from any declaration and are provoked the same way everywhere. */
export function ownProblems(definition: Endpoint): string[] {
  const bare = problemsOf({ ...definition, problems: [] } as Endpoint)
  return (definition.problems ?? []).filter(code => !bare.includes(code))
}

/** What no id of a record can be. */
export const impossibleNumbers = ['0', '-1', '1e1', '0x10', '1.5', 'none', '99999999999999999999', '1\0']
export const impossibleIds = ['none', 'msg_', 'lead_01k9r7d3w2v8e6q4n5m1b0c9xz', 'x'.repeat(200), '1\0']
