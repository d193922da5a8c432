// Made by `npm run generate` of the server's problems; not to be changed by hand.
export const en = {
  'title.invalid_credentials': 'Login refused',
  'cause.invalid_credentials': 'The account does not exist, the password is wrong, or the account is disabled.',
  'fix.invalid_credentials': 'Check e-mail (or administrator identifier) and password, or ask an Admin.',
  'title.invalid_refresh_token': 'Refresh token refused',
  'cause.invalid_refresh_token': 'The refresh token is unknown, expired, revoked or used before.',
  'fix.invalid_refresh_token': 'Log in again.',
  'title.membership_required': 'Not a member',
  'cause.membership_required':
    'The person is no member of the organization that was named, or may not log in there any more.',
  'fix.membership_required':
    'Name an organization of GET /v2/users/me/organizations, or ask an Admin of the organization for an invitation.',
  'title.switch_needs_login': 'Another login needed',
  'cause.switch_needs_login':
    'The organization asks more of a login than this one showed: a second factor that it stands for, or one that is not so old.',
  'fix.switch_needs_login':
    'Log in to it: POST /v1/api/auth/login with its organizationId, which asks for what is missing.',
  'title.wrong_password': 'Wrong password',
  'cause.wrong_password': 'The password is not that of the account whose session asks.',
  'fix.wrong_password': 'Type the present password again, or reset it from the login page.',
  'title.login_throttled': 'Too many failed logins',
  'cause.login_throttled':
    'Logins for this account, from places it is not known to log in from, or from this address failed too often.',
  'fix.login_throttled':
    'Wait the seconds of the Retry-After header, or log in from a place or browser used for it in the last 30 days.',
  'title.initial_password_expired': 'Initial password expired',
  'cause.initial_password_expired':
    'The password was made by the server or by an Admin, and its person set none of their own within seven days.',
  'fix.initial_password_expired':
    'Ask an Admin for another one (Members, Set password), or set one by a mail: POST /v2/auth/password-resets. On the machine, `tandem reset-password` prints a link.',
  'title.login_by_mail_required': 'No passwords from here',
  'cause.login_by_mail_required':
    'A hundred wrong passwords in a row were sent for this account from places it is not known to log in from, so none is looked at from there.',
  'fix.login_by_mail_required':
    'Log in with a passkey or by the link of a mail, from a place or browser used for it in the last 30 days, or set another password by a mail.',
  'title.second_factor_required': 'Second factor required',
  'cause.second_factor_required': 'The password was right, and the account asks for a second factor.',
  'fix.second_factor_required':
    'Send `challengeToken` of this answer with a code of the app, a recovery code, or the `assertion` of a passkey, to POST /v1/api/auth/login/verify.',
  'title.second_factor_setup_required': 'Second factor to be set up',
  'cause.second_factor_setup_required':
    'The password was right, but the organization lets nobody in without a second factor, and the account has none.',
  'fix.second_factor_setup_required':
    'Enter `setup.secret` of this answer into an app that makes codes, and send its code with `challengeToken` to POST /v1/api/auth/login/verify.',
  'title.invalid_second_factor': 'Second factor refused',
  'cause.invalid_second_factor': 'The code is wrong, too old, or was used before.',
  'fix.invalid_second_factor':
    'Wait for the next code of the app and send that one; each is taken once. A recovery code will do as well.',
  'title.challenge_expired': 'Login took too long',
  'cause.challenge_expired':
    'The login that asked for more was begun more than five minutes ago, elsewhere, with another password, or ended already.',
  'fix.challenge_expired': 'Log in again with the password.',
  'title.password_change_required': 'Own password required',
  'cause.password_change_required': 'The password was set by somebody else and is good for one login.',
  'fix.password_change_required':
    'Send `challengeToken` of this answer with a `newPassword` to POST /v1/api/auth/login/verify.',
  'title.passkey_refused': 'Passkey refused',
  'cause.passkey_refused':
    'The passkey is not known, may be a copy of another, was made or used on another page, did not check who uses it, or the options were older than five minutes or used before.',
  'fix.passkey_refused':
    'Ask for new options and let the browser answer them; log in with the password if the passkey is refused again.',
  'title.passkeys_unavailable': 'No passkeys here',
  'cause.passkeys_unavailable':
    'Passkeys are bound to a host name and need https; this server does not know one of its own.',
  'fix.passkeys_unavailable':
    'Set TANDEM_PUBLIC_URL to an https address with a host name. On one machine, open the portal at http://localhost instead of an IP address.',
  'title.factor_limit_reached': 'Too many second factors',
  'cause.factor_limit_reached': 'An account has at most ten second factors.',
  'fix.factor_limit_reached': 'Remove one that is not used any more.',
  'title.factor_required': 'No second factor',
  'cause.factor_required': 'The account has no second factor, so recovery codes would stand for nothing.',
  'fix.factor_required': 'Add a second factor first.',
  'title.link_expired': 'Link expired',
  'cause.link_expired': 'The link is too old, was used already, is not complete, or is for another account or browser.',
  'fix.link_expired':
    'Ask for another mail, and open its link at once, in the browser and with the account that asked for it.',
  'title.email_taken': 'E-mail in use',
  'cause.email_taken': 'An account with this e-mail exists.',
  'fix.email_taken': 'Use another e-mail address, or invite the person.',
  'title.account_shared': 'Account of several organizations',
  'cause.account_shared':
    'The person is also a member of other organizations, so only they can change how they log in.',
  'fix.account_shared': 'Let the person change it in their account, or reset their password by mail.',
  'title.last_admin': 'Last Admin',
  'cause.last_admin': 'The change would leave the organization without an active Admin.',
  'fix.last_admin': 'Make another user Admin first. A role made of Admin does not count.',
  'title.weak_password': 'Password too weak',
  'cause.weak_password':
    'The password is among the most used ones, in a list of passwords that became known, or contains the e-mail.',
  'fix.weak_password': 'Choose another password of at least 10 characters.',
  'title.invitation_expired': 'Invitation over',
  'cause.invitation_expired':
    'The invitation was answered already, was taken back, is older than seven days, who invited may not do so any more, or its link is not complete.',
  'fix.invitation_expired': 'Ask who invited you for another one.',
  'title.invitation_for_other_address': 'Invitation of somebody else',
  'cause.invitation_for_other_address':
    'The invitation is for another address than that of the account that is logged in.',
  'fix.invitation_for_other_address':
    'Log out and answer with the account of that address, or ask for an invitation to your own.',
  'title.invitation_needs_login': 'Account exists',
  'cause.invitation_needs_login':
    'The address of the invitation has an account already, and nobody is logged in with it.',
  'fix.invitation_needs_login': 'Log in with that account and accept once more, with its access token.',
  'title.invitation_decided': 'Invitation answered',
  'cause.invitation_decided': 'The invitation was accepted, declined or taken back already.',
  'fix.invitation_decided': 'Make another one.',
  'title.already_invited': 'Invited already',
  'cause.already_invited': 'An invitation of this address waits for its answer.',
  'fix.already_invited':
    "Send it again with POST /v2/invitations/'{invitationId}'/resend, or revoke it and make another one.",
  'title.resend_limit_reached': 'Sent again too often',
  'cause.resend_limit_reached': 'The mail of the invitation was sent again five times.',
  'fix.resend_limit_reached':
    'Hand the link to the person by another way, or revoke the invitation and make another one.',
  'title.already_member': 'Member already',
  'cause.already_member': 'The person is a member of the organization.',
  'fix.already_member': "Change what they may do with PATCH /v1/api/users/'{id}'.",
  'title.role_in_use': 'Role in use',
  'cause.role_in_use': 'Members or open invitations have the role.',
  'fix.role_in_use': 'Give them another role first; GET /v1/api/users?roleId= lists the members.',
  'title.role_limit_reached': 'Too many roles',
  'cause.role_limit_reached': 'The organization has 50 roles of its own, and may have no more.',
  'fix.role_limit_reached': 'Delete one that nobody has, or change one.',
  'title.role_name_taken': 'Name of a role in use',
  'cause.role_name_taken': 'Another role of the organization, or one of those that everybody has, has this name.',
  'fix.role_name_taken': 'Choose another name.',
  'title.team_in_use': 'Team has members',
  'cause.team_in_use': 'The team has members, some of whom may see records by it.',
  'fix.team_in_use': 'Take them out of it first.',
  'title.team_limit_reached': 'Too many teams',
  'cause.team_limit_reached':
    'The organization has 200 teams, the team 200 members, or the person is in 20 teams; there may be no more.',
  'fix.team_limit_reached': 'Delete a team, or take somebody out of one.',
  'title.team_name_taken': 'Name of a team in use',
  'cause.team_name_taken': 'Another team of the organization has this name.',
  'fix.team_name_taken': 'Choose another name.',
  'title.last_owner': 'Owner of the organization',
  'cause.last_owner':
    'The person owns the organization, so they can neither leave it nor be removed, disabled or made less than an Admin.',
  'fix.last_owner': 'Transfer the ownership to another Admin first.',
  'title.not_owner': 'Not the owner',
  'cause.not_owner': 'Only the owner of the organization may do this.',
  'fix.not_owner': 'Ask the owner; GET /v2/organization names them.',
  'title.transfer_open': 'Transfer of ownership open',
  'cause.transfer_open':
    'The ownership was offered to somebody who has not answered, or it changed or was taken back within the last 72 hours: so long, nothing may shut out who offered it.',
  'fix.transfer_open': 'Cancel the transfer, or wait until the 72 hours are over.',
  'title.transfer_not_open': 'No such transfer',
  'cause.transfer_not_open':
    'There is no transfer of ownership that you may answer, cancel or undo: it was answered already, is too old, or is for somebody else.',
  'fix.transfer_not_open': 'Look at it with GET /v2/organization/transfer.',
  'title.hand_over_running': 'Hand-over at work',
  'cause.hand_over_running': 'What the person owned when they left is still being handed to another one.',
  'fix.hand_over_running': 'Try again in a minute; GET /v2/hand-overs says how far it is.',
  'title.account_protected': 'Account of an owner or operator',
  'cause.account_protected':
    'The person owns the organization, can still take its ownership back, or runs the installation, so nobody else sets how they log in.',
  'fix.account_protected':
    'Let the person change it in their account, or reset their password by mail; at the server, tandem accounts helps.',
  'title.no_second_factor': 'No second factor',
  'cause.no_second_factor': 'The person has no second factor, so there is none to reset.',
  'fix.no_second_factor': 'Nothing has to be done.',
} as const
