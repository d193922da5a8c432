// Defects of records: replies, idempotency, versions, totals, quotas, money, numbers, events.
import type { Defect } from './defect.ts'

export const recordDefects: readonly Defect[] = [
  {
    name: 'a reply lacks a field that is documented',
    kind: 'contract',
    edits: [
      {
        find: 'if (isWhole || name in record) shown[name] = record[name]',
        replace:
          "if (name === 'source') delete shown[name]\n    else if (isWhole || name in record) shown[name] = record[name]",
      },
    ],
    tests: ['leads/endpoints.test'],
  },
  {
    name: 'a time is no time of RFC 3339',
    kind: 'contract',
    edits: [
      {
        find: "shown['created_at'] = created_at",
        replace: "shown['created_at'] = String(Date.parse(created_at))",
      },
    ],
    tests: ['leads/endpoints.test'],
  },
  {
    name: 'a search takes what it read of the list for all there is',
    kind: 'pages',
    edits: [{ find: /and not coalesce\(bool_or\(arm_place = .{17}\), false\) as "isAll"/, replace: 'as "isAll"' }],
    tests: ['server/test/noun_search.test'],
  },
  {
    name: 'the words of a renamed record are not kept',
    kind: 'search',
    edits: [{ find: 'o.find <> r.find', replace: 'false', within: '0061_' }],
    tests: ['server/test/noun_words.test'],
  },
  {
    name: 'an Idempotency-Key is not claimed',
    kind: 'idempotency',
    edits: [
      {
        find: 'if (inserted.numInsertedOrUpdatedRows === 1n) return undefined',
        replace: 'return undefined',
      },
    ],
    tests: ['invoices/payments.test', 'api_keys/endpoints.test'],
  },
  {
    name: 'another request with the same key gets the first reply',
    kind: 'idempotency',
    edits: [
      { find: "if (!stored.fingerprint.equals(fingerprint)) throw new Problem('idempotency_mismatch')", replace: '' },
    ],
    tests: ['invoices/payments.test', 'messaging/sms/endpoints.test'],
  },
  {
    name: 'If-Match is not looked at',
    kind: 'versions',
    edits: [
      {
        find: "if (ifMatch !== undefined && ifMatch !== found.version) throw new Problem('version_mismatch')",
        replace: '',
      },
    ],
    tests: ['leads/endpoints.test'],
  },
  {
    name: 'a change of configuration leaves no event',
    kind: 'events',
    edits: [
      {
        find: "await note(spec, 'updated', row, spec.eventOf?.(row) ?? shown, context, { change: body, before })",
        replace: '',
      },
    ],
    tests: ['server/test/contract.test'],
  },
  {
    name: 'an event shows a secret',
    kind: 'events',
    edits: [
      {
        find: "await note(spec, 'created', row, spec.eventOf?.(row) ?? shown, context)",
        replace: "await note(spec, 'created', row, { ...shown, ...more }, context)",
      },
    ],
    tests: ['server/test/contract.test'],
  },
  {
    name: 'an id that cannot be is a fault of the request',
    kind: 'contract',
    edits: [
      {
        find: "const isMissing = misnamed.length > 0 && definition.problems?.includes('not_found') === true",
        replace: 'const isMissing = false',
      },
    ],
    tests: ['server/test/contract.test'],
  },
  {
    name: 'a PATCH may name nothing',
    kind: 'contract',
    edits: [
      { find: 'return { ...declared, body: { ...declared.body, minProperties: 1 } }', replace: 'return declared' },
    ],
    tests: ['server/test/contract.test'],
  },
  {
    name: 'the total of a list does not follow changes',
    kind: 'counters',
    edits: [
      {
        find: "'select *, 1 as change from new_rows union all select *, -1 from old_rows'",
        replace: "'select *, 0 as change from new_rows'",
      },
    ],
    tests: ['leads/lists.test'],
  },
  {
    name: 'one more than the quota is let in',
    kind: 'counters',
    edits: [
      {
        find: 'own >= (isTest ? quota.testTenant : quota.tenant)',
        replace: 'own > (isTest ? quota.testTenant : quota.tenant)',
      },
    ],
    tests: ['quota.test'],
  },
  {
    name: 'an organization has one webhook more than it may',
    kind: 'counters',
    edits: [
      {
        find: '(await countWebhooks(tx, principal)) >= maxWebhooks',
        replace: '(await countWebhooks(tx, principal)) > maxWebhooks',
      },
    ],
    tests: ['webhooks/endpoints.test', 'server/test/contract.test'],
  },
  {
    name: 'halves of a cent below zero round towards zero',
    kind: 'money',
    edits: [{ find: 'const half = product < 0n ? -500_000n : 500_000n', replace: 'const half = 500_000n' }],
    tests: ['money.test'],
  },
  {
    name: 'invoice numbers have gaps',
    kind: 'money',
    edits: [
      {
        find: 'on conflict (tenant_id, kind, year) do update set next = s.next + 1',
        replace: 'on conflict (tenant_id, kind, year) do update set next = s.next + 2',
      },
    ],
    tests: ['invoices/numbers.test'],
  },
  {
    name: 'a change writes no event',
    kind: 'events',
    edits: [
      {
        find: "events: change.instead ?? ['updated', ...moved, ...(change.also ?? [])]",
        replace: 'events: change.instead ?? moved',
      },
    ],
    tests: ['leads/endpoints.test'],
  },
]
