// Defects of how people log in: factors that are taken twice, proofs that are never stale, links that are good too often.
import type { Defect } from './defect.ts'

export const peopleDefects: readonly Defect[] = [
  {
    name: 'a code of an app is taken again',
    kind: 'sign-in',
    edits: [
      { find: /(where account_id = \$\{accountId\} and id = \$\{id\}) and last_step < \$\{step\}`/, replace: '$1`' },
    ],
    tests: ['sessions/people.test'],
  },
  {
    name: 'a new access token is a fresh proof',
    kind: 'sign-in',
    edits: [
      {
        find: /(update sessions set generation = \$\{generation\},\s+rotated_at = clock_timestamp\(\), last_used_at = clock_timestamp\(\))/,
        replace: "$1, auth_at = auth_at + interval '1 hour', factor_at = factor_at + interval '1 hour'",
      },
    ],
    tests: ['sessions/people.test'],
  },
  {
    name: 'a challenge of a login is good for several',
    kind: 'sign-in',
    edits: [
      {
        find: /if \(!\(await useOnce\(services\.db, [^\n]*\)\)\) throw new Problem\('challenge_expired'\)/,
        replace: '',
      },
    ],
    tests: ['sessions/people.test'],
  },
  {
    name: 'an Admin sets the password of a person who is in other organizations too',
    kind: 'sign-in',
    edits: [{ find: "    return 'shared';", replace: '    null;' }],
    tests: ['sessions/people.test'],
  },
  {
    name: 'the link of a mail sets a password twice',
    kind: 'sign-in',
    edits: [
      {
        find: 'where hash = token and used_at is null and expires_at > asked_at',
        replace: 'where hash = token and expires_at > asked_at',
      },
      { find: 'where k.hash = token and k.used_at is null and', replace: 'where k.hash = token and' },
    ],
    tests: ['resets/resets.test'],
  },
]
