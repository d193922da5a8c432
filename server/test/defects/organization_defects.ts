// Defects of organizations as a whole: what is suspended goes on, operators do more than they may, an erasure that ends too early.
import type { Defect } from './defect.ts'

export const organizationDefects: readonly Defect[] = [
  {
    name: 'a suspended organization still sends',
    kind: 'organizations',
    edits: [
      {
        within: '0059_claims_and_answers',
        find: 'is_anything_held constant boolean := exists (select from held_tenants)',
        replace: 'is_anything_held constant boolean := false',
      },
    ],
    tests: ['organizations/held.test', 'organizations/closing.test'],
  },
  {
    name: 'what waits for a suspended organization is put aside all at once',
    kind: 'organizations',
    edits: [
      {
        within: '0059_claims_and_answers',
        find: 'order by j.due_at limit max_looked_at\n    ), held as (',
        replace: 'order by j.due_at\n    ), held as (',
      },
    ],
    tests: ['organizations/held.test'],
  },
  {
    name: 'a table is left out of the archive of an organization, and nobody says so',
    kind: 'organizations',
    edits: [{ find: "  'record_tags',\n  'saved_views',", replace: "  'saved_views'," }],
    tests: ['organizations/archived.test'],
  },
  {
    name: 'a code makes as many organizations as people have it',
    kind: 'organizations',
    edits: [
      {
        find: '  where c.hash = of_hash and c.used_at is null and c.expires_at > asked_at;\n  return found;',
        replace: '  where c.hash = of_hash and c.expires_at > asked_at;\n  return found;',
      },
    ],
    tests: ['sign_up/sign_up.test'],
  },
  {
    name: 'a sign-up waits for its mail, which sets an address with an account apart from others',
    kind: 'organizations',
    edits: [{ find: 'void sendSignUpMail(services, asked)', replace: 'await sendSignUpMail(services, asked)' }],
    tests: ['sign_up/sign_up.test'],
  },
  {
    name: 'a suspended organization is let in',
    kind: 'organizations',
    edits: [
      {
        find: '  if (isRefusedWhile(principal.organizationState, endpoint)) {',
        replace: '  if (principal === null) {',
      },
    ],
    tests: ['organizations/closing.test'],
  },
  {
    name: 'an operator for support acts',
    kind: 'organizations',
    edits: [
      {
        find: "if (wanted === 'full' && state.operator.level !== 'full') refusal",
        replace: 'if (wanted === undefined) refusal',
      },
    ],
    tests: ['operator/operator.test'],
  },
  {
    name: 'an operator token is of the audience of organizations',
    kind: 'organizations',
    edits: [{ find: "const operatorAudience = 'tandem-operator'", replace: 'const operatorAudience = audience' }],
    tests: ['operator/operator.test'],
  },
  {
    name: 'the erasure of a closed organization ends with its first step',
    kind: 'organizations',
    edits: [
      {
        find: '  if total = 0 then\n    update organizations o set erased_at',
        replace: '  if true then\n    update organizations o set erased_at',
      },
    ],
    tests: ['organizations/closing.test'],
  },
]
