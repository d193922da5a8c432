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
    // Of the protocol (RFC 6749 §5.2, 7009, 7591, 8628, 8707, 9126): answered below /oauth without envelope.
    invalid_request: problem(
      400,
      'OAuth: request not understood',
      'A parameter of the request to /oauth is missing, stands twice, or does not fit the others; `error_description` names it.',
      'Correct the parameter. PKCE with code_challenge_method=S256 is always needed; client authentication is sent one way only.',
    ),
    invalid_client: problem(
      401,
      'OAuth: client not authenticated',
      'The client does not exist, is suspended, or its secret is wrong; or it authenticates in another way than its kind does.',
      'Check client_id and secret, and that both are of one mode. A public client sends its client_id and no secret.',
    ),
    invalid_grant: problem(
      400,
      'OAuth: code or token no longer good',
      'The code, refresh token or device code was used before, has expired, was revoked, or belongs to another client or redirect address.',
      'Ask the person again. Codes are good for 60 seconds and once; store each new refresh token. The app’s page in the portal says which of these it was.',
    ),
    unauthorized_client: problem(
      400,
      'OAuth: client may not do this',
      'The kind of app does not take part in this grant or response type.',
      'Register an app of the kind that does: machine apps act in their own name, public and confidential ones for people.',
    ),
    unsupported_grant_type: problem(
      400,
      'OAuth: unknown grant type',
      'The grant_type is none that this server has.',
      'Use authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:device_code.',
    ),
    unsupported_response_type: problem(
      400,
      'OAuth: unknown response type',
      'The response_type is not code.',
      'Send response_type=code.',
    ),
    unsupported_token_type: problem(
      400,
      'OAuth: token of another type',
      'The token that was to be revoked or asked about is none of these.',
      'Send an access or refresh token of this server.',
    ),
    invalid_scope: problem(
      400,
      'OAuth: scope not possible',
      'A scope is unknown, more than the app was registered with, or more than was allowed before.',
      'Send permissions of this API parted by spaces, all of them within what the app was registered with. Its settings are under Apps.',
    ),
    invalid_target: problem(
      400,
      'OAuth: resource of another server',
      'The resource is none that this server protects (RFC 8707).',
      'Leave `resource` out, or send the one of GET /.well-known/oauth-protected-resource.',
    ),
    invalid_request_uri: problem(
      400,
      'OAuth: pushed request is over',
      'The request_uri has expired after 60 seconds, or was used, or is of another client.',
      'Push the request again, then send the person on at once.',
    ),
    access_denied: problem(
      400,
      'OAuth: the person said no',
      'The person, or an Admin of theirs, did not let the client act for them.',
      'Offer to connect again; ask for fewer scopes.',
    ),
    login_required: problem(
      400,
      'OAuth: the person must be asked',
      'The request says prompt=none, and this server asks each time.',
      'Send the person without prompt=none.',
    ),
    authorization_pending: problem(
      400,
      'OAuth: no answer yet',
      'The person of the device has not answered yet.',
      'Ask again after `interval` seconds.',
      true,
    ),
    slow_down: problem(
      400,
      'OAuth: asked too often',
      'The device asks more often than every 5 seconds.',
      'Wait 5 seconds longer between two questions from now on (RFC 8628 §3.5).',
      true,
    ),
    expired_token: problem(
      400,
      'OAuth: device code over',
      'Nobody answered the device within 10 minutes.',
      'Let the device show a new code.',
    ),
    invalid_client_metadata: problem(
      400,
      'OAuth: registration not possible',
      'A client that registers itself or publishes a document says something of itself that cannot be.',
      'Correct the field that `error_description` names. Such clients are public: authorization_code and refresh_token, no secret.',
    ),
    invalid_redirect_uri: problem(
      400,
      'OAuth: redirect address not possible',
      'An address in redirect_uris is not https, loopback http, or a scheme of an app.',
      'Register another address; it is compared character by character.',
    ),
    temporarily_unavailable: problem(
      503,
      'OAuth: not now',
      'There were too many requests (429; docs/oauth.md has the limits), or this server does not know its own address (503).',
      'Wait as long as Retry-After says. For 503 set TANDEM_PUBLIC_URL.',
      true,
    ),
    server_error: problem(
      500,
      'OAuth: fault of the server',
      'The server made a mistake at /oauth.',
      'Try again; report the X-Request-Id of the answer if it stays.',
      true,
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    oauthApp: typeof oauthApp
  }
}
