// What OAuth adds to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const oauthApp = declareNoun({
  permissions: {
    'apps:read': {
      allows: 'See the apps of the organization, the clients it met, and all authorizations people gave them.',
      roles: [],
    },
    'apps:manage': {
      allows: 'Register apps, change and delete them, make their secrets, decide on clients of others.',
      roles: [],
    },
  },
  events: {
    readWith: 'apps:read',
    types: {
      'app.created': 'An app was registered.',
      'app.updated': 'An app was changed, suspended, resumed or signed out.',
      'app.deleted': 'An app was deleted, with its secrets and authorizations.',
      'app_secret.created': 'An app got a client secret.',
      'app_secret.deleted': 'A client secret of an app was deleted.',
      'authorization.created': 'A person let a client act for them.',
      'authorization.revoked': 'What a person let a client do has ended.',
      'oauth_client.updated': 'A client that the organization did not register was allowed or blocked.',
    },
  },
  problems: {
    redirect_uri_not_allowed: problem(
      422,
      'Redirect address not allowed',
      'An address that people are sent back to must be https, http on this very machine (127.0.0.1, [::1], localhost), or a scheme of an app, without fragment, user name and wildcard.',
      'Correct the address that `details` names. It is compared character by character; only the port of a loopback address is free.',
    ),
    too_many_apps: problem(
      409,
      'Too many apps',
      'An organization has at most 100 apps.',
      'Delete an app that nobody uses, then register the new one.',
    ),
    too_many_secrets: problem(
      409,
      'Too many client secrets',
      'An app has at most two secrets a mode, so that one can follow the other.',
      'Delete the secret that is not used any more, then make the new one.',
    ),
    app_has_no_secrets: problem(
      409,
      'App without secrets',
      'A public app runs where others can read it, so a secret would be none.',
      'Use PKCE without a secret, or register a confidential or machine app.',
    ),
    app_not_allowed: problem(
      403,
      'App not allowed',
      'The app belongs to another organization, or an Admin of yours has not allowed it, or blocked it.',
      'Ask an Admin to allow it: in the portal under Apps, or with PUT /v2/auth/clients/{clientId}/policy.',
    ),
    authorization_request_over: problem(
      410,
      'Request over',
      'The request for authorization was answered, has expired after 15 minutes, or was opened in another browser.',
      'Go back to the app and start again.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    oauthApp: typeof oauthApp
  }
}
