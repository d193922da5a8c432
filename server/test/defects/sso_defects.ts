// Defects of single sign-on and SCIM: whom a provider may speak for, and what a directory takes away.
import type { Defect } from './defect.ts'

export const ssoDefects: readonly Defect[] = [
  {
    name: 'an address of which the provider does not say that it is verified counts as verified',
    kind: 'single sign-on',
    edits: [
      { find: 'if (email_verified === true) return email', replace: 'if (email_verified !== false) return email' },
    ],
    tests: ['sso/sso.test', 'domains/rules.test'],
  },
  {
    name: 'a provider speaks for addresses of any domain',
    kind: 'single sign-on',
    edits: [
      {
        find: "  if (!(await speaksFor(tx, scope, email))) return { reason: 'other_domain' }\n  const person = await findByAddress",
        replace: '  const person = await findByAddress',
      },
    ],
    tests: ['sso/sso.test'],
  },
  {
    name: 'a ticket of single sign-on opens sessions as often as it is shown',
    kind: 'single sign-on',
    edits: [
      {
        find: /if \(!\(await useOnce\(services\.db, `sso ticket[^\n]*/,
        replace: 'if (ticket.nonce === undefined)',
      },
    ],
    tests: ['sso/sso.test'],
  },
  {
    name: 'members that a directory removes by value empty the group',
    kind: 'SCIM',
    edits: [
      {
        find: "resource[attribute] = held.filter(one => !gone.has(String(one['value'])))",
        replace: 'resource[attribute] = gone.size > 0 ? [] : held',
      },
    ],
    tests: ['scim/scim.test', 'scim/scim_groups.test'],
  },
  {
    name: 'keys of a member whom a directory disables work on',
    kind: 'SCIM',
    edits: [
      { find: '    await endKeysOf(tx, principal, userId)\n    await endGrants', replace: '    await endGrants' },
    ],
    tests: ['scim/scim.test'],
  },
]
