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
  {
    name: 'an invitation is accepted by anyone who is logged in',
    kind: 'sign-in',
    edits: [
      { find: "if (accountId !== found.account_id) throw new Problem('invitation_for_other_address')", replace: '' },
    ],
    tests: ['invitations/invitations.test'],
  },
  {
    name: 'the token of a key does what asks for a proof',
    kind: 'sign-in',
    edits: [{ find: '  return isKeyToken || (client !== null && client.grantId !== null)', replace: '  return false' }],
    tests: ['sessions/proof.test'],
  },
  {
    name: 'a link to log in works in another browser',
    kind: 'sign-in',
    edits: [{ find: "l.kind = 'sign_in' and l.browser_hash = browser and", replace: "l.kind = 'sign_in' and" }],
    tests: ['sessions/signing_in.test'],
  },
  {
    name: 'a link to log in stands for the second factor',
    kind: 'sign-in',
    edits: [{ find: "amr: ['otp'], isStrong: false })", replace: "amr: ['otp'], isStrong: true })" }],
    tests: ['sessions/signing_in.test'],
  },
  {
    name: 'another account confirms an e-mail address',
    kind: 'sign-in',
    edits: [{ find: "l.kind = 'email_change' and l.account_id = account and", replace: "l.kind = 'email_change' and" }],
    tests: ['sessions/signing_in.test'],
  },
  {
    name: 'who took an account over undoes the undoing',
    kind: 'sign-in',
    edits: [{ find: 'and l.created_at >= found_link.created_at', replace: 'and l.created_at > now()' }],
    tests: ['sessions/signing_in.test'],
  },
  {
    name: 'a hand-over forgets what is no noun',
    kind: 'members',
    edits: [{ find: '  return [...nouns, ...others]', replace: '  return nouns' }],
    tests: ['members/members.test'],
  },
  {
    name: 'keys of somebody who was removed work again when they come back',
    kind: 'members',
    edits: [{ find: 'const endedKeys = await endKeysOf(tx, principal, user.id)', replace: 'const endedKeys = 0' }],
    tests: ['members/members.test'],
  },
  {
    name: 'who owned the organization until a moment ago is removed by who owns it now',
    kind: 'members',
    edits: [
      {
        find: / {2}if \(open\?\.state === 'accepted' && open\.from_user_id === userId\) throw new Problem\('transfer_open'\)/,
        replace: '',
      },
    ],
    tests: ['members/members.test'],
  },
  {
    name: 'who owned the organization until a moment ago is shut out by who owns it now',
    kind: 'members',
    edits: [
      {
        find: / {2}if \(kept !== undefined && !isThemselves\(principal, kept\.user_id\)\) throw new Problem\('transfer_open'\)/,
        replace: '',
      },
    ],
    tests: ['members/ownership.test'],
  },
  {
    name: 'an API key of the owner sets how they log in',
    kind: 'members',
    edits: [
      { find: 'return person !== null && userId === id', replace: 'return person !== undefined && userId === id' },
    ],
    tests: ['members/protected.test'],
  },
  {
    name: 'a trusted browser stands for the second factor that passes an enforced provider by',
    kind: 'members',
    edits: [{ find: '    if (asksFactor) standing.isTrusted = false\n', replace: '' }],
    tests: ['members/ownership.test'],
  },
  {
    name: 'who just took the organization back is bound to an enforced provider at once',
    kind: 'members',
    edits: [{ find: / or \(t\.state = 'undone' and [^\n]*::timestamptz\)(?=\)\n)/, replace: '' }],
    tests: ['members/ownership.test'],
  },
  {
    name: 'who looks a missing DNS row up three times by hand loses the domain',
    kind: 'single sign-on',
    edits: [{ find: '  if (byHand) return { status, misses, found: kept, check_at }\n', replace: '' }],
    tests: ['domains/jobs.test'],
  },
  {
    name: 'members are written to again that single sign-on is required',
    kind: 'single sign-on',
    edits: [{ find: / {8}dedupeKey: `\$\{noticesQueue\}[^\n]*\n/, replace: '' }],
    tests: ['connections/notify.test'],
  },
]
