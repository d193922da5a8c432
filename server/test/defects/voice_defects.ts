// Defects of calls: SIP messages and transactions, RTP, and what must be stored before a call is answered.
import type { Defect } from './defect.ts'

export const voiceDefects: readonly Defect[] = [
  {
    name: 'the ACK of a refused INVITE has another CSeq',
    kind: 'sip',
    edits: [
      {
        find: /(\$\{cseq\.number)(\} \$\{method\})/,
        replace: '$1 + 1$2',
      },
    ],
    tests: ['sip/test/transaction_client.test', 'sip/test/message.test'],
  },
  {
    name: 'the ACK of a 2xx counts CSeq up',
    kind: 'sip',
    edits: [{ find: "return build(dialog, 'ACK', cseq, {", replace: "return build(dialog, 'ACK', cseq + 1, {" }],
    tests: ['sip/test/dialog.test', 'sip/test/dialog_call.test'],
  },
  {
    name: 'two transactions have the same branch',
    kind: 'sip',
    edits: [{ find: '    at += 24\n', replace: '    at = 24\n' }],
    tests: ['sip/test/transaction_client.test', 'sip/test/transaction_matching.test'],
  },
  {
    name: 'a request that is sent again is carried out again',
    kind: 'sip',
    edits: [{ find: /(case 'J':\s+return )isReliable \? 0 : 64 \* t1Ms/, replace: '$10' }],
    tests: ['sip/test/transaction_server.test', 'sip/test/transaction_network.test'],
  },
  {
    name: 'the dialog of a call is not stored',
    kind: 'crash',
    edits: [{ find: /(planned,\s+)store: parts\.store,/, replace: '$1store: async () => {},' }],
    tests: ['engines/sip/call_dialogs.test'],
  },
]
