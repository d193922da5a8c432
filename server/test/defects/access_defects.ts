// Defects of who may see and do what: tenants, roles, scopes, credentials, limits, secrets.
import type { Defect } from './defect.ts'

export const accessDefects: readonly Defect[] = [
  {
    name: 'a table has no policy',
    kind: 'tenancy',
    edits: [{ find: "select protect_tenant_table('opt_outs');", replace: '' }],
    tests: ['server/test/tenancy.test'],
  },
  {
    name: 'a misspelt word is looked for among the words of all tenants',
    kind: 'tenancy',
    edits: [
      { find: /where tenant_id = here and (noun = of_noun and word %> part)/, replace: 'where $1' },
      { find: /where tenant_id = here and (noun = of_noun and word % part)/, replace: 'where $1' },
    ],
    tests: ['server/test/noun_words.test'],
  },
  {
    name: 'a query names no tenant, and its table has no policy',
    kind: 'tenancy',
    edits: [
      { find: 'perform protect_tenant_table(target::regclass);', replace: '' },
      { find: /where tenant_id = \$\{principal\.tenantId\} and (id = \$\{ownIdOf\()/, replace: 'where $1' },
    ],
    tests: ['server/test/escapes.test', 'leads/endpoints.test'],
  },
  {
    name: 'the list of mails shows those of everybody, whatever the role sees',
    kind: 'roles',
    edits: [{ find: "userIds: ownersSeen('mails', mailRows, principal)", replace: 'userIds: undefined' }],
    tests: ['server/test/row_scope.test'],
  },
  {
    name: 'a role that sees those of its teams sees all',
    kind: 'roles',
    edits: [{ find: "if (scope !== 'team') return scope", replace: "if (scope !== 'own') return 'all'" }],
    tests: ['server/test/row_scope.test'],
  },
  {
    name: 'a change of a role does not reach the nodes',
    kind: 'roles',
    edits: [
      { find: "await insertRevocation(tx, 'organization', organizationId)\n  afterCommit", replace: 'afterCommit' },
    ],
    tests: ['roles/roles.test'],
  },
  {
    name: 'a role may hold what is for Admins alone',
    kind: 'roles',
    edits: [{ find: "if (assignable === 'admin' && base !== 'Admin')", replace: "if (assignable === 'never')" }],
    tests: ['roles/roles.test'],
  },
  {
    name: 'an endpoint asks for a lower permission',
    kind: 'scope',
    edits: [
      {
        find: /(id: names\.id\('delete'\),[\s\S]{0,400}?permission: names\.permission\()'delete'/,
        replace: "$1'update'",
      },
    ],
    tests: ['leads/endpoints.test', 'server/test/promises.test'],
  },
  {
    name: 'an API key may do all that its owner may, whatever its scopes',
    kind: 'scope',
    edits: [{ find: /return new Set\(scopes\.filter\([^\n]*held\.has\(scope\)\)\)/, replace: 'return held' }],
    tests: ['api_keys/endpoints.test', 'api_keys/tokens.test'],
  },
  {
    name: 'a Sales Executive reads the leads of others',
    kind: 'role',
    edits: [
      {
        find: 'return owners === undefined || owners.includes((record[spec.rows!.owner] as number | null) ?? 0)',
        replace: 'return true',
      },
    ],
    tests: ['leads/endpoints.test'],
  },
  {
    name: 'events show what the reader may not read',
    kind: 'role',
    edits: [
      { find: /(export function visibleNouns\([^)]*\)[^{]*\{)/, replace: '$1\n  if (held.size > 0) return null' },
    ],
    tests: ['developer/events', 'developer/stream/endpoints.test'],
  },
  {
    name: 'a key that is revoked works on',
    kind: 'credentials',
    edits: [
      {
        find: "if (revokedAtMs <= nowMs || row.disabled) throw new Problem('key_revoked')",
        replace: "if (row.disabled) throw new Problem('key_revoked')",
      },
    ],
    tests: ['api_keys/endpoints.test'],
  },
  {
    name: 'a webhook may go to a private address',
    kind: 'credentials',
    edits: [{ find: "  '192.168.0.0/16', // private\n", replace: '' }],
    tests: ['egress.test', 'outbound.test'],
  },
  {
    name: 'one request more than the limit passes',
    kind: 'rate limit',
    edits: [
      { find: 'const allowed = slot.total + cost <= limit', replace: 'const allowed = slot.total + cost <= limit + 1' },
    ],
    tests: ['limit.test'],
  },
  {
    name: 'a password is in the log of requests',
    kind: 'redaction',
    edits: [{ find: 'return isSecret ? redacted : member', replace: 'return member' }],
    tests: ['redact.test', 'developer/requests'],
  },
  {
    name: 'an entry of the audit log is written outside the transaction of its change',
    kind: 'audit',
    edits: [
      {
        find: 'await audit?.end(tx, call, effects.said, body)',
        replace: `await services.db.inTenant(principal, async own => {
          audit?.begin(own, call)
          await audit?.end(own, call, effects.said, body)
        })`,
      },
    ],
    tests: ['server/test/audit.test'],
  },
  {
    name: 'an event of the audit log that was edited verifies',
    kind: 'audit',
    edits: [{ find: 'if (before !== undefined && linkOf(before, event) !== hash)', replace: 'if (before === null)' }],
    tests: ['modules/audit/chain.test'],
  },
]
