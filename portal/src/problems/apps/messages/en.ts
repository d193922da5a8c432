// Made by `npm run generate` of the server's problems; not to be changed by hand.
export const en = {
  'title.redirect_uri_not_allowed': 'Redirect address not allowed',
  'cause.redirect_uri_not_allowed':
    'An address that people are sent back to must be https, http on this very machine (127.0.0.1, [::1], localhost), or a scheme of an app, without fragment, user name and wildcard.',
  'fix.redirect_uri_not_allowed':
    'Correct the address that `details` names. It is compared character by character; only the port of a loopback address is free.',
  'title.too_many_apps': 'Too many apps',
  'cause.too_many_apps': 'An organization has at most 100 apps.',
  'fix.too_many_apps': 'Delete an app that nobody uses, then register the new one.',
  'title.too_many_secrets': 'Too many client secrets',
  'cause.too_many_secrets': 'An app has at most two secrets a mode, so that one can follow the other.',
  'fix.too_many_secrets': 'Delete the secret that is not used any more, then make the new one.',
  'title.app_has_no_secrets': 'App without secrets',
  'cause.app_has_no_secrets': 'A public app runs where others can read it, so a secret would be none.',
  'fix.app_has_no_secrets': 'Use PKCE without a secret, or register a confidential or machine app.',
  'title.app_not_allowed': 'App not allowed',
  'cause.app_not_allowed':
    'The app belongs to another organization, or an Admin of yours has not allowed it, or blocked it.',
  'fix.app_not_allowed':
    "Ask an Admin to allow it: in the portal under Apps, or with PUT /v2/auth/clients/'{clientId}'/policy.",
  'title.authorization_request_over': 'Request over',
  'cause.authorization_request_over':
    'The request for authorization was answered, has expired after 15 minutes, or was opened in another browser.',
  'fix.authorization_request_over': 'Go back to the app and start again.',
  'title.invalid_request': 'OAuth: request not understood',
  'cause.invalid_request':
    'A parameter of the request to /oauth is missing, stands twice, or does not fit the others; `error_description` names it.',
  'fix.invalid_request':
    'Correct the parameter. PKCE with code_challenge_method=S256 is always needed; client authentication is sent one way only.',
  'title.invalid_client': 'OAuth: client not authenticated',
  'cause.invalid_client':
    'The client does not exist, is suspended, or its secret is wrong; or it authenticates in another way than its kind does.',
  'fix.invalid_client':
    'Check client_id and secret, and that both are of one mode. A public client sends its client_id and no secret.',
  'title.invalid_grant': 'OAuth: code or token no longer good',
  'cause.invalid_grant':
    'The code, refresh token or device code was used before, has expired, was revoked, or belongs to another client or redirect address.',
  'fix.invalid_grant':
    'Ask the person again. Codes are good for 60 seconds and once; store each new refresh token. The app’s page in the portal says which of these it was.',
  'title.unauthorized_client': 'OAuth: client may not do this',
  'cause.unauthorized_client': 'The kind of app does not take part in this grant or response type.',
  'fix.unauthorized_client':
    'Register an app of the kind that does: machine apps act in their own name, public and confidential ones for people.',
  'title.unsupported_grant_type': 'OAuth: unknown grant type',
  'cause.unsupported_grant_type': 'The grant_type is none that this server has.',
  'fix.unsupported_grant_type':
    'Use authorization_code, refresh_token, client_credentials or urn:ietf:params:oauth:grant-type:device_code.',
  'title.unsupported_response_type': 'OAuth: unknown response type',
  'cause.unsupported_response_type': 'The response_type is not code.',
  'fix.unsupported_response_type': 'Send response_type=code.',
  'title.unsupported_token_type': 'OAuth: token of another type',
  'cause.unsupported_token_type': 'The token that was to be revoked or asked about is none of these.',
  'fix.unsupported_token_type': 'Send an access or refresh token of this server.',
  'title.invalid_scope': 'OAuth: scope not possible',
  'cause.invalid_scope': 'A scope is unknown, more than the app was registered with, or more than was allowed before.',
  'fix.invalid_scope':
    'Send permissions of this API parted by spaces, all of them within what the app was registered with. Its settings are under Apps.',
  'title.invalid_target': 'OAuth: resource of another server',
  'cause.invalid_target': 'The resource is none that this server protects (RFC 8707).',
  'fix.invalid_target': 'Leave `resource` out, or send the one of GET /.well-known/oauth-protected-resource.',
  'title.invalid_request_uri': 'OAuth: pushed request is over',
  'cause.invalid_request_uri': 'The request_uri has expired after 60 seconds, or was used, or is of another client.',
  'fix.invalid_request_uri': 'Push the request again, then send the person on at once.',
  'title.access_denied': 'OAuth: the person said no',
  'cause.access_denied': 'The person, or an Admin of theirs, did not let the client act for them.',
  'fix.access_denied': 'Offer to connect again; ask for fewer scopes.',
  'title.login_required': 'OAuth: the person must be asked',
  'cause.login_required': 'The request says prompt=none, and this server asks each time.',
  'fix.login_required': 'Send the person without prompt=none.',
  'title.authorization_pending': 'OAuth: no answer yet',
  'cause.authorization_pending': 'The person of the device has not answered yet.',
  'fix.authorization_pending': 'Ask again after `interval` seconds.',
  'title.slow_down': 'OAuth: asked too often',
  'cause.slow_down': 'The device asks more often than every 5 seconds.',
  'fix.slow_down': 'Wait 5 seconds longer between two questions from now on (RFC 8628 §3.5).',
  'title.expired_token': 'OAuth: device code over',
  'cause.expired_token': 'Nobody answered the device within 10 minutes.',
  'fix.expired_token': 'Let the device show a new code.',
  'title.invalid_client_metadata': 'OAuth: registration not possible',
  'cause.invalid_client_metadata':
    'A client that registers itself or publishes a document says something of itself that cannot be.',
  'fix.invalid_client_metadata':
    'Correct the field that `error_description` names. Such clients are public: authorization_code and refresh_token, no secret.',
  'title.invalid_redirect_uri': 'OAuth: redirect address not possible',
  'cause.invalid_redirect_uri': 'An address in redirect_uris is not https, loopback http, or a scheme of an app.',
  'fix.invalid_redirect_uri': 'Register another address; it is compared character by character.',
  'title.temporarily_unavailable': 'OAuth: not now',
  'cause.temporarily_unavailable':
    'There were too many requests (429; docs/oauth.md has the limits), or this server does not know its own address (503).',
  'fix.temporarily_unavailable': 'Wait as long as Retry-After says. For 503 set TANDEM_PUBLIC_URL.',
  'title.server_error': 'OAuth: fault of the server',
  'cause.server_error': 'The server made a mistake at /oauth.',
  'fix.server_error': 'Try again; report the X-Request-Id of the answer if it stays.',
} as const
