// For tests of lists of leads: what a list shows, asked for as a person asks.
import assert from 'node:assert/strict'
import type { LeadPriority, LeadStatus } from '../src/modules/crm/leads/rules.ts'
import type { TestApp } from './harness.ts'

export const leadsPath = '/v1/api/leads'

export type Shown = {
  id: number
  name: string
  email: string
  company: string | null
  priority: LeadPriority
  status: LeadStatus
  owner_id: number | null
  created_at: string
  updated_at: string
}

export type Listed = {
  leads: Shown[]
  pagination: { page: number; limit: number; totalCount: number; totalIsExact: boolean; nextCursor: string | null }
}

export async function listLeads(
  t: TestApp,
  query: Record<string, string | number | boolean>,
  token: string,
): Promise<Listed> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await t.call('GET', `${leadsPath}?${text}`, { as: token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

export const names = (listed: Listed) => listed.leads.map(lead => lead.name)
