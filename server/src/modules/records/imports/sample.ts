// The import that the documents show.
export const params = { id: 'imp_01k9r7d3w2v8e6q4n5m1b0c9xz' }

export const sample = {
  id: params.id,
  tenant_id: 1,
  noun: 'contacts',
  file_name: 'contacts.csv',
  state: 'draft' as const,
  user_id: 1,
  size_bytes: 52,
  encoding: 'utf-8' as const,
  delimiter: 'comma' as const,
  columns: [
    { name: 'Name', samples: ['Ada Lovelace'], cells: ['Ada Lovelace'] },
    { name: 'E-mail', samples: ['ada@example.com'], cells: ['ada@example.com'] },
  ],
  mapping: ['name', 'emails'],
  duplicates: 'skip' as const,
  match: ['emails', 'phones'],
  lists: 'add' as const,
  dates: 'month_first' as const,
  decimal: '.' as const,
  rows: 1,
  done: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  refused: 0,
  problem: null,
  batch_id: null,
  reverted_by: null,
  version: 1,
  created_at: '2026-11-21T08:44:00.123Z',
  updated_at: '2026-11-21T08:44:00.123Z',
  finished_at: null,
}
export const whole = {
  ...sample,
  targets: [{ name: 'name', label: 'Name', about: 'Name of the person.', several: true }],
  faults: [],
}
