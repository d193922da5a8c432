// Defects of messages: opt-outs, SMPP, and webhooks; and of what must be stored before it is acknowledged.
import type { Defect } from './defect.ts'

export const messagingDefects: readonly Defect[] = [
  {
    name: 'a message is accepted for somebody who opted out',
    kind: 'opt-outs',
    edits: [
      {
        within: '0057_message_moves',
        find: 'where u.ignored is not true and (o.scope',
        replace: 'where u.ignored is true and (o.scope',
      },
    ],
    tests: ['opt_outs/endpoints.test', 'sms/endpoints.test'],
  },
  {
    name: 'an opt-out that comes while a message waits is passed over',
    kind: 'opt-outs',
    edits: [
      {
        within: '0059_claims_and_answers',
        find: 'when not k.ignores_opt_out and exists (',
        replace: 'when k.ignores_opt_out and exists (',
      },
    ],
    tests: ['sms/sending.test'],
  },
  {
    name: 'a response has another sequence number than its request',
    kind: 'smpp',
    edits: [
      {
        find: 'if (command !== null) current.respond(command, status, pdu.sequence)',
        replace: 'if (command !== null) current.respond(command, status, pdu.sequence + 1)',
      },
    ],
    tests: ['smpp/test/esme.test', 'smpp/test/peers.test'],
  },
  {
    name: 'more requests are under way than the window has room for',
    kind: 'smpp',
    edits: [{ find: /Math\.max\(0, (\S*options\.window - \S*windowed)\)/, replace: 'Math.max(1, $1)' }],
    tests: ['smpp/test/esme.test'],
  },
  {
    name: 'the header of a part has its number and the total exchanged',
    kind: 'smpp',
    edits: [
      {
        find: 'Buffer.from([5, elementIds.concatenated8, 3, reference & 0xff, total, part])',
        replace: 'Buffer.from([5, elementIds.concatenated8, 3, reference & 0xff, part, total])',
      },
    ],
    tests: ['smpp/test/text.test', 'carriers/smpp/translation.test'],
  },
  {
    name: 'links are open before that is written down',
    kind: 'smpp',
    edits: [{ find: /state: 'connecting',(\s+stateSinceMs: nowMs)/, replace: "state: 'stopped',$1" }],
    tests: ['carriers/smpp/takeover.test'],
  },
  {
    name: 'an end counts as one in order though a crash before it has left texts to come again',
    kind: 'smpp',
    edits: [{ find: '(leftBehind.size > 0 && nowMs - openedMs < repeatMs) ||', replace: '' }],
    tests: ['carriers/smpp/takeover.test'],
  },
  {
    name: 'the signature leaves the time out',
    kind: 'webhooks',
    edits: [{ find: /(const head = `\$\{id\}\.)\$\{timestamp\}\./, replace: '$1' }],
    tests: ['webhooks/sender.test'],
  },
  {
    name: 'the fourth attempt comes after three minutes instead of thirty',
    kind: 'webhooks',
    edits: [{ find: /(5 \* minute,\s+)30 \* minute,/, replace: '$13 * minute,' }],
    tests: ['webhooks/rules.test', 'webhooks/sender.test'],
  },
  {
    name: 'a webhook gets the events that it did not ask for',
    kind: 'webhooks',
    edits: [
      {
        within: '0057_message_moves',
        find: "where e.enabled\n        and (e.event_types is null or f.type = any (e.event_types) or split_part(f.type, '.', 1) || '.*' = any (e.event_types))",
        replace: 'where e.enabled',
      },
    ],
    tests: ['webhooks/sender.test'],
  },
  {
    name: 'a message is acknowledged before it is stored',
    kind: 'crash',
    edits: [
      {
        find: 'if (limits === undefined) return insertMessage(db, message)',
        replace:
          'if (limits === undefined) {\n    setTimeout(() => void insertMessage(db, message).catch(() => {}), 20)\n    return undefined\n  }',
      },
    ],
    tests: ['crash/crash.test'],
  },
]
