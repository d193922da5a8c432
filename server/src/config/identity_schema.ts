// The settings of who may come in: apps, clients, people. Part of the schema in config_schema.ts.
import { Type } from 'typebox'

export const identitySettings = {
  signUp: Type.Enum(['closed', 'invite', 'open'], {
    variable: 'TANDEM_SIGN_UP',
    default: 'closed',
    description:
      'Who may make an organization: operators alone (`closed`), anyone with a code of theirs (`invite`), or anyone with an e-mail address (`open`).',
  }),
  closingDays: Type.Integer({
    variable: 'TANDEM_CLOSING_DAYS',
    default: 30,
    // As long as who owned it before can take it back.
    minimum: 3,
    maximum: 365,
    description: 'Days in which an organization that is being closed can be taken back; then it is erased.',
  }),
  fiscalYears: Type.Integer({
    variable: 'TANDEM_FISCAL_YEARS',
    default: 10,
    minimum: 0,
    maximum: 30,
    description: 'Years for which the numbered invoices and payments of a closed organization are kept.',
  }),
  oauthRegistration: Type.Enum(['documents', 'open', 'off'], {
    variable: 'TANDEM_OAUTH_REGISTRATION',
    default: 'open',
    description:
      'Which OAuth clients that nobody registered may ask people: those that publish who they are (`documents`), also those that register themselves (`open`), or none (`off`).',
  }),
}
