// Defects of the authorization server: codes, refresh tokens, scopes, its own address.
import type { Defect } from './defect.ts'

export const oauthDefects: readonly Defect[] = [
  {
    name: 'a code is consumed without comparing',
    kind: 'scope',
    edits: [
      {
        find: "if (consumed === 'first' || (consumed === 'grace' && grace > 0)) return",
        replace: 'if (consumed.length > 0) return',
      },
      {
        find: /const isConsumed = consumedSeconds !== null && consumedSeconds >= grace/,
        replace: 'const isConsumed = false',
      },
    ],
    tests: ['oauth/code.test'],
  },
  {
    name: 'within the grace each refresh gets a successor of its own',
    kind: 'scope',
    edits: [
      {
        find: 'return before === undefined ? random.call(this) : successorOf(keyring, before.jti)',
        replace: 'return random.call(this)',
      },
    ],
    tests: ['oauth/code.test'],
  },
  {
    name: 'a token without scopes may do everything',
    kind: 'scope',
    edits: [
      {
        find: 'const scopes = claims.scopes.filter(scope => row.scopes.includes(scope))',
        replace:
          'const scopes = claims.scopes.length === 0 ? null : claims.scopes.filter(scope => row.scopes.includes(scope))',
      },
    ],
    tests: ['oauth/attacks.test'],
  },
  {
    name: 'the authorization server believes the Host of a request',
    kind: 'scope',
    edits: [
      { find: '  headers.host = url.host\n', replace: '' },
      { find: "  headers['x-forwarded-host'] = url.host\n", replace: '' },
    ],
    tests: ['oauth/attacks.test'],
  },
]
