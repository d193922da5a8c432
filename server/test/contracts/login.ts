// How the contract test meets login, refresh, logout and "who am I".
import type { ModuleContract } from '../contract_types.ts'
import { type TestApp, testPassword } from '../harness.ts'

const credentials = (t: TestApp) => ({ emailOrAdminId: t.main.users['Sales Manager'].email, password: testPassword })

async function refreshToken(t: TestApp): Promise<string> {
  const { json } = await t.call('POST', '/v1/api/auth/login', { body: credentials(t) })
  return json.refreshToken
}

export const contract: ModuleContract = {
  'auth.login': {
    prepare: async t => ({ body: credentials(t) }),
    problems: {
      invalid_credentials: async t => ({ body: { ...credentials(t), password: 'not the password' } }),
      async login_throttled(t) {
        const emailOrAdminId = 'guessed@example.com'
        const guess = { emailOrAdminId, password: 'a guess' }
        for (let failure = 0; failure < 9; failure++) await t.call('POST', '/v1/api/auth/login', { body: guess })
        return { body: { emailOrAdminId, password: 'another guess' } }
      },
    },
  },
  'auth.refresh': {
    prepare: async t => ({ body: { refreshToken: await refreshToken(t) } }),
    problems: {
      invalid_refresh_token: async t => ({ body: { refreshToken: `${await refreshToken(t)}x` } }),
    },
  },
  'auth.logout': { endsCredential: true },
}
