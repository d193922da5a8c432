// The first folder of both collections: how a program gets an OAuth token in its own name, which every request that follows then sends,
// and how it asks a person (code with PKCE); then the rest of the protocol, from the catalog (protocol_steps.ts).
import type { Dialect, RunVariable } from './run.ts'

export const oauthFolder = 'OAuth 2.1'

export const oauthFolderText =
  'Give the variables `oauthClientId` and `oauthClientSecret` values (register an app in the portal under Apps) and leave `token` empty: ' +
  '"Get an OAuth token" then fetches one, and every request that follows sends it. "Who am I, for a person" sends people to the consent ' +
  'page: the app needs the redirect address of your program.'

const asPerson = 'sendForPerson'

export const oauthVariables: readonly RunVariable[] = [
  {
    name: 'oauthClientId',
    description: 'The client id of an app; left empty, "Get an OAuth token" is passed by.',
    value: '',
    isSecret: false,
  },
  { name: 'oauthClientSecret', description: 'A secret of the app, of the same mode.', value: '', isSecret: true },
  { name: 'tokenToRevoke', description: 'A token of the app that "Revoke a token" ends.', value: '', isSecret: true },
  {
    name: asPerson,
    description: 'Give it any value to send what asks a person: a browser opens, and a run would wait for it.',
    value: '',
    isSecret: false,
  },
]

const tokenUrl = '{{baseUrl}}/oauth/token'
const authorizeUrl = '{{baseUrl}}/oauth/authorize'
const scope = 'profile:read'
const scopeText = 'Permissions parted by spaces; without it the token has all that the app was registered with.'

const tokenRequest = {
  name: 'Get an OAuth token',
  about:
    'Client credentials (RFC 6749 §4.4): the app acts in its own name, in the mode of its client id. The token is good for an hour and is ' +
    'kept in `token`, where that is empty. https://datatracker.ietf.org/doc/html/rfc6749#section-4.4',
}
const personRequest = {
  name: 'Who am I, for a person',
  about:
    'Asks a person with code and PKCE (S256), then acts for them. The redirect address of this program must be registered with the app: ' +
    'https://oauth.pstmn.io/v1/callback of Postman, http://localhost/callback of Bruno.',
}

/** Passed by while one of these has no value. */
const needing = (names: readonly string[], name: string, { get, skip }: Dialect): string[] => [
  `const missing = ${JSON.stringify(names)}.filter(name => !${get('name')})`,
  `if (missing.length > 0) { console.log(${JSON.stringify(`${name}: passed by, without a value for `)} + missing.join(', ')); ${skip} }`,
]

function afterToken({ get, set, status, json, test, expect }: Dialect): string[] {
  return [
    `const answer = ${json}`,
    `${test}('answers as documented', function () {`,
    `  ${expect}(${status} + ' ' + (answer.error || '')).to.equal('200 ')`,
    `  ${expect}(answer.token_type).to.equal('Bearer')`,
    '})',
    `if (answer.access_token && !${get('"token"')}) ${set('"token"', 'answer.access_token')}`,
  ]
}

const afterPerson = ({ status, test, expect }: Dialect) => [
  `${test}('answers as documented', function () { ${expect}(${status}).to.equal(200) })`,
]

const beforeToken = (dialect: Dialect) => needing(['oauthClientId', 'oauthClientSecret'], tokenRequest.name, dialect)
const beforePerson = (dialect: Dialect) => needing(['oauthClientId', asPerson], personRequest.name, dialect)

/** @param dialect of Postman's scripts; @param others the other requests of the protocol */
export function postmanOAuthFolder(dialect: Dialect, others: readonly object[]): object {
  const pair = (key: string, value: string) => ({ key, value, type: 'string' })
  const script = (listen: string, exec: string[]) => ({ listen, script: { type: 'text/javascript', exec } })
  const basic = [pair('username', '{{oauthClientId}}'), pair('password', '{{oauthClientSecret}}')]
  const form = [
    { key: 'grant_type', value: 'client_credentials', type: 'text' },
    { key: 'scope', value: scope, type: 'text', disabled: true, description: scopeText },
  ]
  const oauth2 = {
    grant_type: 'authorization_code_with_pkce',
    authUrl: authorizeUrl,
    accessTokenUrl: tokenUrl,
    refreshTokenUrl: tokenUrl,
    clientId: '{{oauthClientId}}',
    clientSecret: '{{oauthClientSecret}}',
    redirect_uri: 'https://oauth.pstmn.io/v1/callback',
    scope,
    challengeAlgorithm: 'S256',
    client_authentication: 'header',
    addTokenTo: 'header',
    tokenName: 'Tandem',
  }
  return {
    name: oauthFolder,
    description: oauthFolderText,
    item: [
      {
        name: tokenRequest.name,
        event: [script('prerequest', beforeToken(dialect)), script('test', afterToken(dialect))],
        request: {
          auth: { type: 'basic', basic },
          method: 'POST',
          header: [],
          body: { mode: 'urlencoded', urlencoded: form },
          url: { raw: tokenUrl, host: ['{{baseUrl}}'], path: ['oauth', 'token'] },
          description: tokenRequest.about,
        },
        response: [],
      },
      {
        name: personRequest.name,
        event: [script('prerequest', beforePerson(dialect)), script('test', afterPerson(dialect))],
        request: {
          auth: { type: 'oauth2', oauth2: Object.entries(oauth2).map(([key, value]) => pair(key, value)) },
          method: 'GET',
          header: [],
          url: { raw: '{{baseUrl}}/v1/api/auth/me', host: ['{{baseUrl}}'], path: ['v1', 'api', 'auth', 'me'] },
          description: personRequest.about,
        },
        response: [],
      },
      ...others,
    ],
  }
}

/** @param dialect of Bruno's scripts; @param others makes the other requests of the protocol, the first of which stands there */
export function brunoOAuthFolder(dialect: Dialect, others: (first: number) => readonly object[]): object {
  const client = { clientId: '{{oauthClientId}}', clientSecret: '{{oauthClientSecret}}' }
  const oauth2 = {
    ...client,
    grantType: 'authorization_code',
    callbackUrl: 'http://localhost/callback',
    authorizationUrl: authorizeUrl,
    accessTokenUrl: tokenUrl,
    refreshTokenUrl: tokenUrl,
    scope,
    state: '',
    pkce: true,
    credentialsPlacement: 'basic_auth_header',
    credentialsId: 'credentials',
    tokenPlacement: 'header',
    tokenHeaderPrefix: 'Bearer',
    autoFetchToken: true,
    autoRefreshToken: true,
  }
  const plain = { headers: [], params: [], vars: {}, assertions: [] }
  return {
    type: 'folder',
    name: oauthFolder,
    seq: 1,
    root: { meta: { name: oauthFolder } },
    items: [
      {
        type: 'http-request',
        name: tokenRequest.name,
        seq: 1,
        request: {
          ...plain,
          url: tokenUrl,
          method: 'POST',
          auth: { mode: 'basic', basic: { username: client.clientId, password: client.clientSecret } },
          body: {
            mode: 'formUrlEncoded',
            formUrlEncoded: [
              { name: 'grant_type', value: 'client_credentials', enabled: true },
              { name: 'scope', value: scope, description: scopeText, enabled: false },
            ],
          },
          script: { req: beforeToken(dialect).join('\n') },
          tests: afterToken(dialect).join('\n'),
          docs: `${oauthFolderText}\n\n${tokenRequest.about}`,
        },
      },
      {
        type: 'http-request',
        name: personRequest.name,
        seq: 2,
        request: {
          ...plain,
          url: '{{baseUrl}}/v1/api/auth/me',
          method: 'GET',
          auth: { mode: 'oauth2', oauth2 },
          body: { mode: 'none' },
          script: { req: beforePerson(dialect).join('\n') },
          tests: afterPerson(dialect).join('\n'),
          docs: personRequest.about,
        },
      },
      ...others(2),
    ],
  }
}
