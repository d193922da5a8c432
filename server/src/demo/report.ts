// What a start with demo data prints: how much there is, who can log in and with what, and the keys that were just
// made.
import type { Demo } from './demo.ts'
import type { DemoKey, DemoLogin } from './fill_users.ts'

/** The lines below the welcome; empty lines part the blocks. */
export function demoLines(demo: Demo): string[] {
  switch (demo.outcome) {
    case 'declined':
    case 'failed':
      return [`  No demo data: ${demo.why}.`, '']
    case 'there':
      return [`  Demo data     ${demo.company} is there since an earlier start.`, '', ...loginLines(demo.logins)]
    case 'filled':
      return [
        `  Demo data     ${demo.company}: ${countsOf(demo)}, in ${(demo.durationMs / 1000).toFixed(1)} s`,
        '',
        ...loginLines(demo.logins),
        ...keyLines(demo.keys),
      ]
  }
}

function countsOf({ counts }: Extract<Demo, { outcome: 'filled' }>): string {
  const { leads, companies, contacts, invoices, payments, messages, calls } = counts
  const n = (count: number) => count.toLocaleString('en-US')
  const business = `${n(leads)} leads, ${n(companies)} companies, ${n(contacts)} contacts, ${n(invoices)} invoices with ${n(payments)} payments`
  return `${business}, ${n(messages)} messages, ${n(calls)} calls`
}

function loginLines(logins: readonly DemoLogin[]): string[] {
  const rows = logins.map(({ email, role, password, adminId }) => [
    email,
    role,
    password ?? '(changed)',
    adminId === null ? '' : `(or log in as ${adminId})`,
  ])
  return [...table([['Demo login', 'Role', 'Password', ''], ...rows]), '']
}

function keyLines(keys: readonly DemoKey[]): string[] {
  const rows = keys.map(({ name, secret, scopes }) => [secret, name, scopes?.join(' ') ?? 'all rights of an Admin'])
  return [...table([['Demo API key (shown this once)', 'Name', 'Scopes'], ...rows]), '']
}

/** Columns as wide as they need be. */
function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] as string).length)))
  return rows.map(row => `  ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ')}`.trimEnd())
}
